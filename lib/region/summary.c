#include "region/summary.h"

#include <stdlib.h>

#include "cpc/value.h"

static uint64_t load(const uint64_t *from)
{
	return __atomic_load_n(from, __ATOMIC_RELAXED);
}

static const struct region *region_of(const struct region_thread *t,
				      const struct region_name *name)
{
	for (unsigned i = 0; i < t->nregions; i++)
		if (t->region[i]->name == name)
			return t->region[i];
	return NULL;
}

static struct count sum_of(const struct region *r, unsigned kind, unsigned n,
			   unsigned event)
{
	const struct region_sum *s = &r->sum[kind * n + event];
	const uint64_t enabled = load(&r->enabled[kind]);

	return (struct count){load(&s->count), enabled, enabled - load(&s->lost), 0, 0};
}

static void add(struct count *to, const struct count *c)
{
	to->count += c->count;
	to->enabled += c->enabled;
	to->running += c->running;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* A thread that goes on may have added to one sum and not yet to the other. */
static struct count subtract(const struct count *from, const struct count *c)
{
	return (struct count){less(from->count, c->count),
			      less(from->enabled, c->enabled),
			      less(from->running, c->running), 0, 0};
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* v[0..n-1] are sorted here. */
static void order_values(struct region_values *to, uint64_t *v, unsigned n)
{
	if (n == 0)
		return;
	qsort(v, n, sizeof *v, compare);
	const uint64_t low = v[(n - 1) / 2], high = v[n / 2];
	to->min = v[0];
	to->median = low + (high - low) / 2;
	to->max = v[n - 1];
}

/* Sum up an event; v has room for a value of each thread. */
static void sum_up(struct region_values *to, const struct region_events *events,
		   const struct ring *threads, const struct region_name *name,
		   unsigned event, uint64_t *v)
{
	const struct requests *reqs = events->set->reqs;
	const cpc_class_t class = reqs->ops->class(reqs->req[event].sel);
	struct count inclusive = {0}, exclusive = {0};
	unsigned n = 0;

	for (const struct ring *at = threads->next; at != threads; at = at->next) {
		const struct region *r =
			region_of((const struct region_thread *)at, name);

		if (!r)
			continue;
		const struct count all = sum_of(r, REGION_ALL, events->n, event);
		const struct count repeated =
			sum_of(r, REGION_REPEATED, events->n, event);
		const struct count inner = sum_of(r, REGION_INNER, events->n, event);
		const struct count own = subtract(&all, &repeated);
		const struct count alone = subtract(&all, &inner);

		add(&inclusive, &own);
		add(&exclusive, &alone);
		const cpc_value_t value = value_of(&own, class, 0);
		if (load(&r->calls) && value.quality != CPC_UNAVAILABLE)
			v[n++] = value.value;
	}
	/* Without a call that has ended there are no values. */
	inclusive.absent = exclusive.absent = n == 0;
	to->inclusive = value_of(&inclusive, class, 0);
	to->exclusive = value_of(&exclusive, class, 0);
	order_values(to, v, n);
}

static unsigned count_threads(const struct ring *threads)
{
	unsigned n = 0;

	for (const struct ring *at = threads->next; at != threads; at = at->next)
		n++;
	return n;
}

static void count_calls(struct region_summary *s, const struct ring *threads,
			const struct region_name *name)
{
	for (const struct ring *at = threads->next; at != threads; at = at->next) {
		const struct region *r =
			region_of((const struct region_thread *)at, name);

		if (!r)
			continue;
		s->threads++;
		s->calls += load(&r->calls);
		s->cut += load(&r->cut);
		s->open += __atomic_load_n(&r->depth, __ATOMIC_RELAXED);
	}
}

struct region_summary *region_summary_new(const struct region_events *events,
					  const struct ring *threads,
					  const struct region_name *name)
{
	const unsigned n = events->n;
	struct region_summary *s = calloc(1, sizeof *s + n * sizeof s->value[0]);
	uint64_t *v = calloc(count_threads(threads) + 1, sizeof *v);

	if (!s || !v) {
		free(s);
		free(v);
		return NULL;
	}
	s->name = name->text;
	count_calls(s, threads, name);
	for (unsigned i = 0; i < n; i++)
		sum_up(&s->value[i], events, threads, name, i, v);
	free(v);
	return s;
}
