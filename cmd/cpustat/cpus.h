/* The CPUs that are counted, each with its sets, one of which is bound at a time. */
#ifndef CPUSTAT_CPUS_H
#define CPUSTAT_CPUS_H

#include <libcpc.h>
#include "failures.h"
#include "suite/cpus/interval.h"
#include "suite/cpus/topology.h"
#include "suite/request/sets.h"

/* A set on a CPU. What was refused there, or is absent, is not tried again. */
struct bound_set {
	enum { FREE, BOUND, REFUSED, ABSENT } state;
	cpc_set_t *set;	       /* NULL: it was never bound there */
	cpc_buf_t *now, *last; /* samples */
};

struct counted_cpu {
	int id, core, socket;
	struct bound_set *of; /* each set */
	cpc_value_t *value;   /* of the last sample */
};

struct cpus {
	cpc_t *cpc;
	const struct sets *sets;
	struct topology *topology;
	int tick; /* is it wanted? */
	unsigned n;
	struct counted_cpu *cpu;   /* by ascending id */
	struct cpu_sample *sample; /* room for n */
	cpc_buf_t **delta;	   /* of each set */
	struct failures failures, absent;
	int failed; /* something that was to be counted was not */
};

/* Who wants to know that a CPU is there now, or not any more. */
struct watcher {
	void *arg;
	void (*changed)(void *arg, int cpu, int here);
};

/*
 * Those that are there now, unbound; of the caller's cpuset. -1: ENOMEM. cpus_close() in
 * either case.
 */
int cpus_open(struct cpus *c, cpc_t *cpc, const struct sets *sets, int tick);
void cpus_close(struct cpus *c);

/*
 * Bind a set on each CPU; what fails is told once. Returns on how many it is bound; 0:
 * errno is as cpc_bind_cpu() gave it for the first.
 */
unsigned cpus_bind(struct cpus *c, unsigned set);

void cpus_unbind(struct cpus *c, unsigned set);

/*
 * A sample of a set on each CPU where it is bound, since the last one; ns from start on.
 * next: the set that is bound there instead (may be the same), or -1: none. i->number is the
 * caller's.
 */
void cpus_take(struct cpus *c, unsigned set, int next, int64_t start,
	       struct cpu_interval *i);

/*
 * Look which CPUs there are now: those that are gone are told and forgotten, new ones are
 * told and counted from now on, with this set (-1: with none). -1: ENOMEM.
 */
int cpus_follow(struct cpus *c, int set, const struct watcher *w);

#endif
