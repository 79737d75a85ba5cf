#include "suite/saved/intervals.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "suite/saved/lines.h"

/* A reason for which a record is refused, for a taker of lines. */
struct reason {
	char *why;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct reason *r,
							const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->why, r->size, fmt, ap);
	va_end(ap);
	text_clean(r->why, "");
	return -1;
}

/* Reading the fields of a record has failed with errno. */
static int refuse_fields(const struct reason *r, const char *what)
{
	if (errno == ENOMEM)
		return refuse(r, "%s", strerror(errno));
	return refuse(r, "the fields of its %s are missing or malformed", what);
}

static int begin(struct saved_intervals *s, const struct saved_line *line,
		 const struct reason *r)
{
	if (line->kind != SAVED_RUN)
		return refuse(r, "the file does not begin with the record of a run");
	/* The text is printed again, as JSON, and may hold commands to a terminal. */
	struct textbuf text = {0};
	quote_json_line(&text, line->text, line->len);
	s->text = textbuf_end(&text);
	if (!s->text)
		return refuse(r, "%s", strerror(ENOMEM));
	if (saved_run_read(&s->run, line->json) == -1)
		return refuse_fields(r, "run");
	if (strcmp(s->run.run.tool, "cpustat") != 0)
		return refuse(r, "the run is of %s, not of cpustat; cpcreport shows it",
			      s->run.run.tool);
	if (s->run.sets.n == 0)
		return refuse(r, "the run has no events");
	for (unsigned i = 0; i < s->run.sets.n; i++)
		if (!s->run.sets.set[i].pic)
			return refuse(r, "an event of the run has no counter");
	s->run.run.text = s->text;
	return s->to->begin(s->to->arg, &s->run);
}

