#include "suite/cpus/totals.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int sum_new(struct cpu_view_sum *s, unsigned n)
{
	s->value = calloc(n + 1, sizeof *s->value);
	s->have = calloc(n + 1, sizeof *s->have);
	s->missed = calloc(n + 1, sizeof *s->missed);
	if (!s->value || !s->have || !s->missed)
		return -1;
	cpu_view_sum_begin(s, n);
	return 0;
}

static void sum_free(struct cpu_view_sum *s)
{
	free(s->value);
	free(s->have);
	free(s->missed);
}

static void totals_free(const struct cpu_totals *t, struct cpu_totals_of *of)
{
	for (unsigned s = 0; s < t->nsets; s++) {
		cpulist_free(&of->set[s].cpus);
		sum_free(&of->set[s].sum);
	}
	free(of);
}

static struct cpu_totals_of *totals_new(const struct cpu_totals *t, const char *cgroup)
{
	struct cpu_totals_of *of = calloc(1, sizeof *of + t->nsets * sizeof of->set[0]);

	if (!of)
		return NULL;
	of->cgroup = cgroup;
	for (unsigned s = 0; s < t->nsets; s++)
		if (sum_new(&of->set[s].sum, t->set[s]->n) == -1) {
			totals_free(t, of);
			return NULL;
		}
	return of;
}

static int insert(struct cpu_totals *t, unsigned at, const char *cgroup)
{
	if (array_grow(&t->of, t->n, sizeof *t->of) == -1)
		return -1;
	struct cpu_totals_of *of = totals_new(t, cgroup);
	if (!of)
		return -1;
	memmove(t->of + at + 1, t->of + at, (t->n - at) * sizeof *t->of);
	t->of[at] = of;
	t->n++;
	return 0;
}

int cpu_totals_open(struct cpu_totals *t, const struct row_set *const *set,
		    unsigned nsets, int cgroups)
{
	unsigned width = 0;

	*t = (struct cpu_totals){.set = set, .nsets = nsets};
	for (unsigned s = 0; s < nsets; s++)
		if (width < set[s]->n)
			width = set[s]->n;
	return cgroups ? sum_new(&t->sum, width) : insert(t, 0, NULL);
}

void cpu_totals_close(struct cpu_totals *t)
{
	while (t->n > 0)
		cpu_totals_drop(t, t->n - 1);
	free(t->of);
	sum_free(&t->sum);
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

/* CPUs are added to the lists first, so that ENOMEM leaves the sums unchanged. */
static int add_cpus(struct cpu_totals *t, const struct cpu_interval *i)
{
	unsigned at = 0;

	for (unsigned s = 0; s < i->n; s++)
		if (find(t, &i->sample[s], &at) == -1 ||
		    cpulist_add(&t->of[at]->set[i->set].cpus, i->sample[s].cpu) == -1)
			return -1;
	return 0;
}

/* Add n samples of a cgroup: first up, because values are extrapolated to all CPUs. */
static void add_cgroup(struct cpu_totals *t, struct cpu_total *total,
		       const struct cpu_sample *sample, unsigned n, unsigned width)
{
	struct cpu_view_sum *const sum = &t->sum;

	cpu_view_sum_begin(sum, width);
	for (unsigned s = 0; s < n; s++)
		cpu_view_sum_add(sum, &sample[s]);
	cpu_view_sum_complete(sum);
	const struct cpu_sample all = {
		.ns = sum->ns, .tick = sum->tick, .value = sum->value};
	cpu_view_sum_add(&total->sum, &all);
}

static void add_sums(struct cpu_totals *t, const struct cpu_interval *i)
{
	const unsigned width = t->set[i->set]->n;

	for (unsigned s = 0, n, at = 0; s < i->n; s += n, at++) {
		const struct cpu_sample *first = &i->sample[s];

		for (n = 1; s + n < i->n && first[n].cgroup == first->cgroup; n++)
			;
		find(t, first, &at);
		struct cpu_total *total = &t->of[at]->set[i->set];
		if (first->cgroup)
			add_cgroup(t, total, first, n, width);
		for (unsigned k = 0; !first->cgroup && k < n; k++)
			cpu_view_sum_add(&total->sum, &first[k]);
		total->row = (struct row){.kind = ROW_TOTAL,
					  .id = -1,
					  .cgroup = first->cgroup,
					  .index = i->set,
					  .set = t->set[i->set]};
	}
}

int cpu_totals_add(struct cpu_totals *t, const struct cpu_interval *i, int64_t unix_ns)
{
	if (add_cpus(t, i) == -1)
		return -1;
	add_sums(t, i);
	for (unsigned at = 0; at < t->n; at++) {
		struct cpu_total *total = &t->of[at]->set[i->set];
		cpu_view_sum_put(&total->sum, &total->row, unix_ns);
		total->row.cpus = total->cpus.n;
	}
	return 0;
}

const struct row *cpu_totals_row(const struct cpu_totals *t, unsigned at, unsigned set)
{
	return t->of[at]->set[set].sum.cpus ? &t->of[at]->set[set].row : NULL;
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
