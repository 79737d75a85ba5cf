/* Ascending lists of CPUs, and their text in the form of the kernel: "0-3,7". */
#ifndef BASE_CPULIST_H
#define BASE_CPULIST_H

/* Starts as zeros. The list owns cpu; free it with cpulist_free(). */
struct cpulist {
	unsigned n;
	int *cpu;
};

/*
 * Make *l the list that text describes; blanks and a newline around the list are allowed,
 * and so is an empty list. Returns 0; or -1 with EINVAL if text is not a list, or ENOMEM.
 */
int cpulist_parse(struct cpulist *l, const char *text);

/*
 * Make *l the list of the kernel with this name: "online", "present" (online or offline)
 * or "possible" (present, or to be plugged in). root is the folder that holds sys, ""
 * for the root folder. Returns 0; or -1 with errno of open(2) or read(2), EINVAL if the
 * file is not a list, or ENOMEM.
 */
int cpulist_read(struct cpulist *l, const char *root, const char *name);

/*
 * Make *l the list of the CPUs that the calling LWP may run on now: the CPUs of its
 * affinity mask that are online. Returns 0; or -1 with errno of sched_getaffinity(2), or
 * ENOMEM.
 */
int cpulist_allowed(struct cpulist *l);

/*
 * Add a CPU unless the list has it already. Returns 0, or -1 with ENOMEM. To add CPUs in
 * ascending order is fast; others make room in the middle of the list.
 */
int cpulist_add(struct cpulist *l, int cpu);

int cpulist_has(const struct cpulist *l, int cpu);

/* Return the text of a list, "0-3,7", which the caller frees; or NULL with ENOMEM. */
char *cpulist_text(const struct cpulist *l);

void cpulist_free(struct cpulist *l);

#endif
