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

/* Returns 0 if the caller can trace its own child processes, else an errno. */
int pctx_try_seize(void);

#endif
