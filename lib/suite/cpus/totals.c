#include "suite/cpus/totals.h"

#include <stdlib.h>
#include <string.h>

static void totals_free(const struct cpu_totals *t, struct cpu_totals_of *of)
{
	for (unsigned s = 0; s < t->nsets; s++)
		cpulist_free(&of->set[s].high);
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

static int find_later(struct cpu_totals *t, const char *cgroup, unsigned *at)
{
	for (; *at < t->n && t->of[*at]->cgroup != cgroup; ++*at)
		if (strcmp(t->of[*at]->cgroup, cgroup) > 0)
			return insert(t, *at, cgroup);
	return *at < t->n ? 0 : insert(t, *at, cgroup);
}

/*
 * Find the totals of a sample's cgroup, which are at *at or later, and almost always at
 * *at. Returns -1 with ENOMEM.
 */
static inline int find(struct cpu_totals *t, const struct cpu_sample *s, unsigned *at)
{
	if (!s->cgroup || (*at < t->n && t->of[*at]->cgroup == s->cgroup))
		return 0;
	return find_later(t, s->cgroup, at);
}

static int add_cpus(struct cpu_total *total, const struct cpu_sample *s, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (s[k].cpu < CPU_TOTAL_BITS)
			total->low |= UINT64_C(1) << s[k].cpu;
		else if (cpulist_add(&total->high, s[k].cpu) == -1)
			return -1;
	return 0;
}

static unsigned count_cpus(const struct cpu_total *total)
{
	return (unsigned)__builtin_popcountll(total->low) + total->high.n;
}

/* CPUs are added first, so that ENOMEM leaves the sums unchanged. */
static int add_all_cpus(struct cpu_totals *t, const struct cpu_interval *i)
{
	for (unsigned s = 0, n, at = 0; s < i->n; s += n, at++) {
		const struct cpu_sample *first = &i->sample[s];

		n = cpu_interval_run(i, s);
		if (find(t, first, &at) == -1 ||
		    add_cpus(&t->of[at]->set[i->set], first, n) == -1)
			return -1;
	}
	return 0;
}

/* Sums of cgroups are added, because values are extrapolated to all CPUs of a cgroup. */
static void add_cgroups(struct cpu_totals *t, const struct cpu_interval *i,
			const struct cpu_view_item *item)
{
	for (unsigned s = 0, at = 0; s < i->n; s += item->cpus, at++, item++) {
		const struct cpu_sample all = {
			.ns = item->ns, .tick = item->tick, .value = item->value};

		find(t, item->first, &at);
		cpu_view_sum_add(&t->of[at]->set[i->set].sum, &all);
	}
}

int cpu_totals_add(struct cpu_totals *t, const struct cpu_interval *i,
		   const struct cpu_view_item *item)
{
	if (add_all_cpus(t, i) == -1)
		return -1;
	if (i->n && i->sample->cgroup)
		add_cgroups(t, i, item);
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
	t->row.cpus = count_cpus(total);
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
