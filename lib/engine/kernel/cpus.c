#include "engine/kernel/cpus.h"

#include <errno.h>

/* The CPUs of the PMU that was read last: most events of a set have the same PMU. */
struct pmu_cpus {
	struct kernel_pmus *pmus;
	const char *root;
	uint32_t type; /* 0: none was read */
	int listed;    /* sysfs lists the CPUs of this PMU */
	struct cpulist cpus;
};

static int read_list(struct pmu_cpus *p, uint32_t type)
{
	if (type == p->type)
		return 0;
	cpulist_free(&p->cpus);
	p->listed = kernel_pmu_cpus(p->pmus, p->root, type, &p->cpus);
	p->type = p->listed == -1 ? 0 : type;
	return p->listed == -1 ? -1 : 0;
}

static int add_others(struct kernel_cpus *l, const struct cpulist *cpus)
{
	for (unsigned i = 0; i < cpus->n; i++)
		if (cpulist_add(&l->others, cpus->cpu[i]))
			return -1;
	return 0;
}

/* Find the parts of s that other CPUs count; note these CPUs if s is the first evsel. */
static int find_lacking(struct kernel_cpus *l, struct pmu_cpus *pmu, int cpu,
			const struct evsel *s, int first, uint32_t *lacks)
{
	*lacks = 0;
	for (unsigned k = 0; k < s->n; k++) {
		const uint32_t type = kernel_pmu_of(&s->ev[k]);

		if (!type)
			continue;
		if (read_list(pmu, type))
			return -1;
		if (!pmu->listed || cpulist_has(&pmu->cpus, cpu))
			continue;
		*lacks |= UINT32_C(1) << k;
		if (first && add_others(l, &pmu->cpus))
			return -1;
	}
	return 0;
}

/*
 * A sum needs all its terms: if a part is lacking, so are all parts of its kind of core.
 */
static uint32_t whole_sums(const struct evsel *s, uint32_t lacks)
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
	struct pmu_cpus pmu = {.pmus = pmus, .root = root};
	int rc = 0;

	l->present = l->parts = 0;
	l->others = (struct cpulist){0};
	for (unsigned i = 0; i < n && rc == 0; i++) {
		uint32_t lacks;

		rc = find_lacking(l, &pmu, cpu, sel[i], i == 0, &lacks);
		l->lacks[i] = whole_sums(sel[i], lacks);
		const unsigned parts =
			sel[i]->n - (unsigned)__builtin_popcount(l->lacks[i]);
		l->present += parts > 0;
		l->parts += parts;
	}
	const int err = errno;
	cpulist_free(&pmu.cpus);
	errno = err;
	return rc;
}

void kernel_cpus_free(struct kernel_cpus *l)
{
	const int err = errno;

	cpulist_free(&l->others);
	errno = err;
}
