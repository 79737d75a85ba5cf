#include "suite/cpus/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "suite/cpus/sort.h"

/* The total of a set. */
struct total {
	struct row row;
	struct cpulist cpus;
	struct cpu_view_sum sum;
};

struct cpu_view {
	struct cpu_view_options options;
	const struct row_set *const *set;
	unsigned nsets, width; /* width: the most requests of a set */
	struct cpu_view_keys keys;
	struct total *total;
	/* arrays for the rows of an interval; they are kept for the next interval */
	unsigned room;
	struct cpu_view_item *item;
	const struct cpu_view_item **order; /* 2 * room: the second half is for sorting */
	struct row *row;
	struct cpu_view_sum *sum;
	cpc_value_t *value;
	uint64_t *have;
	unsigned *slot; /* 2 * room: a hash table from ids to 1 + index in item, or 0 */
};

static void free_room(struct cpu_view *v)
{
	free(v->item);
	free(v->order);
	free(v->row);
	free(v->sum);
	free(v->value);
	free(v->have);
	free(v->slot);
	v->item = NULL;
	v->order = NULL;
	v->row = NULL;
	v->sum = NULL;
	v->value = NULL;
	v->have = NULL;
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
	v->row = calloc(room, sizeof *v->row);
	v->sum = calloc(room, sizeof *v->sum);
	v->value = calloc(room, (v->width + 1) * sizeof *v->value);
	v->have = calloc(room, (v->width + 1) * sizeof *v->have);
	v->slot = calloc(2 * room, sizeof *v->slot);
	if (!v->item || !v->order || !v->row || !v->sum || !v->value || !v->have ||
	    !v->slot) {
		free_room(v);
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < room; i++) {
		v->sum[i].value = v->value + i * v->width;
		v->sum[i].have = v->have + i * v->width;
	}
	v->room = (unsigned)room;
	return 0;
}

static int new_totals(struct cpu_view *v)
{
	v->total = calloc(v->nsets + 1, sizeof *v->total);
	for (unsigned s = 0; v->total && s < v->nsets; s++) {
		struct cpu_view_sum *const sum = &v->total[s].sum;
		const unsigned n = v->set[s]->n;

		sum->value = calloc(n + 1, sizeof *sum->value);
		sum->have = calloc(n + 1, sizeof *sum->have);
		if (!sum->value || !sum->have)
			return -1;
		cpu_view_sum_begin(sum, n);
	}
	return v->total ? 0 : -1;
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
	if (new_totals(v) == 0 && reserve(v, 1) == 0 &&
	    (!options->keys ||
	     cpu_view_keys_parse(&v->keys, options->keys, set, nsets, err, size) == 0))
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
	for (unsigned s = 0; v->total && s < v->nsets; s++) {
		cpulist_free(&v->total[s].cpus);
		free(v->total[s].sum.value);
		free(v->total[s].sum.have);
	}
	free(v->total);
	cpu_view_keys_free(&v->keys);
	free_room(v);
	free(v);
}

static int64_t unix_time(const struct cpu_view *v, int64_t ns)
{
	return (int64_t)((uint64_t)v->options.unix_ns + (uint64_t)ns);
}

static struct row row_of(const struct cpu_view *v, unsigned set, int id)
{
	return (struct row){
		.word = "tick",
		.id = id,
		.index = set,
		.set = v->set[set],
	};
}

static void put_sum(const struct cpu_view *v, struct row *row,
		    const struct cpu_view_sum *sum)
{
	row->ns = sum->ns;
	row->unix_ns = unix_time(v, sum->ns);
	row->cpus = (unsigned)sum->cpus;
	row->tick = sum->tick;
	row->value = sum->value;
}

static void put_merged(const struct cpu_view *v, struct row *row,
		       struct cpu_view_sum *sum)
{
	if (v->options.means)
		cpu_view_sum_mean(sum);
	put_sum(v, row, sum);
}

/* CPUs are added to the list first, so that ENOMEM leaves the sums unchanged. */
static int add_to_total(struct cpu_view *v, const struct cpu_interval *i)
{
	struct total *const t = &v->total[i->set];

	for (unsigned s = 0; s < i->n; s++)
		if (cpulist_add(&t->cpus, i->sample[s].cpu) == -1)
			return -1;
	for (unsigned s = 0; s < i->n; s++)
		cpu_view_sum_add(&t->sum, &i->sample[s]);
	t->row = row_of(v, i->set, -1);
	t->row.kind = ROW_TOTAL;
	put_sum(v, &t->row, &t->sum);
	t->row.cpus = t->cpus.n;
	return 0;
}

const struct row *cpu_view_total(const struct cpu_view *v, unsigned set)
{
	return v->total[set].sum.cpus ? &v->total[set].row : NULL;
}

/* Make an item for each CPU. */
static unsigned make_cpu_items(struct cpu_view *v, const struct cpu_interval *i)
{
	for (unsigned s = 0; s < i->n; s++) {
		const struct cpu_sample *const sample = &i->sample[s];
		struct row row = row_of(v, i->set, sample->cpu);

		row.ns = sample->ns;
		row.unix_ns = unix_time(v, sample->ns);
		row.cpus = 1;
		row.tick = sample->tick;
		row.value = sample->value;
		v->item[s] = (struct cpu_view_item){row, sample};
	}
	return i->n;
}

