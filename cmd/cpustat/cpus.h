/*
 * The CPUs that are counted, or the cgroups on each CPU. Each of these has a copy of
 * every set, and one of the copies is bound at a time.
 */
#ifndef CPUSTAT_CPUS_H
#define CPUSTAT_CPUS_H

#include <libcpc.h>
#include "base/cpulist.h"
#include "cgroups.h"
#include "failures.h"
#include "suite/cpus/interval.h"
#include "suite/cpus/topology.h"
#include "suite/request/sets.h"

/* A set on a CPU. A set that is REFUSED or ABSENT there is not bound again. */
struct bound_set {
	enum { FREE, BOUND, REFUSED, ABSENT } state;
	cpc_set_t *set;	       /* NULL before the first bind */
	cpc_buf_t *now, *last; /* the present and the previous sample */
};

struct counted_cpu {
	struct cgroup *cgroup; /* NULL: whatever runs on the CPU */
	int id, core, socket;
	struct bound_set *bound; /* [sets->n] */
	cpc_value_t *value;	 /* of the last sample, for the requests of its set */
};

struct cpus {
	cpc_t *cpc;
	const struct sets *sets;
	struct topology *topology;
	struct cgroups *cgroups; /* NULL: whole CPUs are counted */
	struct cpulist online;	 /* the CPUs that are counted */
	int tick;		 /* samples include the time-stamp counter */
	unsigned n;
	struct counted_cpu *cpu;   /* by ascending path and id */
	struct cpu_sample *sample; /* [n], reused for each interval */
	cpc_buf_t **delta;	   /* [sets->n], reused for each sample */
	struct failures failures, absent;
	int failed; /* some set could not be counted on some CPU */
};

/*
 * Take all CPUs that are online and in the caller's cpuset; or, if cgroups is not NULL,
 * these cgroups on all CPUs that are online. Nothing is bound yet. Returns -1 with
 * ENOMEM; call cpus_close() also then.
 */
int cpus_open(struct cpus *c, cpc_t *cpc, const struct sets *sets, int tick,
	      struct cgroups *cgroups);
void cpus_close(struct cpus *c);

/*
 * Bind a set on each CPU, and print the failures. A cgroup is bound on all CPUs or on
 * none. Returns on how many CPUs the set is
 * bound; errno is that of the first cpc_bind_cpu(3) that failed, or 0.
 */
unsigned cpus_bind(struct cpus *c, unsigned set);

void cpus_unbind(struct cpus *c, unsigned set);

/*
 * Sample a set on each CPU where it is bound, and fill *i with what was counted since the
 * previous sample; times are ns since start. Bind the set next in its place, which may be
 * the same, or none if next is -1. The caller sets i->number.
 */
void cpus_sample(struct cpus *c, unsigned set, int next, int64_t start,
		 struct cpu_interval *i);

/*
 * Fill *i with the values of a set on each CPU where it is bound, since it was bound. The
 * next sample has them too.
 */
void cpus_peek(struct cpus *c, unsigned set, struct cpu_interval *i);

/*
 * Make *l the list of the CPUs to count: those that are online, and in our cpuset if
 * whole CPUs are counted. Returns -1 with ENOMEM or errno of sched_getaffinity(2).
 */
int cpus_list(const struct cpus *c, struct cpulist *l);

/*
 * Count a cgroup, or whatever runs if cgroup is NULL, on a CPU. Returns -1 with ENOMEM.
 */
int cpus_add(struct cpus *c, struct cgroup *cgroup, int id);

/* The same on all CPUs of c->online. */
int cpus_add_all(struct cpus *c, struct cgroup *cgroup);

/* Stop counting what c->cpu[at] counts. */
void cpus_drop(struct cpus *c, unsigned at);

#endif