/* Hand over the interval that is complete, if there is one. */
static int complete(struct saved_intervals *s)
{
	struct cpu_interval *i = &s->now;

	if (i->number == 0)
		return 0;
	for (unsigned k = 0; k < i->n; k++)
		s->sample[k].value = s->value + (size_t)k * s->run.sets.set[i->set].n;
	i->sample = s->sample;
	s->last = i->number;
	const int rc = s->to->interval(s->to->arg, i);
	*i = (struct cpu_interval){.number = 0};
	return rc;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Return the one string that has this path, or NULL with ENOMEM. */
static const char *path_of(struct saved_intervals *s, const char *path)
{
	char **const found = tfind(path, &s->paths, compare_paths);

	if (found)
		return *found;
	char *const copy = strdup(path);
	char **const added = copy ? tsearch(copy, &s->paths, compare_paths) : NULL;
	if (!added)
		free(copy);
	return added ? *added : NULL;
}

static int make_room(struct saved_intervals *s, size_t samples, size_t values)
{
	if (s->sample_room < samples) {
		void *grown = reallocarray(s->sample, 2 * samples, sizeof *s->sample);

		if (!grown)
			return -1;
		s->sample = grown;
		s->sample_room = 2 * samples;
	}
	if (s->value_room < values || !s->value) {
		void *grown = reallocarray(s->value, 2 * values + 1, sizeof *s->value);

		if (!grown)
			return -1;
		s->value = grown;
		s->value_room = 2 * values;
	}
	return 0;
}

/* Add the row to its interval. */
static int add(struct saved_intervals *s, const struct reason *r)
{
	const struct row *row = &s->row.row;
	const unsigned n = row->set->n, at = s->now.n;

	if (make_room(s, at + 1, (size_t)(at + 1) * n) == -1)
		return refuse(r, "%s", strerror(ENOMEM));
	const char *path = row->cgroup ? path_of(s, row->cgroup) : NULL;
	if (row->cgroup && !path)
		return refuse(r, "%s", strerror(ENOMEM));
	s->sample[at] = (struct cpu_sample){.cpu = row->id,
					    .core = row->core,
					    .socket = row->socket,
					    .ns = row->ns,
					    .tick = row->tick,
					    .cgroup = path};
	if (n > 0)
		memcpy(s->value + (size_t)at * n, row->value, n * sizeof *row->value);
	s->now.n++;
	return 0;
}

/* Check that the samples of an interval are by ascending path and CPU. */
static int check_order(const struct saved_intervals *s, const struct row *row,
		       const struct reason *r)
{
	const struct cpu_sample *before = &s->sample[s->now.n - 1];
	const int order = row->cgroup ? strcmp(row->cgroup, before->cgroup) : 0;

	if (order < 0)
		return refuse(r, "cgroup '%s' comes after cgroup '%s' in an interval",
			      row->cgroup, before->cgroup);
	if (order == 0 && row->id <= before->cpu)
		return refuse(r, "CPU %d comes after CPU %d in an interval", row->id,
			      before->cpu);
	return 0;
}

/* Begin a new interval with the row, or check that it belongs to the present one. */
static int find_interval(struct saved_intervals *s, const struct row *row,
			 const struct reason *r)
{
	if (row->interval == s->now.number)
		return row->index == s->now.set
			       ? check_order(s, row, r)
			       : refuse(r, "its set is not that of its interval");
	if (complete(s) == -1)
		return -1;
	if (row->interval <= s->last)
		return refuse(r, "interval %" PRIu64 " comes after interval %" PRIu64,
			      row->interval, s->last);
	s->now = (struct cpu_interval){.number = row->interval, .set = row->index};
	return 0;
}

static int take_sample(struct saved_intervals *s, const struct saved_line *line,
		       const struct reason *r)
{
	const struct row *row = &s->row.row;

	if (saved_row_read(&s->row, line, &s->run.sets) == -1)
		return refuse_fields(r, "sample");
	if (s->row.scope != ROW_CPUS || row->id < 0 || row->interval == 0 || !row->set)
		return refuse(r,
			      "it is not the sample of one CPU; -O saves those of CPUs, "
			      "and cpcreport shows others");
	if (s->run.has_cgroups != (row->cgroup != NULL))
		return refuse(r, "it is the sample of a %s, which the run does not count",
			      row->cgroup ? "cgroup" : "whole CPU");
	return find_interval(s, row, r) == -1 ? -1 : add(s, r);
}

/* The first total of a cgroup tells that it has ended. */
static int take_total(struct saved_intervals *s, const struct saved_line *line)
{
	const char *path = saved_text(line->json, "id");

	if (complete(s) == -1)
		return -1;
	char **const found = path ? tfind(path, &s->paths, compare_paths) : NULL;
	if (!found)
		return 0;
	char *const ended = *found;
	s->to->ended(s->to->arg, ended);
	tdelete(ended, &s->paths, compare_paths);
	free(ended);
	return 0;
}

static int take_end(struct saved_intervals *s, const struct saved_line *line,
		    const struct reason *r)
{
	struct record_use use;
	uint64_t records;

	if (complete(s) == -1)
		return -1;
	if (saved_number(line->json, "records", UINT64_MAX, &records) == -1)
		return refuse_fields(r, "end");
	if (records != s->records)
		return refuse(r,
			      "the run has %" PRIu64 " records, but %" PRIu64
			      " are in the file",
			      records, s->records);
	saved_run_end(&s->end, &use, line->json);
	s->end.use = NULL;
	s->has_end = 1;
	return 0;
}

static int take(void *arg, const struct saved_line *line, char *why, size_t size)
{
	struct saved_intervals *s = arg;
	const struct reason r = {why, size};

	s->records++;
	if (!s->text)
		return begin(s, line, &r);
	if (line->kind == SAVED_RUN || strcmp(line->run, s->run.run.row.id) != 0)
		return refuse(&r, "it is of another run; cpcreport shows several runs");
	if (s->has_end)
		return refuse(&r, "it comes after the end of the run");
	switch (line->kind) {
	case SAVED_SAMPLE:
		return take_sample(s, line, &r);
	case SAVED_TOTAL:
		return take_total(s, line);
	case SAVED_END:
		return take_end(s, line, &r);
	default:
		return 0;
	}
}

int saved_intervals_read(struct saved_intervals *s, const char *path,
			 const struct saved_intervals_taker *to, char *why, size_t size)
{
	const struct saved_taker taker = {s, take};

	s->to = to;
	if (saved_lines(path, &taker, why, size) == -1)
		return -1;
	if (s->has_end)
		return 0;
	if (!s->text)
		snprintf(why, size, "the file is empty");
	else
		snprintf(why, size,
			 "the run has no end: it was killed or could not write; its last "
			 "interval, of which samples may be missing, is left out");
	return -1;
}

void saved_intervals_free(struct saved_intervals *s)
{
	tdestroy(s->paths, free);
	saved_row_free(&s->row);
	saved_run_free(&s->run);
	free(s->sample);
	free(s->value);
	free(s->text);
	*s = (struct saved_intervals){.text = NULL};
}
