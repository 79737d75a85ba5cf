#include "suite/screen/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The events that say best how busy a processor was, the best first. */
static const char *const busy[] = {"task-clock", "cpu-clock", "cycles", "cpu-cycles"};

static const char *event_name(const struct threads *t, unsigned event)
{
	return threads_event(t, event, NULL);
}

static unsigned find_key(const struct threads *t)
{
	for (size_t i = 0; i < sizeof busy / sizeof *busy; i++)
		for (unsigned e = 0; e < t->events; e++)
			if (strcmp(event_name(t, e), busy[i]) == 0)
				return e;
	return 0;
}

struct threads *threads_new(unsigned nsets, const struct row_set *const *set)
{
	enum { FIRST_SIZE = 64 };
	struct threads *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->nsets = nsets;
	t->set = set;
	t->size = FIRST_SIZE;
	t->first = calloc(nsets + 1, sizeof *t->first);
	t->thread = calloc(t->size, sizeof(struct thread *));
	t->bucket = calloc(t->size, sizeof(struct thread *));
	if (!t->first || !t->thread || !t->bucket) {
		threads_free(t);
		return NULL;
	}
	for (unsigned i = 0; i < nsets; i++) {
		t->first[i] = t->events;
		t->events += set[i]->n;
	}
	t->key = find_key(t);
	return t;
}

void threads_free(struct threads *t)
{
	if (!t)
		return;
	for (unsigned i = 0; i < t->n; i++)
		free(t->thread[i]);
	free(t->first);
	free(t->thread);
	free(t->bucket);
	free(t);
}

/* Return the set of an event, and its number in this set. */
static const struct row_set *set_of(const struct threads *t, unsigned event, unsigned *i)
{
	unsigned s = t->nsets - 1;

	while (t->first[s] > event)
		s--;
	*i = event - t->first[s];
	return t->set[s];
}

const char *threads_event(const struct threads *t, unsigned event, const char **unit)
{
	unsigned i;
	const struct row_set *set = set_of(t, event, &i);

	if (unit) {
		*unit = set->unit ? set->unit[i] : NULL;
		if (*unit && strcmp(*unit, "ns") != 0)
			*unit = NULL;
	}
	return set->event[i];
}

const char *threads_mode(const struct threads *t, unsigned event)
{
	unsigned i;
	const struct row_set *set = set_of(t, event, &i);

	return set->mode ? set->mode[i] : NULL;
}

static struct thread **bucket_of(const struct threads *t, pid_t pid, id_t lwp)
{
	const uint32_t hash = ((uint32_t)pid * 31 + lwp) * 2654435769u;

	return &t->bucket[hash >> 7 & (t->size - 1)];
}

static struct thread *find(const struct threads *t, pid_t pid, id_t lwp)
{
	for (struct thread *h = *bucket_of(t, pid, lwp); h; h = h->chain)
		if (h->pid == pid && h->lwp == lwp && !h->closed)
			return h;
	return NULL;
}

static void link_thread(const struct threads *t, struct thread *h)
{
	struct thread **bucket = bucket_of(t, h->pid, h->lwp);

	h->chain = *bucket;
	*bucket = h;
}

/* Makes room for one more thread. */
static int grow(struct threads *t)
{
	if (t->n < t->size)
		return 0;
	struct thread **thread =
		reallocarray(t->thread, t->size, 2 * sizeof(struct thread *));
	if (!thread)
		return -1;
	t->thread = thread;
	struct thread **bucket = calloc(2 * (size_t)t->size, sizeof(struct thread *));
	if (!bucket)
		return -1;
	free(t->bucket);
	t->bucket = bucket;
	t->size *= 2;
	for (unsigned i = 0; i < t->n; i++)
		link_thread(t, t->thread[i]);
	return 0;
}

static cpc_value_t *part(const struct threads *t, struct thread *h, enum threads_part p)
{
	return h->value + (size_t)p * t->events;
}

