/*
 * Which core and socket a CPU belongs to, from sysfs. Sockets have the kernel's numbers;
 * cores, whose numbers in the kernel are unique within a socket alone, are numbered over
 * the whole machine, as lscpu(1) does.
 */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

struct topology;

/* root: "", or a folder that holds another sys. NULL: ENOMEM. */
struct topology *topology_new(const char *root);

/* NULL is allowed. */
void topology_free(struct topology *t);

/*
 * -1 where it is not known, as for a CPU that has never been online. A CPU keeps its
 * numbers as long as t lives, also when it goes offline and comes back.
 */
void topology_place(struct topology *t, int cpu, int *core, int *socket);

#endif
