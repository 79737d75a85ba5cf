/* The code that trampolines run: LWP instructions without a trap. */
#ifndef LWP_EMULATOR_FAST_H
#define LWP_EMULATOR_FAST_H

#include "lwp/emulate.h"

/* The LWP state of the calling thread. */
extern __thread struct emulate_state fast_state
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* An LWP instruction of the program that a jump to a trampoline replaces. */
struct site {
	uint64_t ip;	 /* of the instruction; struct report_frame's site points here */
	uint64_t resume; /* code that restores the last registers and continues */
	lwp_instruction_t instruction;
	struct site *next; /* with the same hash */
};

/* Trampolines jump here, with the site in rdi, which they have pushed. */
void fast_entry(void);

/* The code in which an instruction of the program can fault; the linker's names. */
extern const char __start_lwp_fast[], __stop_lwp_fast[];

/*
 * The signal of threshold interrupts, of which a program is sent one if it has a handler
 * for it. Linux has no LWP driver of its own; one that was published outside used it.
 */
#define FAST_INTERRUPT SIGSTKFLT
void fast_interrupt(void);

/* Can code read the base addresses of FS and GS by an instruction? */
int fast_reads_bases(void);

#endif
