/*
 * Which core and socket a CPU belongs to, from sysfs. Sockets have the kernel's numbers (0
 * where it has none for any CPU); cores, whose numbers in the kernel are unique within a
 * socket or less, are numbered from 0 over the whole machine, in the order of their first
 * CPUs, as by lscpu(1).
 */
#ifndef SUITE_CPUS_TOPOLOGY_H
#define SUITE_CPUS_TOPOLOGY_H

struct topology;

/*
 * The CPUs that are online get their numbers now. root: "", or a folder that holds another
 * sys. NULL: ENOMEM.
 */
struct topology *topology_new(const char *root);

/* NULL is allowed. */
void topology_free(struct topology *t);

/*
 * -1 where it is not known, as for a CPU that has never been online. A CPU keeps its
 * numbers as long as t lives, also when it goes offline and comes back; one that comes
 * online for the first time is looked up then, and gets its siblings' core, or a new one.
 */
void topology_place(struct topology *t, int cpu, int *core, int *socket);

#endif
