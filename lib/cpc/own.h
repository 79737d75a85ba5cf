/*
 * What an LWP does with its own counters: an LWP uses its binding without a lock, since a
 * signal handler may do so too.
 */
#ifndef CPC_OWN_H
#define CPC_OWN_H

#include <signal.h>

#include "cpc/cpc.h"
#include "cpc/sampling.h"

enum state { RUNNING, DISABLED, OVERFLOWED };

/* One LWP's counters of a set. */
struct lwp_binding {
	struct lwp_binding *next, **at; /* in the list of its set; at NULL: not there */
	cpc_t *cpc;
	cpc_set_t *set; /* there unless gone */
	struct requests *reqs;
	pid_t pid;	   /* a child of fork(2) has none of the counters */
	int inherits;	   /* LWPs that its LWP creates get one too */
	int inherited;	   /* it was got so */
	int notifies;	   /* a request wants SIGEMT */
	int busy;	   /* calls that its LWP is in */
	int gone;	   /* nothing of what follows is to be used any more */
	enum state state;  /* all but RUNNING are frozen */
	unsigned restarts; /* modulo 2^32 */
	uint64_t generation;
	struct group *group; /* NULL: there are only requests for records */
	struct smpl *smpl;
	uint64_t *began;     /* of each request: what its counter began with */
	uint64_t *preset;    /* ... and what it begins with at the next restart */
	uint64_t *after;     /* of those that are counted: as in struct target */
	struct count base[]; /* ... and what had been counted when it began */
};

/* The calling LWP's, or NULL; it is its LWP that frees it. */
struct lwp_binding *context_mine(void);
void context_set(struct lwp_binding *b);

/* The handler of the library's own signal. */
void context_notice(int signo, siginfo_t *info, void *context);

/* Fill b->after for these presets. */
void context_after(struct lwp_binding *b, const uint64_t *preset);

/*
 * cpc_bind_curlwp(3CPC): where overflow is asked for, a new LWP is frozen, all its
 * notifying counters are UINT64_MAX, and it gets SIGEMT; pc: its si_addr.
 */
void context_await_presets(struct lwp_binding *b, void *pc);

/* Stop all that b counts and records. -1: as the engine's freeze(). */
int context_freeze(struct lwp_binding *b);

/*
 * Sample the calling LWP's counters of a set into a buf that fits. -1: EINVAL, it has none;
 * EAGAIN (CPC_STRICT=1); or as the engine's read(). Async-signal-safe.
 */
int context_sample(cpc_set_t *set, cpc_buf_t *buf);

#endif
