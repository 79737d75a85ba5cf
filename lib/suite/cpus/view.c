#include "suite/cpus/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/cpus/sort.h"
#include "suite/cpus/sum.h"
#include "suite/cpus/totals.h"

struct cpu_view {
	struct cpu_view_options options;
	const struct row_set *const *set;
	unsigned nsets, width; /* width: the most requests of a set */
	struct cpu_view_keys keys;
	struct cpu_totals totals;
	struct row row; /* with what all rows of the interval have in common */
	/* arrays for the rows of an interval; they are kept for the next interval */
	unsigned room;
	struct cpu_view_item *item;
	const struct cpu_view_item **order; /* 2 * room: the second half is for sorting */
	struct cpu_view_sum *sum;
	cpc_value_t *value;
	uint64_t *have, *missed;
	unsigned *slot; /* 2 * room: a hash table from ids to 1 + index in item, or 0 */
};

static void free_room(struct cpu_view *v)
{
	free(v->item);
	free(v->order);
	free(v->sum);
	free(v->value);
	free(v->have);
	free(v->missed);
	free(v->slot);
	v->item = NULL;
	v->order = NULL;
	v->sum = NULL;
	v->value = NULL;
	v->have = NULL;
	v->missed = NULL;
	v->slot = NULL;
	v->room = 0;
}

/*
 * Make room for n rows. room is a power of two, so that a mask cuts a hash to the table.
 */
static int reserve(struct cpu_view *v, unsigned n)
{
	size_t room = 8;

	if (n <= v->room)
		return 0;
	while (room < n)
		room *= 2;
	free_room(v);
	v->item = calloc(room, sizeof *v->item);
	v->order = calloc(2 * room, sizeof *v->order);
	v->sum = calloc(room, sizeof *v->sum);
	v->value = calloc(room, (v->width + 1) * sizeof *v->value);
	v->have = calloc(room, (v->width + 1) * sizeof *v->have);
	v->missed = calloc(room, (v->width + 1) * sizeof *v->missed);
	v->slot = calloc(2 * room, sizeof *v->slot);
	if (!v->item || !v->order || !v->sum || !v->value || !v->have || !v->missed ||
	    !v->slot) {
		free_room(v);
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < room; i++) {
		v->sum[i].value = v->value + i * v->width;
		v->sum[i].have = v->have + i * v->width;
		v->sum[i].missed = v->missed + i * v->width;
	}
	v->room = (unsigned)room;
	return 0;
}

struct cpu_view *cpu_view_new(const struct cpu_view_options *options,
			      const struct row_set *const *set, unsigned nsets, char *err,
			      size_t size)
{
	struct cpu_view *v = calloc(1, sizeof *v);

	if (!v)
		return NULL;
	v->options = *options;
	v->options.keys = NULL;
	v->set = set;
	v->nsets = nsets;
	for (unsigned s = 0; s < nsets; s++)
		if (v->width < set[s]->n)
			v->width = set[s]->n;
	if (cpu_totals_open(&v->totals, set, nsets, options->cgroups, options->unix_ns) ==
		    0 &&
	    reserve(v, 1) == 0 &&
	    (!options->keys || cpu_view_keys_parse(&v->keys, options->keys, set, nsets,
						   options->cgroups, err, size) == 0))
		return v;
	const int e = errno;
	cpu_view_free(v);
	errno = e;
	return NULL;
}

void cpu_view_free(struct cpu_view *v)
{
	if (!v)
		return;
	cpu_totals_close(&v->totals);
	cpu_view_keys_free(&v->keys);
	free_room(v);
	free(v);
}

/* Complete a sum of which a row is made. */
static void finish(const struct cpu_view *v, struct cpu_view_sum *sum)
{
	if (v->options.cgroups)
		cpu_view_sum_complete(sum);
	if (v->options.means)
		cpu_view_sum_mean(sum);
}

const struct row *cpu_view_total(struct cpu_view *v, unsigned set)
{
	return cpu_totals_row(&v->totals, 0, set);
}

unsigned cpu_view_cgroups(const struct cpu_view *v)
{
	return v->totals.n;
}

const struct row *cpu_view_cgroup_total(struct cpu_view *v, unsigned at, unsigned set)
{
	return cpu_totals_row(&v->totals, at, set);
}

unsigned cpu_view_cgroup(const struct cpu_view *v, const char *cgroup)
{
	return cpu_totals_find(&v->totals, cgroup);
}

void cpu_view_drop_cgroup(struct cpu_view *v, unsigned at)
{
	cpu_totals_drop(&v->totals, at);
}

struct row cpu_view_sample(const struct cpu_interval *i, const struct cpu_sample *sample,
			   const struct row_set *set, int64_t unix_ns)
{
	return (struct row){
		.word = "tick",
		.ns = sample->ns,
		.unix_ns = cpu_view_unix_ns(unix_ns, sample->ns),
		.id = sample->cpu,
		.cgroup = sample->cgroup,
		.core = sample->core,
		.socket = sample->socket,
		.cpus = 1,
		.interval = i->number,
		.tick = sample->tick,
		.index = i->set,
		.set = set,
		.value = sample->value,
	};
}

/* Make an item for each CPU, or for each cgroup on each CPU. */
static unsigned make_cpu_items(struct cpu_view *v, const struct cpu_interval *i)
{
	for (unsigned s = 0; s < i->n; s++) {
		const struct cpu_sample *const sample = &i->sample[s];

		v->item[s] = (struct cpu_view_item){.first = sample,
						    .id = sample->cpu,
						    .cpus = 1,
						    .ns = sample->ns,
						    .tick = sample->tick,
						    .value = sample->value};
	}
	return i->n;
}

