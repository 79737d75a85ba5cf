/* Lists of CPUs, ascending, as the kernel writes them: "0-3,7". */
#ifndef BASE_CPULIST_H
#define BASE_CPULIST_H

/* Begins as zeros. */
struct cpulist {
	unsigned n;
	int *cpu;
};

/*
 * Each makes a list of its own, for cpulist_free(). -1: ENOMEM; EINVAL, not a list
 * (blanks and a newline at its end are allowed, as is no CPU at all).
 */
int cpulist_parse(struct cpulist *l, const char *text);

/* The CPUs that the calling LWP may run on now: those of its cpuset that are online. */
int cpulist_allowed(struct cpulist *l);

/* Put a CPU in, unless it is there. -1: ENOMEM. */
int cpulist_add(struct cpulist *l, int cpu);

int cpulist_has(const struct cpulist *l, int cpu);

/* "0-3,7", for the caller to free. NULL: ENOMEM. */
char *cpulist_text(const struct cpulist *l);

void cpulist_free(struct cpulist *l);

#endif
