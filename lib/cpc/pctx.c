#include "cpc/pctx.h"

#include <errno.h>

#include <libpctx.h>
#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/session.h"
#include "cpc/strict.h"

/* A set of a controlled LWP. */
int pctx_sample(const cpc_set_t *set, cpc_buf_t *buf)
{
	if (strict_lwp_valid(set->cpc, set->generation) == -1)
		return -1;
	return set->cpc->scope.ops->read(set->group, buf->val, &buf->hrtime, &buf->on);
}

static int bind_target(cpc_t *cpc, const char *fn, cpc_set_t *set,
		       const struct target *target)
{
	const struct requests *r = set->reqs;
	struct why why;

	if (assign_counters(cpc, fn, set) == -1 || bind_check_plain(cpc, fn, set) == -1)
		return -1;
	bind_undo(set);
	if (strict_lwp_bind(cpc, fn, &set->generation) == -1)
		return -1;
	set->group = cpc->scope.ops->bind(cpc->scope.engine, target, r->sel, r->ncounted,
					  &why);
	if (set->group) {
		set->to = BOUND_PCTX;
		return 0;
	}
	if (errno != ESRCH)
		cpc_report(cpc, fn, CPC_REFUSED, "%s", why.text);
	return -1;
}

int cpc_bind_pctx(cpc_t *cpc, pctx_t *pctx, id_t lwpid, cpc_set_t *set, uint_t flags)
{
	if (!cpc || !pctx || !set || set->cpc != cpc ||
	    (flags & ~(uint_t)CPC_BIND_TREE)) {
		errno = EINVAL;
		return -1;
	}
	const struct target target = {
		.tid = pctx_tid(pctx, lwpid),
		.tree = (flags & CPC_BIND_TREE) != 0,
	};
	if (target.tid == -1)
		return -1;
	cpc_lock(cpc);
	const int rc = bind_target(cpc, "cpc_bind_pctx", set, &target);
	cpc_unlock(cpc);
	return rc;
}

int cpc_bind_child(cpc_t *cpc, pid_t pid, cpc_set_t *set, uint_t flags)
{
	const struct target target = {
		.tid = pid,
		.tree = (flags & CPC_BIND_TREE) != 0,
		.on_exec = (flags & CPC_BIND_EXEC) != 0,
	};

	if (!cpc || pid <= 0 || !set || set->cpc != cpc ||
	    flags & ~(uint_t)(CPC_BIND_TREE | CPC_BIND_EXEC)) {
		errno = EINVAL;
		return -1;
	}
	cpc_lock(cpc);
	const int rc = bind_target(cpc, "cpc_bind_child", set, &target);
	cpc_unlock(cpc);
	return rc;
}
