#include "cpc/bind.h"

#include <errno.h>

#include "cpc/buf.h"
#include "cpc/cpu.h"
#include "cpc/lwp.h"
#include "cpc/own.h"
#include "cpc/pctx.h"
#include "cpc/session.h"

int bind_check_plain(cpc_t *cpc, const char *fn, cpc_set_t *set)
{
	for (unsigned i = 0; i < set->reqs->n; i++)
		if (set->reqs->req[i].flags & (CPC_OVF_NOTIFY_EMT | CPC_HW_SMPL)) {
			errno = ENOTSUP;
			cpc_report(
				cpc, fn, CPC_REQ_INVALID_FLAGS,
				"%s: %s: only sets of the calling LWP signal overflow or "
				"take records",
				cpc_subcode_text(CPC_REQ_INVALID_FLAGS),
				set->reqs->req[i].name);
			return -1;
		}
	return 0;
}

void bind_undo(cpc_set_t *set)
{
	if (set->to == BOUND_LWP)
		lwp_unbind(set);
	else if (set->to == BOUND_CPU)
		cpu_unbind(set);
	set->cpc->scope.ops->unbind(set->group);
	set->group = NULL;
	__atomic_store_n(&set->to, UNBOUND, __ATOMIC_RELAXED);
}

/* The one more is that of a CPU that is taken (libcpc_strict.h). */
uint_t cpc_set_descriptors(cpc_t *cpc, const cpc_set_t *set)
{
	if (!cpc || !set || set->cpc != cpc) {
		errno = EINVAL;
		return 0;
	}
	const struct engine_ops *ops = cpc->scope.ops;
	const struct requests *r = set->reqs;

	return (ops->descriptors ? ops->descriptors(r->sel, r->ncounted) : 0) +
	       (cpc->strict.on != 0);
}

int cpc_unbind(cpc_t *cpc, cpc_set_t *set)
{
	int rc = -1;

	if (!cpc || !set || set->cpc != cpc) {
		errno = EINVAL;
		return -1;
	}
	cpc_lock(cpc);
	if (set->to == UNBOUND) {
		errno = EINVAL;
	} else {
		if (!lwp_unbind_heir(set))
			bind_undo(set);
		rc = 0;
	}
	cpc_unlock(cpc);
	return rc;
}

int cpc_set_sample(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *buf)
{
	if (!cpc || !set || !buf || set->cpc != cpc || buf->cpc != cpc ||
	    !buf_fits(buf, set->reqs)) {
		errno = EINVAL;
		return -1;
	}
	/* Another LWP may unbind a set that this one has inherited. */
	const enum bound_to to = __atomic_load_n(&set->to, __ATOMIC_RELAXED);
	if (to == UNBOUND) {
		errno = EINVAL;
		return -1;
	}
	buf_take(buf, set->reqs);
	if (to == BOUND_LWP)
		return context_sample(set, buf);
	if ((to == BOUND_CPU ? cpu_sample(set, buf) : pctx_sample(set, buf)) == -1)
		return -1;
	for (unsigned i = 0; i < buf->n; i++)
		buf->preset[i] = set->reqs->req[i].preset;
	return 0;
}
