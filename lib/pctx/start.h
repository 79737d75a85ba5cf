/* Attaches the tracer to LWPs. */
#ifndef PCTX_START_H
#define PCTX_START_H

#include <sys/types.h>

/*
 * Attaches to an LWP without stopping it (PTRACE_SEIZE). The LWPs that it creates will be
 * attached too, and its execs are reported. created: if the caller dies, the LWP is
 * killed. Returns 0, or -1 with errno as of ptrace(2).
 */
int pctx_seize(pid_t tid, int created);

/*
 * Makes a stopped LWP, to which pctx_seize() attached as to a created one, report its end
 * too and, if it is resumed for that, its system calls. So do the LWPs that it creates.
 * Returns 0, or -1 with errno as of ptrace(2).
 */
int pctx_seize_watched(pid_t tid);

/* Returns 0 if the caller can trace its own child processes, else an errno. */
int pctx_try_seize(void);

#endif