static void clear(const struct threads *t, struct thread *h, enum threads_part p)
{
	for (unsigned e = 0; e < t->events; e++)
		part(t, h, p)[e] = (cpc_value_t){.quality = CPC_UNAVAILABLE};
}

static struct thread *add(struct threads *t, const struct row *row)
{
	const size_t values = (size_t)THREADS_PARTS * t->events;

	if (grow(t) == -1)
		return NULL;
	struct thread *h = malloc(sizeof *h + values * sizeof h->value[0]);
	if (!h)
		return NULL;
	*h = (struct thread){.pid = row->pid,
			     .tid = row->tid > 0 ? row->tid : 0,
			     .lwp = row->lwp,
			     .number = t->n};
	for (enum threads_part p = 0; p < THREADS_PARTS; p++)
		clear(t, h, p);
	t->several |= t->n > 0 && t->thread[0]->pid != h->pid;
	t->thread[t->n++] = h;
	link_thread(t, h);
	return h;
}

static void close_thread(const struct threads *t, pid_t pid, id_t lwp)
{
	struct thread *h = find(t, pid, lwp);

	if (h)
		h->closed = 1;
}

/*
 * An LWP other than the first that has executed a program gets the tid of the first one,
 * also in the rows of its totals.
 */
static int has_executed(const struct row *row)
{
	return row->lwp > 1 && row->tid == row->pid;
}

/* After an exec the numbers of LWPs begin again. */
static int is_other(const struct thread *h, const struct row *row)
{
	return row->lwp > 1 && row->tid > 0 && h->tid > 0 && row->tid != h->tid &&
	       !has_executed(row);
}

static struct thread *find_or_add(struct threads *t, const struct row *row)
{
	struct thread *h = find(t, row->pid, row->lwp);

	if (h && is_other(h, row)) {
		h->closed = 1;
		h = NULL;
	}
	if (!h && has_executed(row)) /* in a row of another set */
		h = find(t, row->pid, 1);
	if (!h)
		h = add(t, row);
	if (h && row->name) {
		h->named = 1;
		h->name[0] = '\0';
		strncat(h->name, row->name, THREADS_NAME - 1);
	}
	return h;
}

/* Adds a value to a sum. What was not counted at one time adds nothing. */
static void sum_value(cpc_value_t *sum, const cpc_value_t *v)
{
	if (v->quality == CPC_UNAVAILABLE)
		return;
	if (sum->quality == CPC_UNAVAILABLE) {
		*sum = *v;
		return;
	}
	sum->value += v->value;
	sum->count += v->count;
	sum->enabled += v->enabled;
	sum->running += v->running;
	if (v->quality > sum->quality)
		sum->quality = v->quality;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Returns what a total has more than the ticks before. */
static cpc_value_t since_ticks(const cpc_value_t *total, const cpc_value_t *ticks)
{
	if (total->quality == CPC_UNAVAILABLE || ticks->quality == CPC_UNAVAILABLE)
		return *total;
	return (cpc_value_t){.value = less(total->value, ticks->value),
			     .count = less(total->count, ticks->count),
			     .enabled = less(total->enabled, ticks->enabled),
			     .running = less(total->running, ticks->running),
			     .quality = total->quality};
}

static void add_tick(const struct threads *t, struct thread *h, const struct row *row)
{
	const unsigned first = t->first[row->index];

	for (unsigned i = 0; i < row->set->n; i++) {
		sum_value(&part(t, h, THREADS_TICKS)[first + i], &row->value[i]);
		sum_value(&part(t, h, THREADS_INTERVAL)[first + i], &row->value[i]);
	}
}

/* A provisional total is kept where an interval's values are, which nobody shows then. */
static void add_total(const struct threads *t, struct thread *h, const struct row *row)
{
	const unsigned first = t->first[row->index];

	for (unsigned i = 0; i < row->set->n; i++) {
		cpc_value_t *ticks = &part(t, h, THREADS_TICKS)[first + i];
		const cpc_value_t rest = since_ticks(&row->value[i], ticks);

		sum_value(&part(t, h, THREADS_INTERVAL)[first + i], &rest);
		if (t->provisional)
			continue;
		sum_value(&part(t, h, THREADS_DONE)[first + i], &row->value[i]);
		*ticks = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	}
}

/* An LWP that has executed a program becomes LWP 1; LWP 1 has ended before. */
static void make_first(const struct threads *t, struct thread *h)
{
	struct thread **at = bucket_of(t, h->pid, h->lwp);

	while (*at != h)
		at = &(*at)->chain;
	*at = h->chain;
	h->lwp = 1;
	h->tid = h->pid;
	link_thread(t, h);
}

static int is_word(const struct row *row, const char *word)
{
	return row->kind == ROW_VALUES && strcmp(row->word, word) == 0;
}

int threads_row(struct threads *t, const struct row *row)
{
	const int tick = is_word(row, "tick"), rest = is_word(row, "rest");

	if (row->kind == ROW_FORK)
		close_thread(t, row->child, 1);
	else if (is_word(row, "exit") || is_word(row, "lwp_exit"))
		close_thread(t, row->pid, row->lwp);
	if (!tick && !rest && !is_word(row, "fini_lwp") && !is_word(row, "detach"))
		return 0;
	struct thread *h = find_or_add(t, row);
	if (!h) {
		errno = ENOMEM;
		return -1;
	}
	h->counted = 1;
	if (tick)
		add_tick(t, h, row);
	else
		add_total(t, h, row);
	if (h->lwp > 1 && has_executed(row))
		make_first(t, h);
	return 0;
}

void threads_next_interval(struct threads *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		struct thread *h = t->thread[i];

		if (h->counted)
			clear(t, h, THREADS_INTERVAL);
		h->counted = 0;
	}
}

