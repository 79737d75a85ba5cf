#include "cpc/on_cpu.h"

#include <errno.h>

#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/strict.h"

/*
 * Translate errno of the engine to those of cpc_bind_cpu(3CPC). ENODEV is about the CPU:
 * perf_event_open(2) returns ENOENT for a missing PMU.
 */
static int as_libcpc(int err)
{
	return err == ENODEV ? ENOSYS : err == EPERM ? EACCES : err;
}

/* The engine is asked first: it knows best why a CPU cannot be counted. */
int on_cpu_bind(cpc_t *cpc, const char *fn, const struct on_cpu_place *place,
		const struct requests *r, struct on_cpu *on)
{
	const struct target target = {.tid = -1,
				      .cpu = place->cpu,
				      .cgroup = place->cgroup,
				      .turn = requests_turns(r)};
	struct why why;

	if (!place->cgroup &&
	    strict_cpu_take(&cpc->strict, place->cpu, &on->token, &why) == -1) {
		cpc_report(cpc, fn, CPC_REFUSED, "%s", why.text);
		return -1;
	}
	on->group = cpc->scope.ops->bind(cpc->scope.engine, &target, r->sel, r->ncounted,
					 &why);
	if (on->group)
		return 0;
	errno = as_libcpc(errno);
	cpc_report(cpc, fn, CPC_REFUSED, "%s", why.text);
	return -1;
}

int on_cpu_bound(const struct on_cpu *on)
{
	return strict_cpu_bound(on->token);
}

void on_cpu_unbind(cpc_t *cpc, struct on_cpu *on)
{
	strict_cpu_give(on->token);
	cpc->scope.ops->unbind(on->group);
	*on = (struct on_cpu){.token = STRICT_OFF};
}
