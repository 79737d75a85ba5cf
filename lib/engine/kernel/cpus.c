#include "engine/kernel/cpus.h"

#include <errno.h>
#include <string.h>

/* The list of one PMU at a time: events of a set are mostly of the same. */
struct lists {
	struct kernel_pmus *pmus;
	const char *root;
	uint32_t type; /* 0: none yet */
	int told;
	struct cpulist cpus;
};

static int turn_to(struct lists *l, uint32_t type)
{
	if (type == l->type)
		return 0;
	cpulist_free(&l->cpus);
	l->told = kernel_pmu_cpus(l->pmus, l->root, type, &l->cpus);
	l->type = l->told == -1 ? 0 : type;
	return l->told == -1 ? -1 : 0;
}

static int note_others(struct kernel_cpus *l, const struct cpulist *cpus)
{
	for (unsigned i = 0; i < cpus->n; i++)
		if (cpulist_add(&l->others, cpus->cpu[i]))
			return -1;
	return 0;
}

/* The parts of an evsel of which sysfs says that they are elsewhere, into *lacks. */
static int look_at(struct kernel_cpus *l, struct lists *lists, int cpu,
		   const struct evsel *s, int first, uint32_t *lacks)
{
	*lacks = 0;
	for (unsigned k = 0; k < s->n; k++) {
		const uint32_t type = kernel_pmu_of(&s->ev[k]);

		if (!type)
			continue;
		if (turn_to(lists, type))
			return -1;
		if (!lists->told || cpulist_has(&lists->cpus, cpu))
			continue;
		*lacks |= UINT32_C(1) << k;
		if (first && note_others(l, &lists->cpus))
			return -1;
	}
	return 0;
}

/* A sum wants all of its terms: parts of a kind of core of which one lacks lack all. */
static uint32_t whole_cores(const struct evsel *s, uint32_t lacks)
{
	unsigned cores = 0;

	for (unsigned k = 0; k < s->n; k++)
		cores |= (lacks >> k & 1) << s->ev[k].core;
	for (unsigned k = 0; k < s->n; k++)
		lacks |= (uint32_t)(cores >> s->ev[k].core & 1) << k;
	return lacks;
}

int kernel_cpus_look(struct kernel_cpus *l, struct kernel_pmus *pmus, const char *root,
		     int cpu, const struct evsel *const *sel, unsigned n)
{
	struct lists lists = {.pmus = pmus, .root = root};
	int rc = 0;

	l->there = l->parts = 0;
	l->others = (struct cpulist){0};
	for (unsigned i = 0; i < n && rc == 0; i++) {
		uint32_t lacks;

		rc = look_at(l, &lists, cpu, sel[i], i == 0, &lacks);
		l->part[i] = whole_cores(sel[i], lacks);
		const unsigned parts =
			sel[i]->n - (unsigned)__builtin_popcount(l->part[i]);
		l->there += parts > 0;
		l->parts += parts;
	}
	const int err = errno;
	cpulist_free(&lists.cpus);
	errno = err;
	return rc;
}

void kernel_cpus_free(struct kernel_cpus *l)
{
	const int err = errno;

	cpulist_free(&l->others);
	errno = err;
}