void threads_provisional(struct threads *t)
{
	threads_next_interval(t);
	t->provisional = 1;
}

void threads_provisional_end(struct threads *t)
{
	threads_next_interval(t);
	t->provisional = 0;
}

cpc_value_t threads_value(const struct threads *t, const struct thread *thread,
			  int interval, unsigned event)
{
	const cpc_value_t *v = thread->value + event;
	cpc_value_t sum = v[(size_t)THREADS_INTERVAL * t->events];

	if (interval)
		return sum;
	if (!t->provisional)
		sum = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	sum_value(&sum, &v[(size_t)THREADS_TICKS * t->events]);
	sum_value(&sum, &v[(size_t)THREADS_DONE * t->events]);
	return sum;
}

static int compare(const void *a, const void *b)
{
	const struct thread *x = *(struct thread *const *)a;
	const struct thread *y = *(struct thread *const *)b;

	if (x->key != y->key)
		return x->key < y->key ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

/* A provisional rest is over, but its thread stays, without values. */
static int is_over(const struct threads *t, const struct thread *h)
{
	if (h->lwp != 0)
		return 0;
	for (unsigned e = 0; e < t->events; e++)
		if (threads_value(t, h, 0, e).quality != CPC_UNAVAILABLE)
			return 0;
	return 1;
}

struct thread **threads_sorted(struct threads *t, int interval, unsigned *n, double *sum)
{
	struct thread **sorted = calloc(t->n + 1, sizeof(struct thread *));

	*n = 0;
	*sum = 0;
	for (unsigned i = 0; sorted && i < t->n; i++) {
		struct thread *h = t->thread[i];

		if ((interval && !h->counted) || is_over(t, h))
			continue;
		const cpc_value_t v = t->events
					      ? threads_value(t, h, interval, t->key)
					      : (cpc_value_t){.quality = CPC_UNAVAILABLE};
		h->key = v.quality == CPC_UNAVAILABLE ? 0 : v.value;
		*sum += (double)h->key;
		sorted[(*n)++] = h;
	}
	if (sorted)
		qsort(sorted, *n, sizeof(struct thread *), compare);
	return sorted;
}