static void put_sum(struct cpu_view_item *item, const struct cpu_view_sum *sum)
{
	item->cpus = (unsigned)sum->cpus;
	item->ns = sum->ns;
	item->tick = sum->tick;
	item->value = sum->value;
}

/*
 * Make an item for each cgroup. Only the values of the sums are needed later: the sums
 * take turns with the rest of their memory, which stays in the caches.
 */
static unsigned make_cgroup_items(struct cpu_view *v, const struct cpu_interval *i)
{
	struct cpu_view_sum sum = {
		.value = v->value, .have = v->have, .missed = v->missed};
	unsigned cgroups = 0;

	for (unsigned s = 0; s < i->n; s += (unsigned)sum.cpus) {
		struct cpu_view_item *const item = &v->item[cgroups++];

		cpu_view_sum_all(&sum, v->set[i->set]->n, &i->sample[s],
				 cpu_interval_run(i, s));
		cpu_view_sum_complete(&sum);
		item->first = &i->sample[s];
		item->id = -1;
		put_sum(item, &sum);
		sum.value += v->width;
	}
	return cgroups;
}

static int is_of(const struct cpu_view_item *item, const char *cgroup, int id)
{
	return item->id == id && item->first->cgroup == cgroup;
}

/*
 * Return the index of the item of a core or socket, or of a cgroup there, which is n if
 * it is new.
 */
static unsigned find_item(struct cpu_view *v, const char *cgroup, int id, unsigned n)
{
	const unsigned mask = 2 * v->room - 1;
	const uint64_t key = (uint32_t)id ^ (uintptr_t)cgroup;
	/* Fibonacci hashing spreads consecutive ids, multiples and addresses */
	unsigned at = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 32) & mask;

	/* The samples of a cgroup follow one another. */
	if (n && is_of(&v->item[n - 1], cgroup, id))
		return n - 1;
	while (v->slot[at] && !is_of(&v->item[v->slot[at] - 1], cgroup, id))
		at = (at + 1) & mask;
	if (!v->slot[at])
		v->slot[at] = n + 1;
	return v->slot[at] - 1;
}

/* Make an item for each core or socket, in the order of their first samples. */
static unsigned make_merged_items(struct cpu_view *v, const struct cpu_interval *i)
{
	unsigned n = 0;

	memset(v->slot, 0, 2 * v->room * sizeof *v->slot);
	for (unsigned s = 0; s < i->n; s++) {
		const struct cpu_sample *const sample = &i->sample[s];
		const int id =
			v->options.scope == ROW_CORES ? sample->core : sample->socket;
		const unsigned at = find_item(v, sample->cgroup, id, n);

		if (at == n) {
			v->item[n].first = sample;
			v->item[n].id = id;
			cpu_view_sum_begin(&v->sum[n++], v->set[i->set]->n);
		}
		cpu_view_sum_add(&v->sum[at], sample);
	}
	for (unsigned at = 0; at < n; at++) {
		finish(v, &v->sum[at]);
		put_sum(&v->item[at], &v->sum[at]);
	}
	return n;
}

/* Deal n sorted items of one CPU each into bins. Returns the number of bins. */
static unsigned deal_into_bins(struct cpu_view *v, const struct cpu_interval *i,
			       unsigned n)
{
	const unsigned bins = v->options.bins < n ? v->options.bins : n;
	unsigned next = 0;

	for (unsigned bin = 0; bin < bins; bin++) {
		unsigned left = n / bins + (bin < n % bins);

		cpu_view_sum_begin(&v->sum[bin], v->set[i->set]->n);
		while (left--)
			cpu_view_sum_add(&v->sum[bin], v->order[next++]->first);
		finish(v, &v->sum[bin]);
	}
	for (unsigned bin = 0; bin < bins; bin++) {
		v->order[bin] = &v->item[bin];
		v->item[bin].first = i->sample;
		v->item[bin].id = (int)bin;
		put_sum(&v->item[bin], &v->sum[bin]);
	}
	return bins;
}

static unsigned make_items(struct cpu_view *v, const struct cpu_interval *i,
			   unsigned cgroups)
{
	switch (v->options.scope) {
	case ROW_CGROUPS:
		return cgroups;
	case ROW_CORES:
	case ROW_SOCKETS:
		return make_merged_items(v, i);
	default:
		return make_cpu_items(v, i);
	}
}

int cpu_view_rows(struct cpu_view *v, const struct cpu_interval *i, unsigned *n)
{
	if (reserve(v, i->n) == -1)
		return -1;
	const unsigned cgroups = v->options.cgroups ? make_cgroup_items(v, i) : 0;
	if (cpu_totals_add(&v->totals, i, v->item) == -1)
		return -1;
	v->row = (struct row){.word = "tick",
			      .interval = i->number,
			      .index = i->set,
			      .set = v->set[i->set]};
	*n = make_items(v, i, cgroups);
	for (unsigned at = 0; at < *n; at++)
		v->order[at] = &v->item[at];
	cpu_view_keys_sort(&v->keys, i->set, v->order, v->order + *n, *n);
	if (v->options.scope == ROW_BINS)
		*n = deal_into_bins(v, i, *n);
	if (v->options.limit && *n > v->options.limit)
		*n = v->options.limit;
	return 0;
}

const struct row *cpu_view_row(struct cpu_view *v, unsigned at)
{
	const struct cpu_view_item *item = v->order[at];
	struct row *row = &v->row;

	row->ns = item->ns;
	row->unix_ns = cpu_view_unix_ns(v->options.unix_ns, item->ns);
	row->id = item->id;
	row->cgroup = item->first->cgroup;
	row->cpus = item->cpus;
	row->tick = item->tick;
	row->value = item->value;
	if (v->options.scope == ROW_CPUS) {
		row->core = item->first->core;
		row->socket = item->first->socket;
	}
	return row;
}
