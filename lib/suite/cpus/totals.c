#include "suite/cpus/totals.h"

#include <stdlib.h>
#include <string.h>

static void totals_free(const struct cpu_totals *t, struct cpu_totals_of *of)
{
	for (unsigned s = 0; s < t->nsets; s++)
		cpulist_free(&of->set[s].cpus);
	free(of);
}

/* The memory for the numbers of a sum: a value, and two numbers for each value. */
static size_t size_of(const struct row_set *set)
{
	return set->n * (sizeof(cpc_value_t) + 2 * sizeof(uint64_t));
}

static struct cpu_totals_of *totals_new(const struct cpu_totals *t, const char *cgroup)
{
	size_t size = sizeof(struct cpu_totals_of) + t->nsets * sizeof(struct cpu_total);

	for (unsigned s = 0; s < t->nsets; s++)
		size += size_of(t->set[s]);
	struct cpu_totals_of *of = calloc(1, size);
	if (!of)
		return NULL;
	of->cgroup = cgroup;
	char *numbers = (char *)&of->set[t->nsets];
	for (unsigned s = 0; s < t->nsets; s++) {
		struct cpu_view_sum *sum = &of->set[s].sum;
		const unsigned n = t->set[s]->n;
		sum->value = (cpc_value_t *)numbers;
		sum->have = (uint64_t *)(sum->value + n);
		sum->missed = sum->have + n;
		cpu_view_sum_begin(sum, n);
		numbers += size_of(t->set[s]);
	}
	return of;
}

static int insert(struct cpu_totals *t, unsigned at, const char *cgroup)
{
	struct cpu_totals_of **grown = reallocarray(t->of, t->n + 1, sizeof *grown);

	if (!grown)
		return -1;
	t->of = grown;
	struct cpu_totals_of *of = totals_new(t, cgroup);
	if (!of)
		return -1;
	memmove(grown + at + 1, grown + at, (t->n - at) * sizeof *grown);
	grown[at] = of;
	t->n++;
	return 0;
}

int cpu_totals_open(struct cpu_totals *t, const struct row_set *const *set,
		    unsigned nsets, int cgroups, int64_t unix_ns)
{
	*t = (struct cpu_totals){.set = set, .nsets = nsets, .unix_ns = unix_ns};
	return cgroups ? 0 : insert(t, 0, NULL);
}

void cpu_totals_close(struct cpu_totals *t)
{
	while (t->n > 0)
		cpu_totals_drop(t, t->n - 1);
	free(t->of);
}

/*
 * Find the totals of a sample's cgroup, which are at *at or later. Returns -1 with
 * ENOMEM.
 */
static int find(struct cpu_totals *t, const struct cpu_sample *s, unsigned *at)
{
	if (!s->cgroup)
		return 0;
	for (; *at < t->n && t->of[*at]->cgroup != s->cgroup; ++*at)
		if (strcmp(t->of[*at]->cgroup, s->cgroup) > 0)
			return insert(t, *at, s->cgroup);
	return *at < t->n ? 0 : insert(t, *at, s->cgroup);
}

/* Are these the CPUs of n samples? They are in almost every interval. */
static int are_cpus(const struct cpulist *l, const struct cpu_sample *s, unsigned n)
{
	unsigned k = 0;

	while (l->n == n && k < n && l->cpu[k] == s[k].cpu)
		k++;
	return k == n;
}

static int add_cpus(struct cpulist *l, const struct cpu_sample *s, unsigned n)
{
	if (are_cpus(l, s, n))
		return 0;
	for (unsigned k = 0; k < n; k++)
		if (cpulist_add(l, s[k].cpu) == -1)
			return -1;
	return 0;
}

/* CPUs are added to the lists first, so that ENOMEM leaves the sums unchanged. */
static int add_all_cpus(struct cpu_totals *t, const struct cpu_interval *i)
{
	for (unsigned s = 0, n, at = 0; s < i->n; s += n, at++) {
		const struct cpu_sample *first = &i->sample[s];

		n = cpu_interval_run(i, s);
		if (find(t, first, &at) == -1 ||
		    add_cpus(&t->of[at]->set[i->set].cpus, first, n) == -1)
			return -1;
	}
	return 0;
}

/* Sums of cgroups are added, because values are extrapolated to all CPUs of a cgroup. */
static void add_cgroups(struct cpu_totals *t, const struct cpu_interval *i,
			const struct cpu_view_sum *sum)
{
	for (unsigned s = 0, at = 0; s < i->n; s += (unsigned)sum->cpus, at++, sum++) {
		const struct cpu_sample all = {
			.ns = sum->ns, .tick = sum->tick, .value = sum->value};

		find(t, &i->sample[s], &at);
		cpu_view_sum_add(&t->of[at]->set[i->set].sum, &all);
	}
}

int cpu_totals_add(struct cpu_totals *t, const struct cpu_interval *i,
		   const struct cpu_view_sum *sum)
{
	if (add_all_cpus(t, i) == -1)
		return -1;
	if (i->n && i->sample->cgroup)
		add_cgroups(t, i, sum);
	else
		for (unsigned s = 0; s < i->n; s++)
			cpu_view_sum_add(&t->of[0]->set[i->set].sum, &i->sample[s]);
	return 0;
}

const struct row *cpu_totals_row(struct cpu_totals *t, unsigned at, unsigned set)
{
	const struct cpu_total *total = &t->of[at]->set[set];

	if (!total->sum.cpus)
		return NULL;
	t->row = (struct row){.kind = ROW_TOTAL,
			      .id = -1,
			      .cgroup = t->of[at]->cgroup,
			      .index = set,
			      .set = t->set[set]};
	cpu_view_sum_put(&total->sum, &t->row, t->unix_ns);
	t->row.cpus = total->cpus.n;
	return &t->row;
}

unsigned cpu_totals_find(const struct cpu_totals *t, const char *cgroup)
{
	for (unsigned at = 0; at < t->n; at++)
		if (t->of[at]->cgroup == cgroup)
			return at;
	return -1u;
}

void cpu_totals_drop(struct cpu_totals *t, unsigned at)
{
	totals_free(t, t->of[at]);
	t->n--;
	memmove(t->of + at, t->of + at + 1, (t->n - at) * sizeof *t->of);
}
