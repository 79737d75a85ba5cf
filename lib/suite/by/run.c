#include "suite/by/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/saved/lines.h"
#include "suite/saved/row.h"

static int malformed(void)
{
	errno = EINVAL;
	return -1;
}

static const char *text_or_none(const struct saved_node *o, const char *key)
{
	const char *s = saved_text(o, key);

	return s ? s : "";
}

static int is_same(const struct saved_node *a, const struct saved_node *b)
{
	static const char *const key[] = {"name", "mode", "unit"};

	for (unsigned i = 0; i < sizeof key / sizeof key[0]; i++)
		if (strcmp(text_or_none(a, key[i]), text_or_none(b, key[i])) != 0)
			return 0;
	return 1;
}

/* Returns how often the event of a request stands in the sets up to the request. */
static unsigned count_same(const struct saved_node *sets, const struct saved_node *wanted)
{
	unsigned n = 0;

	for (const struct saved_node *s = saved_first(sets); s; s = saved_next(sets, s)) {
		const struct saved_node *all = saved_member(s, "requests");

		for (const struct saved_node *r = saved_first(all); r && r <= wanted;
		     r = saved_next(all, r))
			n += (unsigned)is_same(r, wanted);
	}
	return n;
}

/* The same event of two sets is two rows, because sets take turns. */
static void number_requests(struct by_run *run, const struct saved_node *sets)
{
	unsigned n = 0;

	for (const struct saved_node *s = saved_first(sets); s; s = saved_next(sets, s)) {
		const struct saved_node *all = saved_member(s, "requests");

		for (const struct saved_node *r = saved_first(all); r;
		     r = saved_next(all, r))
			run->nth[n++] = count_same(sets, r);
	}
}

static int take_sets(struct by_run *run)
{
	const struct saved_node *sets = saved_member(run->record, "sets");
	unsigned n = 0, i = 0;

	run->nsets = (unsigned)saved_size(sets);
	run->first = calloc(run->nsets + 1, sizeof *run->first);
	if (!run->first)
		return -1;
	for (const struct saved_node *s = saved_first(sets); s; s = saved_next(sets, s)) {
		run->first[i++] = n;
		n += (unsigned)saved_size(saved_member(s, "requests"));
	}
	run->first[i] = n;
	run->nth = calloc(n + 1, sizeof *run->nth);
	run->row = calloc(n + 1, sizeof *run->row);
	if (!run->nth || !run->row)
		return -1;
	number_requests(run, sets);
	return 0;
}

struct by_run *by_run_new(const struct saved_node *record)
{
	struct by_run *run = calloc(1, sizeof *run);

	if (!run)
		return NULL;
	run->record = saved_copy(record);
	run->engine = saved_text(run->record, "engine");
	run->model = text_or_none(run->record, "model");
	run->host = text_or_none(run->record, "host");
	if (run->record && (run->engine || malformed() == 0) && take_sets(run) == 0)
		return run;
	by_run_free(run);
	return NULL;
}

void by_run_free(struct by_run *run)
{
	const int error = errno;

	free(run->record);
	free(run->first);
	free(run->nth);
	free(run->row);
	free(run->staged);
	free(run);
	errno = error;
}

/* Rows come in the same order in each report. */
static struct by_staged *find_staged(struct by_run *run, unsigned row)
{
	for (unsigned i = 0; i < run->nstaged; i++) {
		const unsigned k = (run->last + 1 + i) % run->nstaged;

		if (run->staged[k].row == row) {
			run->last = k;
			return &run->staged[k];
		}
	}
	return NULL;
}

static struct by_staged *add_staged(struct by_run *run, unsigned row)
{
	if (run->nstaged == run->room) {
		const unsigned room = run->room ? 2 * run->room : 8;
		struct by_staged *grown = reallocarray(run->staged, room, sizeof *grown);

		if (!grown)
			return NULL;
		run->staged = grown;
		run->room = room;
	}
	run->last = run->nstaged;
	run->staged[run->nstaged] = (struct by_staged){row, 0, CPC_UNAVAILABLE};
	return &run->staged[run->nstaged++];
}

static int stage(struct by_run *run, unsigned row, values_number value,
		 cpc_class_t quality)
{
	struct by_staged *p = find_staged(run, row);

	if (!p)
		p = add_staged(run, row);
	if (!p)
		return -1;
	if (quality == CPC_UNAVAILABLE)
		return 0;
	p->value += value;
	if (p->quality == CPC_UNAVAILABLE || quality > p->quality)
		p->quality = quality;
	return 0;
}

/* The event of a value or of a series; scope, cgroup and nth are those of the record. */
struct place {
	const char *scope, *cgroup;
	unsigned nth;
	int has_key; /* key is of the record, not of the run */
	unsigned key;
};

