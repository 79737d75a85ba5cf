#include "suite/cpus/topology.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/file.h"

/*
 * The ids that together identify a core: core_id is unique within a cluster, die or
 * package, depending on the machine. Source: Linux,
 * Documentation/ABI/stable/sysfs-devices-system-cpu
 */
enum { PACKAGE, DIE, CLUSTER, CORE, NIDS };

static const char *const id_file[NIDS] = {
	[PACKAGE] = "physical_package_id",
	[DIE] = "die_id",
	[CLUSTER] = "cluster_id",
	[CORE] = "core_id",
};

enum { MOST_CPUS = 1 << 20 };

struct place {
	int known; /* the other fields are valid */
	int core, socket;
	int id[NIDS]; /* -1: not known */
};

struct topology {
	char *root;
	int ncores; /* cores that have a number */
	int ncpus;
	struct place *cpu; /* ncpus */
};

static int cpu_text(const struct topology *t, int cpu, const char *file, char *buf,
		    size_t size)
{
	const ssize_t n =
		file_read(buf, size, "%s/sys/devices/system/cpu/cpu%d/topology/%s",
			  t->root, cpu, file);

	return n > 0 ? 0 : -1;
}

/* Read an id from a file. Returns 0 and sets *id to -1 if there is no such file. */
static int cpu_id(const struct topology *t, int cpu, const char *file, int *id)
{
	char buf[32];

	*id = -1;
	return cpu_text(t, cpu, file, buf, sizeof buf) == 0 && sscanf(buf, "%d", id) == 1;
}

/*
 * Get the online CPUs of a CPU's core. Returns 1; 0 if sysfs has no list for the CPU; or
 * -1 with ENOMEM.
 */
static int online_siblings(const struct topology *t, int cpu, struct cpulist *l)
{
	char buf[4096];

	*l = (struct cpulist){0};
	if (cpu_text(t, cpu, "thread_siblings_list", buf, sizeof buf) == -1)
		return 0;
	if (cpulist_parse(l, buf) == 0)
		return 1;
	return errno == ENOMEM ? -1 : 0;
}

static int is_listed(const struct topology *t, int cpu)
{
	char buf[2];

	return cpu_text(t, cpu, "thread_siblings_list", buf, sizeof buf) == 0;
}

static const struct place *known_place(const struct topology *t, int cpu)
{
	return cpu < t->ncpus && t->cpu[cpu].known ? &t->cpu[cpu] : NULL;
}

static int same_ids(const struct place *a, const struct place *b)
{
	for (int i = 0; i < NIDS; i++)
		if (a->id[i] != b->id[i])
			return 0;
	return 1;
}

/* Return the core of the first CPU in the list whose core is known, or -1. */
static int core_of_siblings(const struct topology *t, const struct cpulist *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		const struct place *const p = known_place(t, l->cpu[i]);
		if (p)
			return p->core;
	}
	return -1;
}

/*
 * Return the core with the same ids, or -1. Ids are not unique on all machines: if the
 * CPU has a list, another online CPU is on the same core only if it is in that list.
 */
static int core_of_ids(const struct topology *t, const struct place *p, int listed)
{
	for (int cpu = 0; cpu < t->ncpus; cpu++)
		if (t->cpu[cpu].known && same_ids(&t->cpu[cpu], p) &&
		    !(listed && is_listed(t, cpu)))
			return t->cpu[cpu].core;
	return -1;
}

/*
 * Set p->core, to -1 if the core is not known. lscpu(1) uses the lists of siblings only.
 * Offline CPUs are missing from the lists and are found by their ids. Returns -1 with
 * ENOMEM.
 */
static int find_core(struct topology *t, int cpu, struct place *p)
{
	struct cpulist l;
	const int listed = online_siblings(t, cpu, &l);

	p->core = core_of_siblings(t, &l);
	cpulist_free(&l);
	if (listed == -1)
		return -1;
	if (p->core == -1 && p->id[CORE] >= 0)
		p->core = core_of_ids(t, p, listed);
	if (p->core == -1 && (listed || p->id[CORE] >= 0))
		p->core = t->ncores++;
	return 0;
}

/* Make room for a CPU. Returns -1 with ENOMEM. */
static int grow(struct topology *t, int cpu)
{
	if (cpu < t->ncpus)
		return 0;
	struct place *grown = reallocarray(t->cpu, (size_t)cpu + 1, sizeof *grown);
	if (!grown)
		return -1;
	for (; t->ncpus <= cpu; t->ncpus++)
		grown[t->ncpus] = (struct place){0};
	t->cpu = grown;
	return 0;
}

/*
 * Look up the core and socket of a CPU. Returns -1 with ENOMEM. A kernel without packages
 * has the id -1 for all CPUs, which means socket 0, as in lscpu(1).
 */
static int look_up(struct topology *t, int cpu)
{
	struct place p = {.known = 1};
	int has[NIDS];

	if (grow(t, cpu) == -1)
		return -1;
	for (int i = 0; i < NIDS; i++)
		has[i] = cpu_id(t, cpu, id_file[i], &p.id[i]);
	p.socket = has[PACKAGE] && p.id[PACKAGE] < 0 ? 0 : p.id[PACKAGE];
	if (find_core(t, cpu, &p) == -1)
		return -1;
	if (p.core != -1 || p.socket != -1)
		t->cpu[cpu] = p;
	return 0;
}

int topology_place(struct topology *t, int cpu, int *core, int *socket)
{
	*core = *socket = -1;
	if (cpu < 0 || cpu >= MOST_CPUS)
		return 0;
	if (!known_place(t, cpu) && look_up(t, cpu) == -1)
		return -1;
	if (known_place(t, cpu)) {
		*core = t->cpu[cpu].core;
		*socket = t->cpu[cpu].socket;
	}
	return 0;
}

/* Number the CPUs in the order of the list. Returns -1 with ENOMEM. */
static int place_all(struct topology *t, const struct cpulist *l)
{
	int core, socket;

	for (unsigned i = 0; i < l->n; i++)
		if (topology_place(t, l->cpu[i], &core, &socket) == -1)
			return -1;
	return 0;
}

struct topology *topology_new(const char *root)
{
	struct cpulist online = {0};
	struct topology *t = calloc(1, sizeof *t);

	if (!t || !(t->root = strdup(root)) ||
	    (cpulist_read(&online, t->root, "online") == -1 && errno == ENOMEM) ||
	    place_all(t, &online) == -1) {
		cpulist_free(&online);
		topology_free(t);
		errno = ENOMEM;
		return NULL;
	}
	cpulist_free(&online);
	return t;
}

void topology_free(struct topology *t)
{
	if (!t)
		return;
	free(t->root);
	free(t->cpu);
	free(t);
}
