#include "cpc/bind.h"

#include <errno.h>

#include "cpc/buf.h"
#include "cpc/session.h"
#include "cpc/set.h"

/* Refuse requests that need a signal or records, because of who cannot have them. */
static int refuse_signals(cpc_t *cpc, const char *fn, const struct requests *r,
			  const char *because)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->req[i].flags & (CPC_OVF_NOTIFY_EMT | CPC_HW_SMPL)) {
			errno = ENOTSUP;
			cpc_report(cpc, fn, CPC_REQ_INVALID_FLAGS, "%s: %s: %s",
				   cpc_subcode_text(CPC_REQ_INVALID_FLAGS),
				   r->req[i].name, because);
			return -1;
		}
	return 0;
}

int bind_check_plain(cpc_t *cpc, const char *fn, cpc_set_t *set)
{
	return refuse_signals(cpc, fn, set->reqs,
			      "only sets of the calling LWP alone signal overflow or "
			      "take records");
}

int bind_check_turns(cpc_t *cpc, const char *fn, const struct requests *r)
{
	return refuse_signals(cpc, fn, r,
			      "a set with CPC_SET_MULTIPLEX does not signal overflow or "
			      "take records, since its requests take turns");
}

/* With CPC_STRICT=1 a bind also opens the file of strict.c. */
uint_t cpc_set_descriptors(cpc_t *cpc, const cpc_set_t *set)
{
	if (!set_is_of(cpc, set))
		return 0;
	const struct engine_ops *ops = cpc->scope.ops;
	const struct requests *r = set->reqs;

	return (ops->descriptors ? ops->descriptors(r->sel, r->ncounted) : 0) +
	       (cpc->strict.on != 0);
}

int cpc_unbind(cpc_t *cpc, cpc_set_t *set)
{
	if (!set_is_of(cpc, set))
		return -1;
	cpc_lock(cpc);
	const int rc = set->bound ? 0 : -1;
	if (rc == -1)
		errno = EINVAL;
	else if (!set->bound->unbind_caller || !set->bound->unbind_caller(set))
		set_unbind(set);
	cpc_unlock(cpc);
	return rc;
}

int cpc_set_sample(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *buf)
{
	if (!set_is_of(cpc, set) || !buf_is_of(cpc, buf))
		return -1;
	if (!buf_fits(buf, set->reqs)) {
		errno = EINVAL;
		return -1;
	}
	/*
	 * The set is read without the lock: another LWP may unbind a set that this LWP
	 * has inherited.
	 */
	const struct binding_ops *bound = __atomic_load_n(&set->bound, __ATOMIC_RELAXED);
	if (!bound) {
		errno = EINVAL;
		return -1;
	}
	buf_take(buf, set->reqs);
	return bound->sample(set, buf);
}
