/* Hardware sampling (CPC_HW_SMPL): records of events, beside the counters of a set. */
#ifndef CPC_SAMPLING_H
#define CPC_SAMPLING_H

#include "cpc/cpc.h"

/* What the attributes of a request ask for. */
struct smpl_wish {
	unsigned nrecs, latency; /* 0: not given */
};

/* Records in a buf, of one request. */
struct smpl_recs {
	unsigned n, max;
	uint64_t lost;
	uint64_t *rec; /* max * ENGINE_NITEMS words */
};

/* What takes the records of one binding; NULL where no request asks for any. */
struct smpl;

/* Call action for each attribute that only CPC_HW_SMPL requests have. */
void smpl_walk_attrs(void *arg, void (*action)(void *arg, const char *attr));

/* Is it one of those that only CPC_HW_SMPL requests have? */
int smpl_is_attr(const char *name);

/* Such an attribute. 0, or the subcode of what is wrong with it. */
int smpl_take_attr(struct smpl_wish *wish, const cpc_attr_t *attr);

/* Which of the sampling counters a request gets makes no difference. -1: EINVAL, told. */
int smpl_check_picnum(cpc_t *cpc, uint64_t pic);

/* Fill q->sel, nrecs and items. -1: EINVAL, or errno of the engine; it was told. */
int smpl_encode(cpc_t *cpc, const char *fn, struct request *q,
		const struct engine_request *ask, const struct smpl_wish *wish);

/* Does an engine's event give records here? Nobody is told. */
int smpl_can(cpc_t *cpc, const struct engine_request *ask);

/*
 * Take records on the calling LWP for those of the requests that are CPC_HW_SMPL; after
 * each smpl_nrecs of one with CPC_OVF_NOTIFY_EMT the LWP gets signo, with its si_fd
 * (smpl_owns). -1 with errno and *why.
 */
int smpl_bind(cpc_t *cpc, const struct requests *r, int signo, struct smpl **s,
	      struct why *why);
void smpl_unbind(struct smpl *s);

/* The next are async-signal-safe; s may be NULL. */

/*
 * Is the LWP to be told of a signal with this si_fd? 0 also for signals that the kernel
 * sends beyond those that were asked for.
 */
int smpl_owns(const struct smpl *s, int fd);
int smpl_freeze(struct smpl *s);
int smpl_thaw(struct smpl *s);

/* Sample on with these presets, by index of request. */
int smpl_restart(struct smpl *s, const uint64_t *preset);

/*
 * Move records into a buf of the set, at most smpl_nrecs for each request. In a set that
 * counts nothing, also the buf's time and time on a processor.
 */
int smpl_drain(struct smpl *s, cpc_buf_t *buf);

/* Room for the records of r; NULL if it takes none (*ok) or there is no memory (!*ok). */
struct smpl_recs *smpl_recs_new(const struct requests *r, int *ok);
void smpl_recs_free(struct smpl_recs *recs, unsigned n); /* NULL is allowed */

/* Have both the same room? */
int smpl_recs_fit(const cpc_buf_t *buf, const struct requests *r);

#endif