static int find_row(struct by *b, const struct by_run *run,
		    const struct saved_node *event, const struct place *place,
		    unsigned *row)
{
	char nth[16] = "";

	if (place->nth > 1)
		snprintf(nth, sizeof nth, "%u", place->nth);
	const char *const field[VALUES_FIELDS] = {
		[VALUES_EVENT] = saved_text(event, "name"),
		[VALUES_MODE] = text_or_none(event, "mode"),
		[VALUES_UNIT] = text_or_none(event, "unit"),
		[VALUES_ENGINE] = run->engine,
		[VALUES_MODEL] = run->model,
		[VALUES_SCOPE] = place->scope,
		[VALUES_CGROUP] = place->cgroup,
		[VALUES_NTH] = nth,
	};
	return field[VALUES_EVENT] ? values_row(&b->values, field, row) : malformed();
}

/* Add the value of a request. *row is the row of its value in the record before. */
static int add_value(struct by *b, struct by_run *run, const struct saved_node *o,
		     const struct place *place, unsigned *row)
{
	const cpc_class_t quality = saved_class(saved_text(o, "class"));
	uint64_t value = 0;

	if (quality != CPC_UNAVAILABLE &&
	    saved_number(o, "value", UINT64_MAX, &value) == -1)
		return malformed();
	if (find_row(b, run, o, place, row) == -1)
		return -1;
	if (!place->has_key)
		return stage(run, *row, (values_number)value, quality);
	return values_add(&b->values, *row, place->key, (values_number)value, quality);
}

/* Find the number of a CPU or an LWP, which has its host before it. */
static int find_key(struct by *b, const struct by_run *run,
		    const struct saved_node *record, struct place *place)
{
	char key[400];
	uint64_t id, lwp;

	if (saved_number(record, b->kind == BY_CPU ? "id" : "pid", INT32_MAX, &id) == -1)
		return malformed();
	if (b->kind == BY_CPU)
		snprintf(key, sizeof key, "%.256s/%" PRIu64, run->host, id);
	else if (saved_number(record, "lwp", INT32_MAX, &lwp) == 0 ||
		 saved_number(record, "tid", INT32_MAX, &lwp) == 0)
		snprintf(key, sizeof key, "%.256s/%" PRIu64 ".%" PRIu64, run->host, id,
			 lwp);
	else
		return malformed();
	place->has_key = 1;
	return values_key(&b->values, key, &place->key);
}

/* The row "rest" has what the rows of processes lack. */
static const char *scope_of(const struct saved_node *record)
{
	const char *scope = text_or_none(record, "scope");
	const char *what = text_or_none(record, "what");

	return strcmp(scope, "tree") == 0 && strcmp(what, "rest") == 0 ? "process"
								       : scope;
}

int by_run_values(struct by *b, struct by_run *run, const struct saved_node *record)
{
	const struct saved_node *values = saved_member(record, "values");
	struct place place = {.scope = scope_of(record), .cgroup = ""};
	uint64_t set;

	if (strcmp(place.scope, "cgroup") == 0)
		place.cgroup = text_or_none(record, "id");
	if (saved_number(record, "set", UINT32_MAX, &set) == -1 || set >= run->nsets ||
	    saved_size(values) != run->first[set + 1] - run->first[set])
		return malformed();
	if ((b->kind == BY_CPU || b->kind == BY_LWP) &&
	    find_key(b, run, record, &place) == -1)
		return -1;
	unsigned request = run->first[set];
	for (const struct saved_node *v = saved_first(values); v;
	     v = saved_next(values, v)) {
		place.nth = run->nth[request];
		if (add_value(b, run, v, &place, &run->row[request]) == -1)
			return -1;
		request++;
	}
	return 0;
}

int by_run_series(struct by *b, struct by_run *run, const struct saved_node *record)
{
	const struct saved_node *events = saved_member(record, "events");
	struct place place = {.scope = "series", .cgroup = ""};
	uint64_t number;

	if (saved_number(record, "series", INT32_MAX, &number) == -1)
		return malformed();
	place.nth = (unsigned)number + 1;
	for (const struct saved_node *event = saved_first(events); event;
	     event = saved_next(events, event)) {
		const struct saved_node *median = saved_member(event, "median");
		const cpc_class_t quality =
			saved_is_number(median) ? saved_class(saved_text(event, "class"))
						: CPC_UNAVAILABLE;
		unsigned row = 0;

		if (find_row(b, run, event, &place, &row) == -1 ||
		    stage(run, row, saved_real(median), quality) == -1)
			return -1;
	}
	return 0;
}

/* Medians cannot be added. Returns whether the value must be left out. */
static int has_series(const struct by *b, const struct by_run *run, unsigned row)
{
	const struct values_row *r = &b->values.row[row];

	return strcmp(r->field[VALUES_SCOPE], "series") == 0 && run->key < r->cells &&
	       r->cell[run->key].has_value;
}

int by_run_commit(struct by *b, const struct by_run *run, const char *path)
{
	int is_left_out = 0;

	for (unsigned i = 0; run->has_key && i < run->nstaged; i++) {
		const struct by_staged *p = &run->staged[i];

		if (has_series(b, run, p->row))
			is_left_out = 1;
		else if (values_add(&b->values, p->row, run->key, p->value, p->quality) ==
			 -1)
			return -1;
	}
	if (is_left_out)
		by_find(b, BY_SERIES, path);
	return 0;
}
