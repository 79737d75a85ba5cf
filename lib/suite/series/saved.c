#include "suite/series/saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/saved/lines.h"
#include "suite/saved/row.h"
#include "suite/where/json.h"

enum { MOST_EVENTS = 10000 };

static int malformed(void)
{
	errno = EINVAL;
	return -1;
}

static int fill_event(struct runs_event *e, const struct saved_node *o)
{
	const char *kind = saved_text(o, "kind");

	*e = (struct runs_event){.name = saved_text(o, "name"),
				 .mode = saved_text(o, "mode"),
				 .unit = saved_text(o, "unit")};
	if (!e->name || !kind)
		return malformed();
	e->kind = strcmp(kind, "count") == 0 ? RUNS_COUNT : RUNS_NOISY;
	return 0;
}

/* The class of the values of an event that are known. */
static cpc_class_t class_of(const struct saved_node *event)
{
	const cpc_class_t class = saved_class(saved_text(event, "class"));

	return class == CPC_UNAVAILABLE ? CPC_EXACT : class;
}

/* Add run i, which has a value or null of each event. */
static int fill_run(struct saved_series *s, const struct saved_node *events, size_t i)
{
	uint64_t value[s->runs.nevents];
	cpc_class_t quality[s->runs.nevents];
	const struct saved_node *event = saved_first(events);

	for (unsigned k = 0; k < s->runs.nevents; k++) {
		const struct saved_node *v =
			saved_element(saved_member(event, "values"), i);
		const int is_null = saved_is(v, NODE_NULL);

		value[k] = 0;
		quality[k] = is_null ? CPC_UNAVAILABLE : class_of(event);
		if (!is_null && saved_value(v, UINT64_MAX, &value[k]) == -1)
			return malformed();
		event = saved_next(events, event);
	}
	return runs_add(&s->runs, value, quality);
}

static int fill_runs(struct saved_series *s, const struct saved_node *events, size_t n)
{
	const struct saved_node *event = saved_first(events);

	for (unsigned i = 0; i < s->runs.nevents; i++) {
		if (fill_event(&s->event[i], event) == -1)
			return -1;
		if (saved_size(saved_member(event, "values")) != n)
			return malformed();
		event = saved_next(events, event);
	}
	for (size_t i = 0; i < n; i++)
		if (fill_run(s, events, i) == -1)
			return -1;
	return 0;
}

/* Files of earlier versions lack these facts. */
static void fill_facts(struct facts *f, const struct saved_node *series)
{
	const char *program = saved_text(series, "program_hash");
	uint64_t v;

	facts_none(f);
	if (saved_number(series, "start_bytes", INT64_MAX, &v) == 0)
		f->start_bytes = (int64_t)v;
	if (saved_number(series, "cwd_bytes", INT64_MAX, &v) == 0)
		f->cwd_bytes = (int64_t)v;
	if (program)
		snprintf(f->program, sizeof f->program, "%s", program);
}

/* Warnings of later versions are left out, and those whose event the runs lack. */
static int fill_warnings(struct saved_series *s, const struct saved_node *series)
{
	const struct saved_node *warnings = saved_member(series, "warnings");

	for (const struct saved_node *w = saved_first(warnings); w;
	     w = saved_next(warnings, w)) {
		const char *name = saved_text(w, "id");
		const char *event = saved_text(w, "event");

		if (name && (!event || runs_find(&s->runs, event, NULL) >= 0) &&
		    warnings_add(&s->warnings, name, event) == -1)
			return -1;
	}
	return 0;
}

int saved_series_read(struct saved_series *s, const struct saved_node *all)
{
	uint64_t status = 0;

	*s = (struct saved_series){.record = saved_copy(all)};
	if (!s->record)
		return -1;
	const struct saved_node *record = s->record;
	const struct saved_node *events = saved_member(record, "events");
	const size_t n = saved_size(events);
	fill_facts(&s->facts, record);
	s->runs.command = saved_text(record, "command");
	if (!s->runs.command || n == 0 || n > MOST_EVENTS)
		return malformed();
	if (saved_number(record, "series", INT32_MAX, &s->number) == -1)
		s->number = 0;
	if (saved_number(record, "command_status", 255, &status) == 0)
		s->runs.ending.status = (int)status;
	s->event = calloc(n, sizeof *s->event);
	if (!s->event)
		return -1;
	s->runs.nevents = (unsigned)n;
	s->runs.event = s->event;
	if (fill_runs(s, events,
		      saved_size(saved_member(saved_element(events, 0), "values"))) == -1)
		return -1;
	return fill_warnings(s, record);
}

void saved_series_free(struct saved_series *s)
{
	runs_free(&s->runs);
	warnings_free(&s->warnings);
	where_free(s->where);
	free(s->event);
	free(s->record);
	*s = (struct saved_series){0};
}

int saved_series_function(struct saved_series *s, const struct saved_node *record)
{
	if (!s->where)
		s->where = where_new(s->runs.nevents);
	return s->where ? where_json_read(s->where, record) : -1;
}

struct comparable saved_comparable(const struct saved_node *run,
				   const struct saved_series *s)
{
	return (struct comparable){.engine = saved_text(run, "engine"),
				   .model = saved_text(run, "model"),
				   .reproducible = saved_text(run, "reproducible"),
				   .version = saved_text(run, "version"),
				   .processor = saved_text(run, "cpu_model"),
				   .runs = &s->runs,
				   .facts = s->facts};
}

static int refuse(const char *kind, char *why, size_t size)
{
	if (errno == EINVAL)
		snprintf(why, size, "the record of the kind %s is malformed", kind);
	else
		snprintf(why, size, "%s", strerror(errno));
	return -1;
}

static int take_series(struct saved *s, const struct saved_node *record, char *why,
		       size_t size)
{
	saved_series_free(&s->series);
	return saved_series_read(&s->series, record) == 0 ? 0
							  : refuse("series", why, size);
}

/* Take a record: the facts of the run, or the runs of a command. */
static int take(void *arg, const struct saved_line *line, char *why, size_t size)
{
	struct saved *s = arg;

	if (line->kind == SAVED_RUN) {
		free(s->run);
		s->run = saved_copy(line->json);
		return s->run ? 0 : refuse("run", why, size);
	} else if (line->kind == SAVED_SERIES) {
		return take_series(s, line->json, why, size);
	} else if (line->kind == SAVED_FUNCTION && s->series.record &&
		   saved_series_function(&s->series, line->json) == -1) {
		/* The functions of a series follow its record. */
		return refuse("function", why, size);
	}
	return 0;
}

int saved_read(struct saved *s, const char *path, char *err, size_t size)
{
	const struct saved_taker taker = {.arg = s, .take = take};

	*s = (struct saved){.run = NULL};
	if (saved_lines(path, &taker, err, size) == -1)
		return -1;
	if (!s->run || !s->series.record) {
		snprintf(err, size, "it has no runs of --repeat or --vs");
		return -1;
	}
	if (s->series.where)
		where_sort(s->series.where);
	s->was = saved_comparable(s->run, &s->series);
	return 0;
}

void saved_free(struct saved *s)
{
	saved_series_free(&s->series);
	free(s->run);
	*s = (struct saved){.run = NULL};
}
