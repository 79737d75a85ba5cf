/* Groups of the engine that count a CPU, or a cgroup on a CPU. */
#ifndef CPC_ON_CPU_H
#define CPC_ON_CPU_H

#include <errno.h>

#include "cpc/cpc.h"

/* A place to count. Many sets can count cgroups on a CPU, also with CPC_STRICT=1. */
struct on_cpu_place {
	int cpu;
	const struct engine_cgroup *cgroup; /* NULL: whatever runs there */
};

/* A group, and the hold on the CPU with CPC_STRICT=1. */
struct on_cpu {
	struct group *group; /* NULL: not bound */
	int token;	     /* from strict_cpu_take(); STRICT_OFF: none */
};

/*
 * Bind the requests of a set, to which counters are assigned, to a place. Returns -1 with
 * an errno of cpc_bind_cpu(3) after a message in the name of fn; then *on needs
 * on_cpu_unbind(), too. The caller has made *on empty, and has locked the session.
 */
int on_cpu_bind(cpc_t *cpc, const char *fn, const struct on_cpu_place *place,
		const struct requests *r, struct on_cpu *on);

/* End other binds that exclude this one. Returns -1 with errno of write(2). */
int on_cpu_bound(const struct on_cpu *on);

/* Translate an errno of a read by the engine: its ENODEV is about the CPU. */
static inline int on_cpu_errno(int err)
{
	return err == ENODEV ? EAGAIN : err;
}

/*
 * Read the values, as read() of struct engine_ops; EAGAIN: the CPU went offline, and the
 * requests must be bound again.
 */
static inline int on_cpu_read(const cpc_t *cpc, const struct on_cpu *on,
			      struct count *val, int64_t *ns, uint64_t *ns_on)
{
	if (cpc->scope.ops->read(on->group, val, ns, ns_on) == 0)
		return 0;
	errno = on_cpu_errno(errno);
	return -1;
}

/* Unbind, and make *on empty. The session is locked. */
void on_cpu_unbind(cpc_t *cpc, struct on_cpu *on);

#endif
