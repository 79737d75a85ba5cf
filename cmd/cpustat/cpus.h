/*
 * The CPUs that are counted, or the cgroups on each CPU. One set is bound on each of
 * these at a time.
 */
#ifndef CPUSTAT_CPUS_H
#define CPUSTAT_CPUS_H

#include <libcpc.h>
#include "base/cpulist.h"
#include "cgroups.h"
#include "failures.h"
#include "cpc/remote.h"
#include "suite/cpus/interval.h"
#include "suite/cpus/topology.h"
#include "suite/request/sets.h"

/* A set that is REFUSED or ABSENT on a CPU is not bound there again. */
enum set_state { USABLE, REFUSED, ABSENT };

struct counted_cpu {
	struct cgroup *cgroup; /* NULL: whatever runs on the CPU */
	const char *path;      /* of the cgroup, or NULL */
	int id, core, socket;
	int bound;	       /* the set that counts; -1: none */
	enum set_state *state; /* [sets->n] */
};

struct cpus {
	cpc_t *cpc;
	const struct sets *sets;
	struct topology *topology;
	struct cgroups *cgroups; /* NULL: whole CPUs are counted */
	struct cpulist online;	 /* the CPUs that are counted */
	int online_file;	 /* the kernel's list of them, if cgroups are; or -1 */
	int tick;		 /* samples include the time-stamp counter */
	unsigned width;		 /* the most requests of a set */
	unsigned n;
	struct counted_cpu *cpu;    /* by ascending path and id */
	struct cpc_remotes *counts; /* what each of them counts [n] */
	/* the samples of an interval [n], and their values [n * width] */
	struct cpu_sample *sample;
	cpc_value_t *value;
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
 * none. Returns the number of CPUs on which the set is bound. Sets errno to that of the
 * first bind that failed, or to 0 if none failed.
 */
unsigned cpus_bind(struct cpus *c, unsigned set);

void cpus_unbind(struct cpus *c, unsigned set);

/*
 * Sample a set on each CPU where it is bound, and fill *i with what was counted since the
 * previous sample; times are ns since start. The samples of a cgroup, which take about a
 * microsecond each, have the time of the first, as have up to CPC_REMOTES_TOGETHER
 * samples of several cgroups if the set stays bound. Bind the set next in its place,
 * which may be the same, or none if next is -1. The caller sets i->number.
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
