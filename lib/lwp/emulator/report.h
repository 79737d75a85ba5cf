/*
 * What the emulator reports of itself to a tracer: by UD2 with REPORT_MAGIC in rax, a
 * kind in rdi and an address in rsi. A tracer resumes the thread behind UD2, without the
 * signal and with 0 in rax; without a tracer the emulator's signal handler does, and rax
 * keeps its value.
 */
#ifndef LWP_EMULATOR_REPORT_H
#define LWP_EMULATOR_REPORT_H

#include <stdint.h>

#define REPORT_MAGIC UINT64_C(0x6c77702d656d756c)

enum report_kind {
	REPORT_HELLO = 1, /* the emulator was loaded; rsi: struct report_directory */
	REPORT_EXEC	  /* the thread will execute a program */
};

struct report_directory {
	uint64_t state; /* struct emulate_state of a thread, relative to its fs_base */
	uint64_t fast_begin, fast_end; /* code that trampolines run */
};

/*
 * In this code, rbp points to a word that points to the frame of the trampoline. A fault
 * there is one of the instruction that the trampoline replaces.
 */
struct report_frame {
	uint64_t reg[16]; /* of the program, in the order of their encoding */
	uint64_t flags;	  /* bits 0 to 7: OF; 8 to 15: SF, ZF, AF, PF and CF as LAHF */
	uint64_t site;	  /* the address of the instruction's own address */
};

#endif
