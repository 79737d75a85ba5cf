/*
 * CPC_STRICT=1 in the environment gives the exclusion of cpc_bind_curlwp(3CPC) over all
 * processes of a user, which Linux does not have: one set counts a CPU at a time, no LWP
 * can be bound while a CPU is bound, and binding a CPU ends the binds of LWPs. Without
 * the variable nothing is opened.
 */
#ifndef CPC_STRICT_H
#define CPC_STRICT_H

#include "engine/engine.h"

enum { STRICT_OFF = -1 };

/* The state of a session. */
struct strict {
	int on; /* CPC_STRICT=1 was set when the session was opened */
	int fd; /* the file that all sessions share, or -1 */
};

/* Call when a session opens (reads CPC_STRICT) and when it ends. */
void strict_open(struct strict *s);
void strict_close(struct strict *s);

/*
 * Open the file of this name in $XDG_RUNTIME_DIR or in /run, which all processes of the
 * user share and only they can write. Returns its descriptor; or -1 with *why and EACCES,
 * EMFILE, ENFILE or ENOMEM.
 */
int strict_file(const char *name, struct why *why);

/*
 * Call before an LWP is bound. Fills *generation for strict_lwp_valid(); it is 0 where
 * the session is not strict. Returns -1 with *why and EAGAIN if a CPU is bound, or EACCES
 * if the shared file cannot be used (EMFILE, ENFILE or ENOMEM if that is the cause). The
 * session is locked.
 */
int strict_lwp_bind(struct strict *s, uint64_t *generation, struct why *why);

/*
 * Check that a bind of that generation still counts. Returns -1 with EAGAIN if a CPU has
 * been bound since. Async-signal-safe.
 */
int strict_lwp_valid(const struct strict *s, uint64_t generation);

/*
 * Take a CPU. *token is for strict_cpu_give(); it is STRICT_OFF where the session is not
 * strict. Returns -1 with *why and EAGAIN if another set has the CPU, or EACCES and
 * others as above. A process that dies gives back its CPUs.
 */
int strict_cpu_take(const struct strict *s, int cpu, int *token, struct why *why);

/*
 * Call when the CPU is bound: ends the binds of LWPs. Returns -1 with errno of write(2).
 */
int strict_cpu_bound(int token);

/* Give a CPU back. errno is kept. */
void strict_cpu_give(int token);

#endif
