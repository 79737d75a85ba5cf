/* Hardware sampling (CPC_HW_SMPL): records of events, beside the counters of a set. */
#ifndef CPC_SAMPLING_H
#define CPC_SAMPLING_H

#include "cpc/cpc.h"

/* The attributes that only requests with CPC_HW_SMPL have. */
struct smpl_params {
	unsigned nrecs, latency; /* 0: the attribute was not given */
};

/* The records of one request in a buf. */
struct smpl_recs {
	unsigned n, max;
	uint64_t lost;
	uint64_t *rec; /* max * ENGINE_NITEMS words */
};

/* The sources of records of one binding; NULL if no request takes records. */
struct smpl;

/* Call action with the name of each attribute that only CPC_HW_SMPL requests have. */
void smpl_walk_attrs(void *arg, void (*action)(void *arg, const char *attr));

/* Returns 1 if only CPC_HW_SMPL requests have this attribute. */
int smpl_is_attr(const char *name);

/* Read such an attribute. Returns 0, or the subcode of the error. */
int smpl_take_attr(struct smpl_params *params, const cpc_attr_t *attr);

/*
 * Check a picnum; the sampling counters are all alike. Returns -1 with EINVAL and reports
 * it.
 */
int smpl_check_picnum(cpc_t *cpc, uint64_t pic);

/*
 * Fill q->sel, nrecs and items. Returns -1 with EINVAL or errno of the engine, and
 * reports it.
 */
int smpl_encode(cpc_t *cpc, const char *fn, struct request *q,
		const struct engine_request *req, const struct smpl_params *params);

/* Returns 1 if an event of the engine gives records on this machine. Reports nothing. */
int smpl_can(cpc_t *cpc, const struct engine_request *req);

/*
 * Take records on the calling LWP for the requests with CPC_HW_SMPL. After each
 * smpl_nrecs records of a request with CPC_OVF_NOTIFY_EMT the LWP gets signo, with an
 * si_fd for smpl_owns(). Returns -1 with errno and *why.
 */
int smpl_bind(cpc_t *cpc, const struct requests *r, int signo, struct smpl **s,
	      struct why *why);
void smpl_unbind(struct smpl *s);

/* The following calls are async-signal-safe, and s may be NULL. */

/*
 * Returns 1 if the LWP must be notified of a signal with this si_fd; 0 also for signals
 * that the kernel sends in excess.
 */
int smpl_owns(const struct smpl *s, int fd);
int smpl_freeze(struct smpl *s);
int smpl_thaw(struct smpl *s);

/* Go on sampling with these presets, by index of request. */
int smpl_restart(struct smpl *s, const uint64_t *preset);

/*
 * Move records into a buf of the set, at most smpl_nrecs for each request. In a set that
 * counts nothing, also fill the time of the buf and its time on a processor.
 */
int smpl_drain(struct smpl *s, cpc_buf_t *buf);

/*
 * Allocate room for the records of r. Returns NULL if r takes none (*ok is 1) or if there
 * is no memory (*ok is 0).
 */
struct smpl_recs *smpl_recs_new(const struct requests *r, int *ok);
void smpl_recs_free(struct smpl_recs *recs, unsigned n); /* NULL is allowed */

/* Returns 1 if buf has room for as many records as the requests take. */
int smpl_recs_fit(const cpc_buf_t *buf, const struct requests *r);

#endif
