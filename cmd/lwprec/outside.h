/* LWP instructions of a traced thread, executed from outside. */
#ifndef LWPREC_OUTSIDE_H
#define LWPREC_OUTSIDE_H

#include <sys/user.h>

#include "lwp/emulate.h"

/* What a stop for SIGILL is. */
enum outside_stop {
	OUTSIDE_OTHER,	/* not of an LWP instruction */
	OUTSIDE_REPORT, /* the preloaded emulator reports (lwp/emulator/report.h) */
	OUTSIDE_LWP	/* an LWP instruction */
};

/* A thread that is stopped for SIGILL. */
struct outside_trap {
	pid_t pid, tid;
	enum outside_stop stop;
	lwp_instruction_t instruction; /* OUTSIDE_LWP */
	uint64_t kind, address;	       /* OUTSIDE_REPORT */
	struct user_regs_struct registers;
};

/* Find out why thread t->tid of process t->pid is stopped; fills the rest of *t. */
void outside_look(struct outside_trap *t);

/* Let a thread run on behind a report. */
void outside_answer(const struct outside_trap *t);

/*
 * Execute the LWP instruction of *t. Returns the signal that the thread gets: 0, SIGSEGV,
 * or that of a threshold interrupt.
 */
int outside_execute(const struct outside_trap *t, struct emulate_state *s);

/*
 * The thread is stopped for the signal of a fault. If the fault came in the preloaded
 * emulator's code from begin to end, give the thread the registers that it had at the
 * instruction which it was executing.
 */
void outside_rewind(pid_t pid, pid_t tid, uint64_t begin, uint64_t end);

/* Returns the base address of FS of a stopped thread, or 0 if it was killed. */
uint64_t outside_fs_base(pid_t tid);

/* Is a thread at the beginning of an execve(2) or execveat(2)? */
int outside_executes(pid_t tid);

#endif
