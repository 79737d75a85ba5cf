#include "suite/profile/misses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The words of an entry of the profile's tally data. */
enum { KEY, IP, ADDRESS, VALUE, RECORDS, LATENCY };

static pid_t tid_of(const uint64_t *entry)
{
	return (pid_t)(uint32_t)entry[KEY];
}

static int compare_numbers(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

/* By input, address, thread and instruction. */
static int compare_entries(const void *a, const void *b)
{
	const uint64_t *x = *(const uint64_t *const *)a, *y = *(const uint64_t *const *)b;
	int order = compare_numbers(profile_key_input(x[KEY]), profile_key_input(y[KEY]));

	if (!order)
		order = compare_numbers(x[ADDRESS], y[ADDRESS]);
	if (!order)
		order = compare_numbers(x[KEY], y[KEY]);
	return order ? order : compare_numbers(x[IP], y[IP]);
}

/* Set s->entry, and make room for as many places. Returns the number of entries. */
static size_t prepare(struct misses *s, const struct profile *p, unsigned metric)
{
	size_t n = 0;

	*s = (struct misses){.entry = calloc(p->data.n + 1, sizeof *s->entry),
			     .place = calloc(p->data.n + 1, sizeof *s->place)};
	if (!s->entry || !s->place) {
		misses_free(s);
		return 0;
	}
	for (size_t i = 0; i < p->data.n; i++)
		if (profile_key_metric(*tally_entry(&p->data, i)) == metric)
			s->entry[n++] = tally_entry(&p->data, i);
	qsort(s->entry, n, sizeof *s->entry, compare_entries);
	return n;
}

static void add(struct misses_place *place, const uint64_t *entry)
{
	place->value += entry[VALUE];
	place->records += entry[RECORDS];
	place->latency += entry[LATENCY];
	place->n++;
}

static int compare_tids(const void *a, const void *b)
{
	const pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return x < y ? -1 : x > y;
}

/* Count the threads of a place; a thread that is not known does not count. */
static int count_threads(const struct misses *s, struct misses_place *place)
{
	pid_t *tid = malloc(place->n * sizeof *tid);

	if (!tid)
		return -1;
	for (size_t i = 0; i < place->n; i++)
		tid[i] = tid_of(s->entry[place->first + i]);
	qsort(tid, place->n, sizeof *tid, compare_tids);
	for (size_t i = 0; i < place->n; i++)
		place->threads += tid[i] && (i == 0 || tid[i] != tid[i - 1]);
	free(tid);
	return 0;
}

/* Count the addresses of a place, whose entries are in their order. */
static void count_addresses(const struct misses *s, struct misses_place *place)
{
	for (size_t i = 0; i < place->n; i++) {
		const uint64_t *entry = s->entry[place->first + i];
		const uint64_t *last = i ? s->entry[place->first + i - 1] : NULL;

		if (!last || last[ADDRESS] != entry[ADDRESS])
			place->addresses++;
		else if (tid_of(last) && tid_of(last) != tid_of(entry))
			place->shared_address = 1;
	}
}

static int compare_words(const char *a, const char *b)
{
	if (a == b)
		return 0;
	if (!a || !b)
		return a ? -1 : 1;
	return strcmp(a, b);
}

/* By name; anonymous memory has none, and is told apart by its start. */
static int compare_objects(const void *a, const void *b)
{
	const struct misses_place *x = a, *y = b;
	int order = compare_words(x->data.name, y->data.name);

	if (!order)
		order = compare_words(x->data.module, y->data.module);
	if (!order && !x->data.name)
		order = compare_numbers(x->data.start, y->data.start);
	return order;
}

static int compare_values(const void *a, const void *b)
{
	const struct misses_place *x = a, *y = b;
	int order = compare_numbers(y->value, x->value);

	if (!order)
		order = compare_objects(x, y);
	if (!order)
		order = compare_numbers(x->input, y->input);
	return order ? order : compare_numbers(x->start, y->start);
}

/* Put places with the same name together. */
static void merge_objects(struct misses *s)
{
	size_t n = 0;

	qsort(s->place, s->n, sizeof *s->place, compare_objects);
	for (size_t i = 0; i < s->n; i++) {
		struct misses_place *last = n ? &s->place[n - 1] : NULL;

		if (last && compare_objects(last, &s->place[i]) == 0) {
			last->value += s->place[i].value;
			last->records += s->place[i].records;
			last->latency += s->place[i].latency;
		} else {
			s->place[n++] = s->place[i];
		}
	}
	s->n = n;
}

int misses_by_unit(struct misses *s, const struct profile *p, unsigned metric,
		   uint64_t unit)
{
	const size_t n = prepare(s, p, metric);

	if (!s->entry)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const uint64_t *entry = s->entry[i];
		const size_t input = profile_key_input(entry[KEY]);
		const uint64_t start = entry[ADDRESS] & ~(unit - 1);
		struct misses_place *last = s->n ? &s->place[s->n - 1] : NULL;

		if (!last || last->input != input || last->start != start)
			s->place[s->n++] = (struct misses_place){
				.input = input, .start = start, .first = i};
		add(&s->place[s->n - 1], entry);
	}
	for (size_t i = 0; i < s->n; i++) {
		count_addresses(s, &s->place[i]);
		if (count_threads(s, &s->place[i]) == -1) {
			misses_free(s);
			return -1;
		}
	}
	qsort(s->place, s->n, sizeof *s->place, compare_values);
	return 0;
}

int misses_by_object(struct misses *s, const struct profile *p, unsigned metric)
{
	const size_t n = prepare(s, p, metric);

	if (!s->entry)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const uint64_t *entry = s->entry[i];
		const size_t input = profile_key_input(entry[KEY]);
		const uint64_t address = entry[ADDRESS];
		struct misses_place *last = s->n ? &s->place[s->n - 1] : NULL;

		if (!last || last->input != input ||
		    address - last->data.start >= last->data.size)
			s->place[s->n++] = (struct misses_place){
				.input = input,
				.data = names_data(&p->input[input], address)};
		add(&s->place[s->n - 1], entry);
	}
	merge_objects(s);
	qsort(s->place, s->n, sizeof *s->place, compare_values);
	return 0;
}

void misses_free(struct misses *s)
{
	free(s->entry);
	free(s->place);
	*s = (struct misses){0};
}

static int compare_functions(const void *a, const void *b)
{
	const struct misses_function *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return compare_words(x->frame.function, y->frame.function);
}

static int same_function(const struct symbols_frame *x, const struct symbols_frame *y)
{
	return compare_words(x->function, y->function) == 0 &&
	       compare_words(x->module, y->module) == 0;
}

size_t misses_functions(struct misses_function *f, const struct profile *p,
			const struct misses *s, const struct misses_place *place)
{
	size_t n = 0;

	for (size_t i = 0; i < place->n; i++) {
		const uint64_t *entry = s->entry[place->first + i];
		const struct symbols_frame frame =
			profile_symbol(p, place->input, entry[IP]);
		size_t k = 0;

		while (k < n && !same_function(&f[k].frame, &frame))
			k++;
		if (k == MISSES_FUNCTIONS)
			continue;
		if (k == n)
			f[n++] = (struct misses_function){.frame = frame};
		f[k].value += entry[VALUE];
	}
	qsort(f, n, sizeof *f, compare_functions);
	return n;
}