/* Return the index of the item of a core or socket, which is n if it is new. */
static unsigned find_item(struct cpu_view *v, int id, unsigned n)
{
	const unsigned mask = 2 * v->room - 1;
	/* Fibonacci hashing spreads consecutive ids and multiples */
	unsigned at = (unsigned)((uint32_t)id * 0x9e3779b97f4a7c15ull >> 32) & mask;

	while (v->slot[at] && v->item[v->slot[at] - 1].row.id != id)
		at = (at + 1) & mask;
	if (!v->slot[at])
		v->slot[at] = n + 1;
	return v->slot[at] - 1;
}

/* Make an item for each core or socket, in the order of their first CPUs. */
static unsigned make_merged_items(struct cpu_view *v, const struct cpu_interval *i)
{
	unsigned n = 0;

	memset(v->slot, 0, 2 * v->room * sizeof *v->slot);
	for (unsigned s = 0; s < i->n; s++) {
		const struct cpu_sample *const sample = &i->sample[s];
		const int id =
			v->options.scope == ROW_CORES ? sample->core : sample->socket;
		const unsigned at = find_item(v, id, n);

		if (at == n) {
			v->item[n].row = row_of(v, i->set, id);
			v->item[n].first = sample;
			cpu_view_sum_begin(&v->sum[n++], v->set[i->set]->n);
		}
		cpu_view_sum_add(&v->sum[at], sample);
	}
	for (unsigned at = 0; at < n; at++)
		put_merged(v, &v->item[at].row, &v->sum[at]);
	return n;
}

/* Deal n sorted items of one CPU each into bins. Returns the number of bins. */
static unsigned deal_into_bins(struct cpu_view *v, unsigned set, unsigned n)
{
	const unsigned bins = v->options.bins < n ? v->options.bins : n;
	unsigned next = 0;

	for (unsigned bin = 0; bin < bins; bin++) {
		struct cpu_view_sum *const sum = &v->sum[bin];
		unsigned left = n / bins + (bin < n % bins);

		cpu_view_sum_begin(sum, v->set[set]->n);
		while (left--)
			cpu_view_sum_add(sum, v->order[next++]->first);
		v->row[bin] = row_of(v, set, (int)bin);
		put_merged(v, &v->row[bin], sum);
	}
	return bins;
}

const struct row *cpu_view_rows(struct cpu_view *v, const struct cpu_interval *i,
				unsigned *n)
{
	if (reserve(v, i->n) == -1 || add_to_total(v, i) == -1)
		return NULL;
	const int merged =
		v->options.scope == ROW_CORES || v->options.scope == ROW_SOCKETS;
	const unsigned items = merged ? make_merged_items(v, i) : make_cpu_items(v, i);
	for (unsigned at = 0; at < items; at++)
		v->order[at] = &v->item[at];
	cpu_view_keys_sort(&v->keys, v->order, v->order + items, items);
	*n = items;
	if (v->options.scope == ROW_BINS)
		*n = deal_into_bins(v, i->set, items);
	else
		for (unsigned at = 0; at < items; at++)
			v->row[at] = v->order[at]->row;
	if (v->options.limit && *n > v->options.limit)
		*n = v->options.limit;
	return v->row;
}

void cpu_view_sum_begin(struct cpu_view_sum *s, unsigned n)
{
	s->n = n;
	s->ns = 0;
	s->cpus = 0;
	s->tick = 0;
	for (unsigned i = 0; i < n; i++) {
		s->have[i] = 0;
		s->value[i] = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	}
}

/* The times of unavailable values are added only if all values are unavailable. */
static void add_value(cpc_value_t *sum, uint64_t *have, const cpc_value_t *v)
{
	if (v->quality != CPC_UNAVAILABLE) {
		if (!(*have)++)
			*sum = (cpc_value_t){.quality = CPC_EXACT};
		sum->value += v->value;
		sum->count += v->count;
		/* classes are in order, best first */
		if (sum->quality < v->quality)
			sum->quality = v->quality;
	} else if (*have) {
		return;
	}
	sum->enabled += v->enabled;
	sum->running += v->running;
}

void cpu_view_sum_add(struct cpu_view_sum *s, const struct cpu_sample *sample)
{
	if (!s->cpus++ || s->ns < sample->ns)
		s->ns = sample->ns;
	s->tick += sample->tick;
	for (unsigned i = 0; i < s->n; i++)
		add_value(&s->value[i], &s->have[i], &sample->value[i]);
}

/* Divide and round to nearest, half up. */
static uint64_t divide(uint64_t sum, uint64_t by)
{
	const uint64_t rest = sum % by;

	return sum / by + (rest >= by - rest);
}

void cpu_view_sum_mean(struct cpu_view_sum *s)
{
	s->tick = divide(s->tick, s->cpus);
	for (unsigned i = 0; i < s->n; i++) {
		cpc_value_t *const v = &s->value[i];
		const uint64_t by = s->have[i] ? s->have[i] : s->cpus;

		v->value = divide(v->value, by);
		v->count = divide(v->count, by);
		v->enabled = divide(v->enabled, by);
		v->running = divide(v->running, by);
	}
}
