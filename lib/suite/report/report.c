#include "suite/report/report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "suite/report/compare.h"
#include "suite/report/data.h"
#include "suite/report/html.h"
#include "suite/report/markdown.h"
#include "suite/report/text.h"
#include "suite/saved/lines.h"
#include "suite/saved/row.h"

/* So many comparisons of a run are read: there is one for each command of --vs. */
enum { MOST_COMPARISONS = 1000 };

const struct report_writer *const report_writers[] = {
	&report_text, &report_csv, &report_json, &report_markdown, &report_html, NULL};

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
	struct sink *rows; /* or NULL: no row has come, or the writer shows none */
	int has_rows;
	int64_t ns; /* time of the latest row */
	struct open_run *next;
};

/* A file that is being read. */
struct reading {
	struct report *report;
	const char *path;
	struct open_run *open; /* the latest first */
	struct saved_row row;
	uint64_t records;
};

static void free_run(struct open_run *o)
{
	struct report_run *run = &o->run;

	for (unsigned i = 0; i < run->nseries; i++)
		saved_series_free(&run->series[i]);
	if (o->rows)
		o->rows->free(o->rows);
	free(run->series);
	free(run->comparison);
	free(run->gate);
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

/* The rows are complete. A run without its last record ends at its latest row. */
static int end_rows(struct open_run *o, const struct saved_node *record)
{
	struct record_end end = {.ns = o->ns};
	struct record_use use;

	if (record)
		saved_run_end(&end, &use, record);
	if (o->rows->complete && o->rows->complete(o->rows) == -1)
		return -1;
	return o->rows->end(o->rows, &end);
}

/* Show a run. end is its last record, or NULL. */
static int show_run(struct report *r, struct open_run *o, const struct saved_node *end)
{
	uint64_t signal;
	int rc = 0;

	for (unsigned i = 0; i < o->run.nseries; i++)
		if (o->run.series[i].where)
			where_sort(o->run.series[i].where);
	o->run.has_ended = end != NULL;
	o->run.signal =
		saved_number(end, "signal", INT_MAX, &signal) == 0 ? (int)signal : 0;
	if (o->rows)
		rc = end_rows(o, end);
	if (rc == 0)
		rc = compare_run(r, &o->run);
	if (rc == 0 && o->run.nseries && r->writer->runs)
		rc = r->writer->runs(r, &o->run);
	if (!o->run.nseries && !o->has_rows)
		return rc;
	r->shown++;
	r->incomplete += !o->run.has_ended && !o->run.is_guess;
	return rc;
}

/* Show the first run of a list, and remove it. */
static int close_run(struct reading *f, struct open_run **at,
		     const struct saved_node *end)
{
	struct report *r = f->report;
	struct open_run *o = *at;

	*at = o->next;
	const int rc = show_run(r, o, end);
	free_run(o);
	return rc == 0 ? flush(r) : -1;
}

/* Add a run for its first record, or for a row whose run has none in the file. */
static int open_run(struct reading *f, const struct saved_node *record, int is_guess)
{
	struct open_run *o = calloc(1, sizeof *o);

	if (!o)
		return -1;
	o->run.path = f->path;
	o->run.is_guess = is_guess;
	o->next = f->open;
	f->open = o;
	return (is_guess ? saved_run_guess : saved_run_read)(&o->run.facts, record);
}

/* A run that begins again has no end: its file has two copies of the run. */
static int begin_run(struct reading *f, const struct saved_line *line)
{
	struct open_run **at = find_run(f, line->run);

	if (*at && close_run(f, at, NULL) == -1)
		return -1;
	return open_run(f, line->json, 0);
}

/* Comparisons name series by their numbers, so that no two have the same. */
static int add_series(struct report_run *run, const struct saved_node *record)
{
	if (array_grow(&run->series, run->nseries, sizeof *run->series) == -1)
		return -1;
	struct saved_series *const series = &run->series[run->nseries];
	int rc = saved_series_read(series, record);
	if (rc == 0 && report_series(run, series->number)) {
		errno = EINVAL;
		rc = -1;
	}
	if (rc == -1)
		saved_series_free(series);
	else
		run->nseries++;
	return rc;
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

static int add_comparison(struct report_run *run, const struct saved_node *record)
{
	struct report_comparison c;
	const double confidence = saved_real(saved_member(record, "confidence"));

	/* A comparison with a file lacks the runs of the file. */
	if (saved_text(record, "baseline"))
		return 0;
	c.alpha = confidence == 0.99 ? 0.01 : 0.05;
	if (run->ncomparisons == MOST_COMPARISONS ||
	    saved_number(record, "reference", UINT64_MAX, &c.reference) == -1 ||
	    saved_number(record, "candidate", UINT64_MAX, &c.candidate) == -1 ||
	    !are_pairs(report_series(run, c.reference),
		       report_series(run, c.candidate))) {
		errno = EINVAL;
		return -1;
	}
	if (array_grow(&run->comparison, run->ncomparisons, sizeof *run->comparison) ==
	    -1)
		return -1;
	run->comparison[run->ncomparisons++] = c;
	return 0;
}

/* The functions of a series come after its record. */
static int add_function(struct report_run *run, const struct saved_node *record)
{
	uint64_t number = 0;

	saved_number(record, "series", INT32_MAX, &number);
	for (unsigned i = 0; i < run->nseries; i++)
		if (run->series[i].number == number)
			return saved_series_function(&run->series[i], record);
	errno = EINVAL;
	return -1;
}

static int add_gate(struct report_run *run, const struct saved_node *record)
{
	free(run->gate);
	run->gate = saved_copy(record);
	return run->gate ? 0 : -1;
}

/* Say that the format cannot show a recording. */
static int refuse_rows(struct report *r, const char *path)
{
	struct textbuf b = {0};

	textbuf_str(&b, "cannot show the samples and totals in '");
	textbuf_clean(&b, path);
	textbuf_str(&b, "' as ");
	textbuf_str(&b, r->writer->name);
	textbuf_str(&b, ", which has tables of repeated runs; use --format=text, csv or "
			"html");
	char *text = textbuf_end(&b);
	if (!text)
		return -1;
	r->warn(NULL, text);
	r->unknown = 1;
	free(text);
	return 0;
}

static int begin_rows(struct report *r, struct open_run *o, enum row_scope scope)
{
	o->has_rows = 1;
	if (r->writer->lacks_rows)
		return refuse_rows(r, o->run.path);
	if (!r->writer->rows)
		return 0;
	o->rows = r->writer->rows(r, &o->run, scope);
	return o->rows ? o->rows->begin(o->rows, &o->run.facts.run) : -1;
}

/* The record of the run of a row of perfex -mp is in another file. */
static int add_row(struct reading *f, struct open_run *o, const struct saved_line *line)
{
	struct saved_row *row = &f->row;

	if (!o && open_run(f, line->json, 1) == -1)
		return -1;
	if (!o)
		o = f->open;
	if (saved_row_read(row, line, &o->run.facts.sets) == -1)
		return -1;
	const int has_cgroups = row->row.cgroup != NULL;
	if (o->has_rows && o->run.has_cgroups != has_cgroups) {
		errno = EINVAL;
		return -1;
	}
	o->run.has_cgroups = has_cgroups;
	if (!o->has_rows && begin_rows(f->report, o, row->scope) == -1)
		return -1;
	o->run.has_tick = row->has_tick;
	o->ns = row->row.ns > o->ns ? row->row.ns : o->ns;
	if (!o->rows)
		return 0;
	return o->rows->row(o->rows, &row->row) == -1 ? -1 : flush(f->report);
}

static int add_record(struct reading *f, const struct saved_line *line)
{
	struct open_run **at = find_run(f, line->run);

	switch (line->kind) {
	case SAVED_SAMPLE:
	case SAVED_TOTAL:
	case SAVED_EVENT:
	case SAVED_STATISTIC:
		return add_row(f, *at, line);
	case SAVED_SERIES:
		return *at ? add_series(&(*at)->run, line->json) : 0;
	case SAVED_COMPARISON:
		return *at ? add_comparison(&(*at)->run, line->json) : 0;
	case SAVED_FUNCTION:
		return *at ? add_function(&(*at)->run, line->json) : 0;
	case SAVED_GATE:
		return *at ? add_gate(&(*at)->run, line->json) : 0;
	case SAVED_END:
		if (!*at || saved_is_true(line->json, "provisional"))
			return 0;
		return close_run(f, at, line->json);
	default:
		return 0;
	}
}

/* Hand a record to the writer as it is. */
static int hand_over(struct reading *f, const struct saved_line *line)
{
	const struct report_writer *w = f->report->writer;

	return w->record ? w->record(f->report, line) : 0;
}

/* The last record of a run follows what the writer says about the run. */
static int take(void *arg, const struct saved_line *line, char *why, size_t size)
{
	struct reading *f = arg;

	const int is_last = line->kind == SAVED_END;

	f->records++;
	if ((is_last || hand_over(f, line) == 0) &&
	    (line->kind == SAVED_RUN ? begin_run : add_record)(f, line) == 0 &&
	    (!is_last || hand_over(f, line) == 0) && flush(f->report) == 0)
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
		if (close_run(f, last, NULL) == -1)
			rc = -1;
	}
	return rc;
}

int report_file(struct report *r, const char *path, char *why, size_t size)
{
	struct reading f = {.report = r, .path = path};
	const struct saved_taker taker = {.arg = &f, .take = take};
	const unsigned shown = r->shown;
	int rc = saved_lines(path, &taker, why, size);

	if (close_all(&f) == -1 && rc == 0) {
		snprintf(why, size, "%s", r->failed ? "" : strerror(errno));
		rc = -1;
	}
	saved_row_free(&f.row);
	if (rc == 0 && r->shown == shown) {
		snprintf(why, size, "%s",
			 f.records ? "its records have no counts" : "it has no records");
		rc = -1;
	}
	return rc;
}
