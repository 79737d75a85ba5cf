#include "suite/by/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "suite/saved/lines.h"
#include "suite/saved/row.h"

static int malformed(void)
{
	errno = EINVAL;
	return -1;
}

static const char *text_or_none(const json_t *o, const char *key)
{
	const char *s = saved_text(o, key);

	return s ? s : "";
}

/* Returns the requests of a set, an array, or NULL. */
static const json_t *requests(const json_t *record, unsigned set)
{
	return json_object_get(json_array_get(json_object_get(record, "sets"), set),
			       "requests");
}

static int is_same(const json_t *a, const json_t *b)
{
	static const char *const key[] = {"name", "mode", "unit"};

	for (unsigned i = 0; i < sizeof key / sizeof key[0]; i++)
		if (strcmp(text_or_none(a, key[i]), text_or_none(b, key[i])) != 0)
			return 0;
	return 1;
}

/* Returns how often an event stands in the sets up to request i of a set. */
static unsigned count_same(const json_t *record, unsigned set, unsigned i)
{
	const json_t *wanted = json_array_get(requests(record, set), i);
	unsigned n = 0;

	for (unsigned s = 0; s <= set; s++) {
		const json_t *all = requests(record, s);
		const size_t end = s < set ? json_array_size(all) : i + 1;

		for (size_t k = 0; k < end; k++)
			n += (unsigned)is_same(json_array_get(all, k), wanted);
	}
	return n;
}

/* The same event of two sets is two rows, because sets take turns. */
static int number_requests(struct by_run *run)
{
	unsigned n = 0;

	run->nsets = (unsigned)json_array_size(json_object_get(run->record, "sets"));
	run->first = calloc(run->nsets + 1, sizeof *run->first);
	if (!run->first)
		return -1;
	for (unsigned s = 0; s < run->nsets; s++) {
		run->first[s] = n;
		n += (unsigned)json_array_size(requests(run->record, s));
	}
	run->first[run->nsets] = n;
	run->nth = calloc(n + 1, sizeof *run->nth);
	if (!run->nth)
		return -1;
	for (unsigned s = 0; s < run->nsets; s++)
		for (unsigned i = run->first[s]; i < run->first[s + 1]; i++)
			run->nth[i] = count_same(run->record, s, i - run->first[s]);
	return 0;
}

struct by_run *by_run_new(json_t *record)
{
	struct by_run *run = calloc(1, sizeof *run);

	if (!run)
		return NULL;
	*run = (struct by_run){.record = json_incref(record),
			       .engine = saved_text(record, "engine"),
			       .model = text_or_none(record, "model"),
			       .host = text_or_none(record, "host")};
	if ((run->engine || malformed() == 0) && number_requests(run) == 0)
		return run;
	by_run_free(run);
	return NULL;
}

void by_run_free(struct by_run *run)
{
	const int error = errno;

	json_decref(run->record);
	free(run->first);
	free(run->nth);
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

static int find_row(struct by *b, const struct by_run *run, const json_t *event,
		    const struct place *place, unsigned *row)
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

static int add_value(struct by *b, struct by_run *run, const json_t *o,
		     const struct place *place)
{
	const cpc_class_t quality = saved_class(saved_text(o, "class"));
	uint64_t value = 0;
	unsigned row;

	if (quality != CPC_UNAVAILABLE &&
	    saved_number(o, "value", UINT64_MAX, &value) == -1)
		return malformed();
	if (find_row(b, run, o, place, &row) == -1)
		return -1;
	if (!place->has_key)
		return stage(run, row, (values_number)value, quality);
	return values_add(&b->values, row, place->key, (values_number)value, quality);
}

/* Find the number of a CPU or an LWP, which has its host before it. */
static int find_key(struct by *b, const struct by_run *run, const json_t *record,
		    struct place *place)
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
static const char *scope_of(const json_t *record)
{
	const char *scope = text_or_none(record, "scope");
	const char *what = text_or_none(record, "what");

	return strcmp(scope, "tree") == 0 && strcmp(what, "rest") == 0 ? "process"
								       : scope;
}

int by_run_values(struct by *b, struct by_run *run, const json_t *record)
{
	const json_t *values = json_object_get(record, "values");
	struct place place = {.scope = scope_of(record), .cgroup = ""};
	uint64_t set;

	if (strcmp(place.scope, "cgroup") == 0)
		place.cgroup = text_or_none(record, "id");
	if (saved_number(record, "set", UINT32_MAX, &set) == -1 || set >= run->nsets ||
	    json_array_size(values) != run->first[set + 1] - run->first[set])
		return malformed();
	if ((b->kind == BY_CPU || b->kind == BY_LWP) &&
	    find_key(b, run, record, &place) == -1)
		return -1;
	for (unsigned i = 0; i < json_array_size(values); i++) {
		place.nth = run->nth[run->first[set] + i];
		if (add_value(b, run, json_array_get(values, i), &place) == -1)
			return -1;
	}
	return 0;
}

int by_run_series(struct by *b, struct by_run *run, const json_t *record)
{
	const json_t *events = json_object_get(record, "events");
	struct place place = {.scope = "series", .cgroup = ""};
	uint64_t number;

	if (saved_number(record, "series", INT32_MAX, &number) == -1)
		return malformed();
	place.nth = (unsigned)number + 1;
	for (unsigned i = 0; i < json_array_size(events); i++) {
		const json_t *event = json_array_get(events, i);
		const json_t *median = json_object_get(event, "median");
		const cpc_class_t quality =
			json_is_number(median) ? saved_class(saved_text(event, "class"))
					       : CPC_UNAVAILABLE;
		unsigned row;

		if (find_row(b, run, event, &place, &row) == -1 ||
		    stage(run, row, json_number_value(median), quality) == -1)
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
