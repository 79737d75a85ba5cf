#include "suite/profile/misses.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* The words of an entry of the profile's tally data. */
enum { KEY, ADDRESS, TID, IP, VALUE, RECORDS, LATENCY };

static int compare_numbers(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

/* Find the entries of a metric, which follow each other in the order of the addresses. */
static size_t find_entries(struct misses *s, const struct profile *p, unsigned metric)
{
	size_t first = 0, end = p->data.n;

	while (first < end) {
		const size_t mid = first + (end - first) / 2;

		if (profile_key_metric(*tally_entry(&p->data, mid)) < metric)
			first = mid + 1;
		else
			end = mid;
	}
	*s = (struct misses){.data = &p->data, .first = first};
	for (end = first; end < p->data.n; end++)
		if (profile_key_metric(*tally_entry(&p->data, end)) != metric)
			break;
	return end - first;
}

/* Return entry i of the metric. */
static const uint64_t *entry_of(const struct misses *s, size_t i)
{
	return tally_entry(s->data, s->first + i);
}

/* Append a place. Returns -1: ENOMEM. */
static int new_place(struct misses *s, struct misses_place place)
{
	if (array_grow(&s->place, s->n, sizeof *s->place) == -1) {
		misses_free(s);
		return -1;
	}
	s->place[s->n++] = place;
	return 0;
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
	if (place->n == 1) {
		place->threads = entry_of(s, place->first)[TID] != 0;
		return 0;
	}
	pid_t *tid = malloc(place->n * sizeof *tid);

	if (!tid)
		return -1;
	for (size_t i = 0; i < place->n; i++)
		tid[i] = (pid_t)entry_of(s, place->first + i)[TID];
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
		const uint64_t *entry = entry_of(s, place->first + i);
		const uint64_t *last = i ? entry_of(s, place->first + i - 1) : NULL;

		if (!last || last[ADDRESS] != entry[ADDRESS])
			place->addresses++;
		else if (last[TID] && last[TID] != entry[TID])
			place->shared_address = 1;
	}
}

/* By name; anonymous memory has none, and is told apart by its start. */
static int compare_objects(const void *a, const void *b)
{
	const struct misses_place *x = a, *y = b;
	int order = names_compare(x->data.name, y->data.name);

	if (!order)
		order = names_compare(x->data.module, y->data.module);
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

/* Sort the places, and leave out those after the first ones; most 0: none. */
static void cut(struct misses *s, size_t most)
{
	if (s->n)
		qsort(s->place, s->n, sizeof *s->place, compare_values);
	for (; most && s->n > most; s->n--) {
		s->left_n++;
		s->left_value += s->place[s->n - 1].value;
	}
}

/* Complete a place, and add it. There may be millions, of which few are wanted. */
static int end_place(struct misses *s, struct misses_place *place,
		     const struct misses_wanted *wanted)
{
	count_addresses(s, place);
	if (count_threads(s, place) == -1) {
		misses_free(s);
		return -1;
	}
	if (place->threads < wanted->threads)
		return 0;
	if (wanted->most && s->n / 2 >= wanted->most)
		cut(s, wanted->most);
	return new_place(s, *place);
}

int misses_by_unit(struct misses *s, const struct profile *p, unsigned metric,
		   const struct misses_wanted *wanted)
{
	const size_t n = find_entries(s, p, metric);
	struct misses_place place = {.n = 0};

	for (size_t i = 0; i < n; i++) {
		const uint64_t *entry = entry_of(s, i);
		const size_t input = profile_key_input(entry[KEY]);
		const uint64_t start = entry[ADDRESS] & ~(wanted->unit - 1);

		if (place.input != input || place.start != start || !place.n) {
			if (place.n && end_place(s, &place, wanted) == -1)
				return -1;
			place = (struct misses_place){
				.input = input, .start = start, .first = i};
		}
		add(&place, entry);
	}
	if (place.n && end_place(s, &place, wanted) == -1)
		return -1;
	cut(s, wanted->most);
	return 0;
}

int misses_by_object(struct misses *s, const struct profile *p, unsigned metric)
{
	const size_t n = find_entries(s, p, metric);

	for (size_t i = 0; i < n; i++) {
		const uint64_t *entry = entry_of(s, i);
		const size_t input = profile_key_input(entry[KEY]);
		const uint64_t address = entry[ADDRESS];
		struct misses_place *last = s->n ? &s->place[s->n - 1] : NULL;
		struct misses_place place = {.input = input};

		if (last && last->input == input &&
		    address - last->data.start < last->data.size) {
			add(last, entry);
			continue;
		}
		place.data = names_data(&p->input[input], address);
		if (last && compare_objects(last, &place) == 0)
			last->data = place.data;
		else if (new_place(s, place) == -1)
			return -1;
		add(&s->place[s->n - 1], entry);
	}
	if (s->n) {
		merge_objects(s);
		qsort(s->place, s->n, sizeof *s->place, compare_values);
	}
	return 0;
}

void misses_free(struct misses *s)
{
	free(s->place);
	*s = (struct misses){0};
}

static int compare_functions(const void *a, const void *b)
{
	const struct misses_function *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return names_compare(x->frame.function, y->frame.function);
}

static int same_function(const struct symbols_frame *x, const struct symbols_frame *y)
{
	return names_compare(x->function, y->function) == 0 &&
	       names_compare(x->module, y->module) == 0;
}

size_t misses_functions(struct misses_function *f, const struct profile *p,
			const struct misses *s, const struct misses_place *place)
{
	size_t n = 0;

	for (size_t i = 0; i < place->n; i++) {
		const uint64_t *entry = entry_of(s, place->first + i);
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
