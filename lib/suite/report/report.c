#include "suite/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "suite/report/text.h"
#include "suite/saved/lines.h"

const struct report_writer *const report_writers[] = {&report_text, NULL};

const struct report_writer *report_writer(const char *name)
{
	for (unsigned i = 0; report_writers[i]; i++)
		if (strcmp(report_writers[i]->name, name) == 0)
			return report_writers[i];
	return NULL;
}

/* Write the text so far. */
static int flush(struct report *r)
{
	const int failed = r->text.failed;
	const int rc = r->failed || (!failed && r->text.len == 0)
			       ? 0
			       : r->out.write(r->out.arg, failed ? NULL : r->text.s,
					      r->text.len);

	if (rc == -1)
		r->failed = errno;
	r->text.len = 0;
	if (!r->failed)
		return 0;
	errno = r->failed;
	return -1;
}

int report_begin(struct report *r)
{
	if (r->writer->begin && r->writer->begin(r) == -1)
		return -1;
	return flush(r);
}

int report_end(struct report *r)
{
	int rc = r->writer->end ? r->writer->end(r) : 0;

	if (rc == 0)
		rc = flush(r);
	free(r->text.s);
	r->text = (struct textbuf){0};
	return rc;
}

/* A run whose records are being read. */
struct open_run {
	struct report_run run;
	struct open_run *next;
};

/* A file that is being read. */
struct reading {
	struct report *report;
	const char *path;
	struct open_run *open; /* the latest first */
	uint64_t records;
};

static void free_run(struct open_run *o)
{
	struct report_run *run = &o->run;

	for (unsigned i = 0; i < run->nseries; i++)
		saved_series_free(&run->series[i]);
	free(run->series);
	free(run->comparison);
	saved_run_free(&run->facts);
	free(o);
}

/* Returns the place of the run with this id in the list, or of the end. */
static struct open_run **find_run(struct reading *f, const char *id)
{
	struct open_run **at = &f->open;

	while (*at && strcmp((*at)->run.facts.run.row.id, id) != 0)
		at = &(*at)->next;
	return at;
}

/* Show the first run of a list, and remove it. */
static int close_run(struct reading *f, struct open_run **at)
{
	struct report *r = f->report;
	struct open_run *o = *at;
	int rc = 0;

	*at = o->next;
	if (o->run.nseries) {
		rc = r->writer->runs(r, &o->run);
		r->shown++;
		r->incomplete += !o->run.has_ended;
	}
	free_run(o);
	return rc == 0 ? flush(r) : -1;
}

static int open_run(struct reading *f, json_t *record)
{
	struct open_run *o = calloc(1, sizeof *o);

	if (!o)
		return -1;
	o->run.path = f->path;
	o->next = f->open;
	f->open = o;
	return saved_run_read(&o->run.facts, record);
}

/* A run that begins again has no end: its file has two copies of the run. */
static int begin_run(struct reading *f, const struct saved_line *line)
{
	struct open_run **at = find_run(f, line->run);

	if (*at && close_run(f, at) == -1)
		return -1;
	return open_run(f, line->json);
}

static int add_series(struct report_run *run, json_t *record)
{
	struct saved_series *grown =
		reallocarray(run->series, run->nseries + 1, sizeof *grown);

	if (!grown)
		return -1;
	run->series = grown;
	if (saved_series_read(&grown[run->nseries], record) == -1) {
		saved_series_free(&grown[run->nseries]);
		return -1;
	}
	run->nseries++;
	return 0;
}

/* Two series can be compared if their runs are pairs and have the same events. */
static int are_pairs(const struct saved_series *a, const struct saved_series *b)
{
	if (!a || !b || a->runs.n != b->runs.n || a->runs.nevents != b->runs.nevents)
		return 0;
	for (unsigned i = 0; i < a->runs.nevents; i++)
		if (strcmp(a->event[i].name, b->event[i].name) != 0 ||
		    a->event[i].kind != b->event[i].kind)
			return 0;
	return 1;
}

static int add_comparison(struct report_run *run, const json_t *record)
{
	struct report_comparison c, *grown;
	const double confidence =
		json_number_value(json_object_get(record, "confidence"));

	c.alpha = confidence == 0.99 ? 0.01 : 0.05;
	if (saved_number(record, "reference", UINT64_MAX, &c.reference) == -1 ||
	    saved_number(record, "candidate", UINT64_MAX, &c.candidate) == -1 ||
	    !are_pairs(report_series(run, c.reference),
		       report_series(run, c.candidate))) {
		errno = EINVAL;
		return -1;
	}
	grown = reallocarray(run->comparison, run->ncomparisons + 1, sizeof *grown);
	if (!grown)
		return -1;
	run->comparison = grown;
	grown[run->ncomparisons++] = c;
	return 0;
}

static int add_record(struct reading *f, const struct saved_line *line)
{
	struct open_run **at = find_run(f, line->run);

	if (!*at)
		return 0;
	if (line->kind == SAVED_SERIES)
		return add_series(&(*at)->run, line->json);
	if (line->kind == SAVED_COMPARISON)
		return add_comparison(&(*at)->run, line->json);
	if (line->kind != SAVED_END ||
	    json_is_true(json_object_get(line->json, "provisional")))
		return 0;
	(*at)->run.has_ended = 1;
	return close_run(f, at);
}

static int take(void *arg, const struct saved_line *line, char *why, size_t size)
{
	struct reading *f = arg;

	f->records++;
	if ((line->kind == SAVED_RUN ? begin_run : add_record)(f, line) == 0)
		return 0;
	if (!f->report->failed)
		snprintf(why, size, "%s",
			 errno == EINVAL ? "the record is malformed" : strerror(errno));
	return -1;
}

/* Show the runs that have no end, the first one first. */
static int close_all(struct reading *f)
{
	int rc = 0;

	while (f->open) {
		struct open_run **last = &f->open;

		while ((*last)->next)
			last = &(*last)->next;
		if (close_run(f, last) == -1)
			rc = -1;
	}
	return rc;
}

int report_file(struct report *r, const char *path, char *why, size_t size)
{
	struct reading f = {.report = r, .path = path};
	const struct saved_taker taker = {&f, take};
	const unsigned shown = r->shown;
	int rc = saved_lines(path, &taker, why, size);

	if (close_all(&f) == -1 && rc == 0) {
		snprintf(why, size, "%s", r->failed ? "" : strerror(errno));
		rc = -1;
	}
	if (rc == 0 && r->shown == shown) {
		snprintf(why, size, "%s",
			 f.records ? "it has no runs of --repeat or --vs"
				   : "it has no records");
		rc = -1;
	}
	return rc;
}
