/*
 * CPC_STRICT=1 in the environment: the exclusion of cpc_bind_curlwp(3CPC) over all
 * processes of a user, which the kernel here does without. One set counts a CPU at a time,
 * no LWP can be bound while a CPU is, and the first bind of a CPU ends the binds of LWPs.
 * Where it is not asked for, nothing is opened.
 */
#ifndef CPC_STRICT_H
#define CPC_STRICT_H

#include "cpc/cpc.h"

enum { STRICT_OFF = -1 };

/* Of a new session: is it strict? And of one that ends. */
void strict_open(cpc_t *cpc);
void strict_close(cpc_t *cpc);

/*
 * Before an LWP is bound: what strict_lwp_valid() wants to see, 0 where it is not strict.
 * -1, and it was told: EAGAIN, a CPU is bound; EACCES, or as open(2): the file that all
 * share cannot be used. The session is held.
 */
int strict_lwp_bind(cpc_t *cpc, const char *fn, uint64_t *generation);

/*
 * Does a bind of that generation still count? -1: EAGAIN, a CPU was bound since.
 * Async-signal-safe.
 */
int strict_lwp_valid(const cpc_t *cpc, uint64_t generation);

/*
 * Take a CPU: *token is to be given back, STRICT_OFF where it is not strict. -1, and it was
 * told: EAGAIN, it is taken; EACCES or as open(2) as above. A process that dies gives back
 * what it had.
 */
int strict_cpu_take(cpc_t *cpc, const char *fn, int cpu, int *token);
/* It is bound: no LWP is, from now on. -1: as write(2). */
int strict_cpu_bound(int token);
/* Keeps errno. */
void strict_cpu_give(int token);

#endif
