#include "suite/series/saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* The version of the records that this reader knows. */
enum { SCHEMA = 2 };

static const char *text_of(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

/* Take a record: the facts of the run, or the runs of a command. */
static int take(struct saved *s, json_t *record, char *err, size_t size)
{
	const char *kind = text_of(record, "record");

	if (!kind || json_integer_value(json_object_get(record, "schema")) > SCHEMA) {
		snprintf(err, size, "it has a line that is no record of schema %d",
			 SCHEMA);
		return -1;
	}
	if (strcmp(kind, "run") == 0) {
		json_decref(s->run);
		s->run = json_incref(record);
	} else if (strcmp(kind, "series") == 0) {
		json_decref(s->series);
		s->series = json_incref(record);
	}
	return 0;
}

static int read_lines(struct saved *s, FILE *f, char *err, size_t size)
{
	char *line = NULL;
	size_t room = 0;
	int rc = 0;

	for (unsigned n = 1; rc == 0 && getline(&line, &room, f) != -1; n++) {
		json_error_t error;
		json_t *record = json_loads(line, JSON_REJECT_DUPLICATES, &error);

		if (!record)
			snprintf(err, size, "line %u is not JSON: %s", n, error.text);
		rc = record ? take(s, record, err, size) : -1;
		json_decref(record);
	}
	free(line);
	return rc;
}

static int malformed(char *err, size_t size)
{
	snprintf(err, size, "its record of the kind series is malformed");
	return -1;
}

static int fill_event(struct runs_event *e, const json_t *o)
{
	const char *kind = text_of(o, "kind");

	*e = (struct runs_event){.name = text_of(o, "name"),
				 .mode = text_of(o, "mode"),
				 .unit = text_of(o, "unit")};
	if (!e->name || !kind)
		return -1;
	e->kind = strcmp(kind, "count") == 0 ? RUNS_COUNT : RUNS_NOISY;
	return 0;
}

/* Add run i, which has a value or null of each event. */
static int fill_run(struct saved *s, const json_t *events, size_t i)
{
	uint64_t value[s->runs.nevents + 1];
	cpc_class_t quality[s->runs.nevents + 1];

	for (unsigned k = 0; k < s->runs.nevents; k++) {
		const json_t *all = json_object_get(json_array_get(events, k), "values");
		const json_t *v = json_array_get(all, i);

		if (!json_is_null(v) &&
		    (!json_is_integer(v) || json_integer_value(v) < 0))
			return -1;
		value[k] = (uint64_t)json_integer_value(v);
		quality[k] = json_is_null(v) ? CPC_UNAVAILABLE : CPC_EXACT;
	}
	return runs_add(&s->runs, value, quality);
}

/* Files of earlier versions lack these facts. */
static void fill_facts(struct facts *f, const json_t *series)
{
	const json_t *start = json_object_get(series, "start_bytes");
	const json_t *cwd = json_object_get(series, "cwd_bytes");
	const char *program = text_of(series, "program_hash");

	facts_none(f);
	if (json_is_integer(start))
		f->start_bytes = json_integer_value(start);
	if (json_is_integer(cwd))
		f->cwd_bytes = json_integer_value(cwd);
	if (program)
		snprintf(f->program, sizeof f->program, "%s", program);
}

static int fill(struct saved *s, char *err, size_t size)
{
	const json_t *events = json_object_get(s->series, "events");
	const size_t n = json_array_size(events);
	const size_t runs =
		json_array_size(json_object_get(json_array_get(events, 0), "values"));

	s->event = n && n < 10000 ? calloc(n, sizeof *s->event) : NULL;
	if (!s->event)
		return malformed(err, size);
	s->runs = (struct runs){.command = text_of(s->series, "command"),
				.nevents = (unsigned)n,
				.event = s->event};
	for (size_t i = 0; i < n; i++)
		if (fill_event(&s->event[i], json_array_get(events, i)) == -1)
			return malformed(err, size);
	for (size_t i = 0; i < runs; i++)
		if (fill_run(s, events, i) == -1)
			return malformed(err, size);
	if (!s->runs.command)
		return malformed(err, size);
	s->was = (struct comparable){.engine = text_of(s->run, "engine"),
				     .model = text_of(s->run, "model"),
				     .reproducible = text_of(s->run, "reproducible"),
				     .version = text_of(s->run, "version"),
				     .processor = text_of(s->run, "cpu_model"),
				     .runs = &s->runs};
	fill_facts(&s->was.facts, s->series);
	return 0;
}

int saved_read(struct saved *s, const char *path, char *err, size_t size)
{
	FILE *f = fopen(path, "re");

	*s = (struct saved){0};
	if (!f) {
		snprintf(err, size, "%s", strerror(errno));
		return -1;
	}
	int rc = read_lines(s, f, err, size);
	fclose(f);
	if (rc == 0 && (!s->run || !s->series)) {
		snprintf(err, size, "it has no runs of --repeat or --vs");
		rc = -1;
	}
	return rc == 0 ? fill(s, err, size) : -1;
}

void saved_free(struct saved *s)
{
	runs_free(&s->runs);
	free(s->event);
	json_decref(s->run);
	json_decref(s->series);
	*s = (struct saved){0};
}
