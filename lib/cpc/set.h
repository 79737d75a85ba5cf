/*
 * Sets, the lists of requests that duplicated sets share, and the bindings of a set: to
 * LWPs of this process (own.h), to an LWP of another process (pctx.c), or to a CPU
 * (cpu.c).
 */
#ifndef CPC_SET_H
#define CPC_SET_H

#include <errno.h>

#include "cpc/cpc.h"

/*
 * Check a set that the program passes. Returns 1, or 0 with EINVAL if it is NULL, not a
 * set of this session, or destroyed. A destroyed set can still be read (base/pool.h).
 */
static inline int set_is_of(const cpc_t *cpc, const cpc_set_t *set)
{
	if (cpc && set && set->cpc == cpc)
		return 1;
	errno = EINVAL;
	return 0;
}

/* Add a reference to a list of requests, and drop one; the last drop frees the list. */
struct requests *requests_keep(struct requests *r);
void requests_drop(struct requests *r);

/* Returns the number of attributes of a request, with picnum. */
static inline unsigned request_nattrs(const struct request *q)
{
	return q->nattrs + (q->placed ? 1 : 0);
}

/*
 * Returns the turns of the requests that are counted, for struct target; NULL if all are
 * counted at the same time. The counters are assigned.
 */
static inline const unsigned char *requests_turns(const struct requests *r)
{
	return r->turns > 1 ? r->turn : NULL;
}

/* Free what a request owns; the list that it belongs to knows its engine. */
void request_clear(const struct requests *r, struct request *q);

/*
 * Move the values that the engine has read into val[0..ncounted-1] to the indices of
 * their requests; requests that only take records get 0. Async-signal-safe.
 */
void requests_spread(const struct requests *r, struct count *val);

/*
 * One binding of a set. Each kind of bind has a struct of its own, whose first member is
 * this one.
 */
struct binding {
	struct ring link; /* in the set's ring; in no other ring after the unbind */
	cpc_set_t *set;
};

/* The operations on a set, by the kind of target that it is bound to. */
struct binding_ops {
	/* Sample into buf, which fits. Returns 0, or -1 with errno. */
	int (*sample)(cpc_set_t *set, cpc_buf_t *buf);

	/* Undo a binding, which leaves the ring of its set. The session is locked. */
	void (*unbind)(struct binding *b);

	/*
	 * Undo the part that cpc_unbind(3) undoes for an LWP that has a binding of the
	 * set. Returns 0 if the calling LWP has none. The member is NULL where bindings
	 * do not belong to LWPs of this process. The session is locked.
	 */
	int (*unbind_caller)(cpc_set_t *set);
};

/* Add a binding to its set, whose operations become ops. The session is locked. */
void binding_add(struct binding *b, cpc_set_t *set, const struct binding_ops *ops);

/*
 * Remove a binding from its set, unless it was removed before. A set without bindings is
 * not bound. The session is locked.
 */
void binding_drop(struct binding *b);

/*
 * Undo all bindings of a set; does nothing if the set is not bound. The session is
 * locked.
 */
void set_unbind(cpc_set_t *set);

#endif
