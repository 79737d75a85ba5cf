/*
 * The core and socket of each CPU, from sysfs. Sockets have the kernel's numbers, or 0 if
 * the kernel has none for any CPU. The kernel's numbers of cores are unique only within a
 * socket; here cores are numbered from 0 over the whole machine, in the order of their
 * first CPUs, as by lscpu(1).
 */
#ifndef SUITE_CPUS_TOPOLOGY_H
#define SUITE_CPUS_TOPOLOGY_H

struct topology;

/*
 * Look up all CPUs that are online. root is "" or a folder with another sys. The caller
 * frees the result with topology_free(). Returns NULL with ENOMEM.
 */
struct topology *topology_new(const char *root);

/* Free t, or do nothing for NULL. */
void topology_free(struct topology *t);

/*
 * Set *core and *socket of a CPU, to -1 if not known, as for a CPU that was never online.
 * A CPU keeps its numbers while it is offline. This call looks
 * up a CPU that has come online for the first time, which gets the core of its siblings
 * or a new core. Returns -1 with ENOMEM.
 */
int topology_place(struct topology *t, int cpu, int *core, int *socket);

#endif
