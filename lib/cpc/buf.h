/* Bufs, which hold samples of sets. */
#ifndef CPC_BUF_H
#define CPC_BUF_H

#include <errno.h>

#include "cpc/cpc.h"

/*
 * Check a buf that the program passes. Returns 1, or 0 with EINVAL if it is NULL, not a
 * buf of this session, or destroyed. A destroyed buf can still be read (base/pool.h).
 */
static inline int buf_is_of(const cpc_t *cpc, const cpc_buf_t *buf)
{
	if (cpc && buf && buf->cpc == cpc)
		return 1;
	errno = EINVAL;
	return 0;
}

/* Returns 1 if buf has room for the values and records of these requests. */
int buf_fits(const cpc_buf_t *buf, const struct requests *r);

/* Make buf a buf of these requests, for which it must have room. */
void buf_take(cpc_buf_t *buf, struct requests *r);

/*
 * Set the presets of a sample of these requests to those that the requests were added
 * with.
 */
void buf_set_presets(cpc_buf_t *buf, const struct requests *r);

#endif
