/* Binds of sets to LWPs of other processes. */
#include <errno.h>
#include <stdlib.h>

#include <libcpc.h>
#include <libpctx.h>
#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/buf.h"
#include "cpc/session.h"
#include "cpc/set.h"

/* The binding of a set to an LWP of another process. */
struct pctx_binding {
	struct binding binding; /* first */
	struct group *group;
	uint64_t generation; /* for strict_lwp_valid() */
};

static int sample(cpc_set_t *set, cpc_buf_t *buf)
{
	const struct pctx_binding *b = (struct pctx_binding *)set->bindings.next;
	const cpc_t *cpc = set->cpc;

	if (strict_lwp_valid(&cpc->strict, b->generation) == -1 ||
	    cpc->scope.ops->read(b->group, buf->val, &buf->hrtime, &buf->on) == -1)
		return -1;
	buf_set_presets(buf, set->reqs);
	return 0;
}

static void unbind(struct binding *binding)
{
	struct pctx_binding *b = (struct pctx_binding *)binding;

	binding_drop(binding);
	binding->set->cpc->scope.ops->unbind(b->group);
	free(b);
}

static const struct binding_ops to_pctx = {.sample = sample, .unbind = unbind};

/* The LWP may have ended (ESRCH), which is no reason for a message. */
static int open_group(cpc_t *cpc, const char *fn, const struct requests *r,
		      const struct target *target, struct pctx_binding *b)
{
	struct why why;

	if (strict_lwp_bind(&cpc->strict, &b->generation, &why) == 0)
		b->group = cpc->scope.ops->bind(cpc->scope.engine, target, r->sel,
						r->ncounted, &why);
	if (b->group)
		return 0;
	if (errno != ESRCH)
		cpc_report(cpc, fn, CPC_REFUSED, "%s", why.text);
	return -1;
}

static int bind_target(cpc_t *cpc, const char *fn, cpc_set_t *set,
		       const struct target *target)
{
	if (assign_counters(cpc, fn, set) == -1 || bind_check_plain(cpc, fn, set) == -1)
		return -1;
	set_unbind(set);
	struct pctx_binding *b = calloc(1, sizeof *b);
	if (!b)
		return -1;
	if (open_group(cpc, fn, set->reqs, target, b) == -1) {
		const int e = errno;

		free(b);
		errno = e;
		return -1;
	}
	binding_add(&b->binding, set, &to_pctx);
	return 0;
}

int cpc_bind_pctx(cpc_t *cpc, pctx_t *pctx, id_t lwpid, cpc_set_t *set, uint_t flags)
{
	if (!set_is_of(cpc, set) || !pctx || (flags & ~(uint_t)CPC_BIND_TREE)) {
		errno = EINVAL;
		return -1;
	}
	const struct target target = {
		.tid = pctx_tid(pctx, lwpid),
		.pid = pctx_pid(pctx),
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
		.pid = pid,
		.tree = (flags & CPC_BIND_TREE) != 0,
		.on_exec = (flags & CPC_BIND_EXEC) != 0,
	};

	if (!set_is_of(cpc, set) || pid <= 0 ||
	    flags & ~(uint_t)(CPC_BIND_TREE | CPC_BIND_EXEC)) {
		errno = EINVAL;
		return -1;
	}
	cpc_lock(cpc);
	const int rc = bind_target(cpc, "cpc_bind_child", set, &target);
	cpc_unlock(cpc);
	return rc;
}
