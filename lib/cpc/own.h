/*
 * How an LWP samples, stops and restarts its own counters. It uses its binding without a
 * lock, since a signal handler may do so too.
 */
#ifndef CPC_OWN_H
#define CPC_OWN_H

#include <signal.h>

#include "cpc/sampling.h"
#include "cpc/set.h"

/* All states but RUNNING are frozen. */
enum own_state { RUNNING, DISABLED, OVERFLOWED };

/* The counters of a set on one LWP of this process. */
struct own_binding {
	struct binding binding; /* first; binding.set is valid unless gone */
	cpc_t *cpc;
	struct requests *reqs;
	pid_t pid;     /* of the process; a child of fork(2) has none of the counters */
	int inherits;  /* LWPs that this LWP creates get a binding too */
	int tree;      /* LWPs and processes that the LWP starts count with it */
	int inherited; /* the LWP inherited the binding */
	uint64_t bind; /* the number of the bind that it is of, or was inherited from */
	int notifies;  /* a request has CPC_OVF_NOTIFY_EMT */
	int busy;      /* calls in progress that use the binding */
	int gone;      /* the set was unbound: nothing below may be used any more */
	enum own_state state;
	uint64_t restarts;   /* how often base was read anew; 0: base is 0 */
	uint64_t generation; /* for strict_lwp_valid() */
	struct group *group; /* NULL if the set only takes records */
	struct smpl *smpl;
	uint64_t *began;     /* of each request: the preset that its counter began with */
	uint64_t *preset;    /* of each request: the preset of the next restart */
	uint64_t *after;     /* of each counted request: as in struct target */
	struct count base[]; /* of each counted request: the count at the start */
};

/* The calling LWP's binding, or NULL. The LWP frees it. */
struct own_binding *own_binding(void);
void own_set(struct own_binding *b);

/* The handler of the library's own signal. */
void own_notice(int signo, siginfo_t *info, void *context);

/* Fill b->after for these presets. */
void own_set_after(struct own_binding *b, const uint64_t *preset);

/*
 * Begin an inherited binding with CPC_OVF_NOTIFY_EMT as cpc_bind_curlwp(3CPC) says: the
 * new LWP is frozen, its notifying counters are UINT64_MAX, and it gets SIGEMT with pc.
 */
void own_await_presets(struct own_binding *b, void *pc);

/* Stop all that b counts and records. Returns -1 with errno of the engine's freeze(). */
int own_freeze(struct own_binding *b);

/*
 * Sample the calling LWP's counters of a set into a buf that fits. Returns -1 with EINVAL
 * if the set is not bound to the LWP, EAGAIN (CPC_STRICT=1), or errno of the engine's
 * read(). Async-signal-safe.
 */
int own_sample(cpc_set_t *set, cpc_buf_t *buf);

#endif
