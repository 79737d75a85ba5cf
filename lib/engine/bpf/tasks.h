/*
 * Counts of each LWP of a tree of processes by programs in the kernel, from events that
 * count whole CPUs. The caller opens the events and says what the counts mean.
 */
#ifndef ENGINE_BPF_TASKS_H
#define ENGINE_BPF_TASKS_H

#include <stdint.h>
#include <sys/types.h>

#include "engine/bpf/life.h"
#include "engine/engine.h"

struct bpf_tasks;

/* The events, and the LWPs to count. */
struct bpf_tasks_how {
	unsigned nparts; /* events: 1 to BPF_MOST_PARTS */
	unsigned ncpus;	 /* the highest number of a CPU, plus 1 */
	/*
	 * [nparts][ncpus]: descriptors; -1: the CPU, which is online, cannot count the
	 * event; -2: the CPU is offline. What an LWP does on a CPU that comes online
	 * later makes its counts incomplete (missing of struct bpf_life).
	 */
	const int *fd;
	uint32_t switches; /* bit i: event i is the switches of contexts */
	/* What children of this process start is counted from the child's exec on. */
	pid_t holder;
	int follow_fork; /* count child processes, too */
	int follow_exec; /* count the programs that processes execute later, too */
};

/*
 * Load the programs and let them run. The caller may close the descriptors afterwards.
 * Returns NULL with errno and *why: ENOTSUP if this kernel cannot do it, EPERM without
 * CAP_PERFMON.
 */
struct bpf_tasks *bpf_tasks_open(const struct bpf_tasks_how *how, struct why *why);
void bpf_tasks_close(struct bpf_tasks *t); /* NULL is allowed; keeps errno */

/*
 * Call fn for what has happened, in its order. all: also what happened after something
 * that the kernel has not reported yet, and never will if all LWPs have ended.
 */
void bpf_tasks_read(struct bpf_tasks *t, int all, void *arg,
		    void (*fn)(void *arg, const struct bpf_life *life));

/* Returns the arguments in a record that bpf_tasks_read() reports, or NULL. */
const struct bpf_args *bpf_tasks_args(const struct bpf_tasks *t,
				      const struct bpf_life *life);

/*
 * Call fn for each LWP whose birth or exec bpf_tasks_read() has reported, and which has
 * not ended, with its counts up to now; in the order of ids. Returns -1 with
 * errno.
 */
int bpf_tasks_living(struct bpf_tasks *t, void *arg,
		     void (*fn)(void *arg, const struct bpf_life *life));

/*
 * Read the sums over all LWPs, val[nparts]; bit i of *missing: event i could not be read
 * at some time. Returns -1 with errno.
 */
int bpf_tasks_total(struct bpf_tasks *t, struct bpf_value *val, uint32_t *missing);

/*
 * Has the kernel not reported some switch to a counted LWP? The LWP then has no counts.
 * bpf_tasks_read() finds this out.
 */
int bpf_tasks_unseen(const struct bpf_tasks *t);

/*
 * Had the programs no memory for some LWP? It has no record, and its counts are not in
 * the sums. bpf_tasks_read() finds this out.
 */
int bpf_tasks_uncounted(const struct bpf_tasks *t);

/* Returns how many records were lost and how many LWPs were not counted. */
uint64_t bpf_tasks_lost(const struct bpf_tasks *t);

#endif
