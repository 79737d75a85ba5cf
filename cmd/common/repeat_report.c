#include "repeat_report.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/replace.h"
#include "message.h"
#include "recording.h"
#include "repeat_gate.h"
#include "status.h"
#include "suite/series/csv.h"
#include "suite/series/functions.h"
#include "suite/series/json.h"
#include "suite/series/markdown.h"
#include "suite/series/table.h"
#include "suite/where/json.h"

void repeat_no_memory(void)
{
	errx(EXIT_TOOL, "no memory available");
}

/* Judge the candidate against reference i; j has room for all events. */
static struct judge_comparison compare(const struct repeat *r, unsigned i,
				       struct judgement *j)
{
	const struct judge_comparison c = {
		.a = &r->arm[i].series,
		.b = &r->arm[r->narms - 1].series,
		.judgement = j,
		.alpha = r->s->series.alpha,
	};

	if (judge_pairs(j, c.a, c.b, c.alpha) == -1)
		repeat_no_memory();
	return c;
}

/* Compare with the saved runs; j has room for all events. */
static struct judge_comparison compare_saved(const struct repeat *r, struct judgement *j)
{
	const struct judge_comparison c = {
		.a = &r->saved.series.runs,
		.b = &r->arm[r->narms - 1].series,
		.judgement = j,
		.alpha = r->s->series.alpha,
		.saved = r->s->series.baseline,
	};

	if (judge_saved(j, c.a, c.b, c.alpha) == -1)
		repeat_no_memory();
	return c;
}

static void put_comparisons(const struct repeat *r, struct textbuf *b, int grouped)
{
	struct judgement j[r->nevents + 1];

	for (unsigned i = 0; i + 1 < r->narms; i++) {
		const struct judge_comparison c = compare(r, i, j);

		if (i > 0)
			textbuf_char(b, '\n');
		table_put_comparison(b, &c, grouped);
	}
}

/* Find the warnings about a command. The caller frees the list. */
static struct warnings_facts find_warnings(const struct repeat *r, unsigned arm,
					   struct warnings *w)
{
	const struct arm *a = &r->arm[arm];
	const struct warnings_facts facts = {
		.alpha = r->s->series.alpha,
		.cpu_ns = a->cpu_ns,
		.stolen = r->stolen,
		.interpreter = a->interpreter,
	};

	*w = (struct warnings){0};
	if (warnings_find(w, &a->series, &facts, r->narms > 1) == -1)
		repeat_no_memory();
	return facts;
}

/* Print a warning; of several commands with the name of the command. */
static void put_warning(const struct repeat *r, const struct arm *a,
			const struct warning *w, const struct warnings_facts *facts)
{
	struct textbuf b = {0};

	if (r->narms > 1) {
		textbuf_clean(&b, a->command);
		textbuf_str(&b, ": ");
	}
	warnings_put(&b, w, &a->series, facts);
	char *text = textbuf_end(&b);
	if (!text)
		repeat_no_memory();
	message_notef("%s", text);
	free(text);
}

/* The verdicts of a comparison say themselves that there are too few runs. */
static void put_warnings(const struct repeat *r, unsigned arm)
{
	struct warnings w;
	const struct warnings_facts facts = find_warnings(r, arm, &w);

	for (size_t i = 0; i < w.n; i++)
		if (r->narms == 1 || w.list[i].id != WARNING_TOO_FEW)
			put_warning(r, &r->arm[arm], &w.list[i], &facts);
	warnings_free(&w);
}

/* Append the record of the runs of a command. */
static void put_series(const struct repeat *r, struct textbuf *b,
		       const struct row_run *run, unsigned arm, int canonical)
{
	const struct arm *a = &r->arm[arm];
	struct warnings w;
	struct facts none;

	facts_none(&none);
	find_warnings(r, arm, &w);
	if (series_json_runs(b, run, arm, &a->series, canonical ? &none : &a->facts,
			     canonical ? NULL : &w) == -1)
		repeat_no_memory();
	warnings_free(&w);
}

static void put_tables(const struct repeat *r, struct textbuf *b, int grouped)
{
	if (r->narms > 1)
		put_comparisons(r, b, grouped);
	else if (table_put_runs(b, &r->arm[0].series, grouped) == -1)
		repeat_no_memory();
	if (r->interrupted || r->failed)
		textbuf_str(b, "incomplete: the runs were ended early\n");
	if (r->s->series.baseline &&
	    table_put_saved(b, r->s->series.baseline, &r->saved.series.runs,
			    &r->arm[r->narms - 1].series, r->s->series.alpha,
			    grouped) == -1)
		repeat_no_memory();
}

/* Fill side, with room for all commands and a file, for the calls of functions.h. */
static struct functions_sides find_sides(const struct repeat *r,
					 struct functions_side *side)
{
	const unsigned last = r->narms - 1;
	struct functions_sides all = {.n = last, .a = side, .alpha = r->s->series.alpha};

	for (unsigned i = 0; i < r->narms; i++)
		side[i] = (struct functions_side){r->arm[i].command, (int)i,
						  &r->arm[i].series, r->arm[i].where};
	all.b = side[last];
	if (r->s->series.baseline)
		side[all.n++] = (struct functions_side){r->s->series.baseline, -1,
							&r->saved.series.runs,
							r->saved.series.where};
	return all;
}

/* Append the records of the functions that differ. Returns their number. */
static unsigned put_where_records(const struct repeat *r, struct textbuf *b,
				  const struct row_run *run)
{
	struct functions_side side[r->narms + 1];
	const struct functions_sides all = find_sides(r, side);
	const int n = functions_records(b, &all, run);

	if (n == -1)
		repeat_no_memory();
	return (unsigned)n;
}

/*
 * Append the records: the run, the series of each command, comparisons, limits, and the
 * end. canonical: without limits, and without what differs between machines.
 */
static void put_records(const struct repeat *r, struct textbuf *b, int status,
			int canonical)
{
	const unsigned last = r->narms - 1;
	struct judgement j[r->nevents + 1];
	struct recording recording;
	uint64_t functions = 0;

	recording_open(&recording, r->s, r->cpc, NULL);
	if (canonical)
		recording_forget_origin(&recording);
	recording_identify(&recording, canonical ? 0 : r->start,
			   canonical ? 0 : r->unix_ns);
	recording.run.command = r->arm[last].command;
	recording.run.nsets = r->sets->n;
	recording.run.set = r->shown;
	record_begin(b, &recording.run);
	for (unsigned i = 0; i < r->narms; i++) {
		put_series(r, b, &recording.run.row, i, canonical);
		if (r->arm[i].where)
			functions += where_json_functions(b, &recording.run.row, i,
							  r->arm[i].where);
	}
	for (unsigned i = 0; i < last; i++) {
		const struct judge_comparison c = compare(r, i, j);

		series_json_comparison(b, &recording.run.row, i, last, &c,
				       canonical ? 0 : r->seed);
	}
	const int compared = !canonical && r->s->series.baseline;
	if (compared) {
		const struct judge_comparison c = compare_saved(r, j);

		series_json_comparison(b, &recording.run.row, 0, last, &c, 0);
	}
	const unsigned others =
		canonical ? 0
			  : (unsigned)repeat_gate_record(r, b, &recording.run.row) +
				    put_where_records(r, b, &recording.run.row);
	const struct record_end end = {.ns = canonical ? 0 : clock_ns() - r->start,
				       .status = status,
				       .signal = r->interrupted};
	record_end(b, &recording.run.row, &end,
		   r->narms + functions + last + others + (unsigned)compared + 2);
	recording_close(&recording);
}

/* Append what the comparisons, or else the runs, have shown, in one line. */
static void put_sum(const struct repeat *r, struct textbuf *b)
{
	struct judgement j[r->nevents + 1];
	unsigned shown = 0, all = 0;

	for (unsigned i = 0; i + 1 < r->narms; i++) {
		compare(r, i, j);
		for (unsigned k = 0; k < r->nevents; k++, all++)
			shown += j[k].verdict == JUDGE_LESS || j[k].verdict == JUDGE_MORE;
	}
	textbuf_num(b, r->narms > 1 ? shown : r->arm[0].series.n, 0);
	if (r->narms > 1) {
		textbuf_str(b, " of ");
		textbuf_num(b, all, 0);
		textbuf_str(b, all == 1 ? " event differs" : " events differ");
	} else {
		textbuf_str(b, r->arm[0].series.n == 1 ? " run" : " runs");
	}
}

/* Append the comparisons, or else the runs, as Markdown. */
static void put_markdown_tables(const struct repeat *r, struct textbuf *b)
{
	struct judgement j[r->nevents + 1];
	int rc = 0;

	for (unsigned i = 0; i + 1 < r->narms && rc == 0; i++) {
		const struct judge_comparison c = compare(r, i, j);

		textbuf_char(b, '\n');
		rc = markdown_put_comparison(b, &c);
	}
	if (r->narms == 1) {
		textbuf_char(b, '\n');
		rc = markdown_put_runs(b, &r->arm[0].series);
	}
	if (r->s->series.baseline && rc == 0) {
		const struct judge_comparison c = compare_saved(r, j);

		textbuf_char(b, '\n');
		rc = markdown_put_comparison(b, &c);
	}
	if (rc == -1)
		repeat_no_memory();
}

/* Append a comment for a review: its first line says what matters. */
static void put_markdown(const struct repeat *r, struct textbuf *b)
{
	struct functions_side side[r->narms + 1];
	const struct functions_sides sides = find_sides(r, side);
	struct textbuf limits = {0};

	textbuf_str(b, "**");
	if (!repeat_gate_markdown(r, b, &limits))
		put_sum(r, b);
	textbuf_str(b, "**\n");
	if (r->interrupted || r->failed)
		textbuf_str(b, "\nincomplete: the runs were ended early\n");
	put_markdown_tables(r, b);
	char *text = textbuf_end(&limits);
	if (!text)
		repeat_no_memory();
	textbuf_str(b, text);
	free(text);
	if (functions_markdown(b, &sides) == -1)
		repeat_no_memory();
}

/* Append the rows of functions, if there are any, with a title of their own. */
static void put_csv_functions(struct textbuf *b, struct textbuf *rows)
{
	char *text = textbuf_end(rows);

	if (!text)
		repeat_no_memory();
	if (*text) {
		textbuf_char(b, '\n');
		functions_csv_title(b);
		textbuf_str(b, text);
	}
	free(text);
}

/* Append the rows of each command; those of the candidate have its comparisons. */
static void put_csv(const struct repeat *r, struct textbuf *b)
{
	const unsigned references = r->narms - 1;
	struct limits_reference reference[r->narms];
	const struct limits limits = repeat_gate_limits(r, reference);
	const struct limits *l = r->not_gated ? NULL : &limits;
	struct functions_side side[r->narms + 1];
	const struct functions_sides sides = find_sides(r, side);
	struct textbuf functions = {0};
	struct judgement j[r->nevents + 1];
	struct cells rows;
	int rc = 0;

	series_csv_begin(&rows);
	const unsigned alone = references || r->s->series.baseline ? references : 1;
	for (unsigned i = 0; i < alone && rc == 0; i++)
		rc = series_csv_add_runs(&rows, &r->arm[i].series);
	for (unsigned i = 0; i < references && rc == 0; i++) {
		const struct judge_comparison c = compare(r, i, j);

		rc = series_csv_add_comparison(&rows, &c, l, &reference[i]);
	}
	if (r->s->series.baseline && rc == 0) {
		const struct judge_comparison c = compare_saved(r, j);

		rc = series_csv_add_comparison(&rows, &c, l, NULL);
	}
	if (rc == -1 || functions_csv(&functions, &sides) == -1)
		repeat_no_memory();
	series_csv_title(b);
	series_csv_put(b, &rows);
	cells_free(&rows);
	put_csv_functions(b, &functions);
}

static void put_text(const struct repeat *r, struct textbuf *b, int grouped)
{
	struct functions_side side[r->narms + 1];
	const struct functions_sides sides = find_sides(r, side);

	put_tables(r, b, grouped);
	repeat_gate_put(r, b);
	if (functions_put(b, &sides, grouped) == -1)
		repeat_no_memory();
}

void repeat_report(const struct repeat *r, struct out *out, int status)
{
	struct textbuf b = {0};

	switch (r->s->format) {
	case TEXT_PLAIN:
		put_text(r, &b, isatty(out->fd) ? CELLS_GROUPED | CELLS_BARS : 0);
		break;
	case TEXT_CSV:
		put_csv(r, &b);
		break;
	case TEXT_JSON:
		put_records(r, &b, status, 0);
		break;
	case TEXT_MARKDOWN:
		put_markdown(r, &b);
		break;
	}
	char *text = textbuf_end(&b);
	out_write(out, text, text ? strlen(text) : 0);
	free(text);
	for (unsigned i = 0; i < r->narms; i++)
		put_warnings(r, i);
	for (unsigned i = 0; i < r->narms; i++)
		notes_launcher(r->arm[i].argv[0]);
}

/*
 * Create a new file beside the one of --save, or beside the file to which a link points.
 * The caller closes f and frees *target in each case.
 */
static int begin_save(const struct repeat *r, struct replace *f, char **target)
{
	*target = replace_target(r->s->series.save);
	replace_open(f, *target);
	return *target ? replace_begin(f) : -1;
}

void repeat_save_prepare(const struct repeat *r)
{
	struct replace f;
	char *target;

	if (!r->s->series.save)
		return;
	if (begin_save(r, &f, &target) == -1)
		errx(EXIT_TOOL, "cannot write to '%s': %s", r->s->series.save,
		     out_strerror(errno));
	replace_close(&f);
	free(target);
}

int repeat_save(const struct repeat *r, int status)
{
	struct replace f;
	char *target;
	int rc = -1;

	if (!r->s->series.save)
		return 0;
	if (r->failed || r->interrupted) {
		warnx("'%s' is not written: the runs were ended early",
		      r->s->series.save);
		return -1;
	}
	if (begin_save(r, &f, &target) == 0) {
		put_records(r, &f.text, status, r->s->reproducible != NULL);
		rc = replace_replace(&f);
	}
	if (rc == -1)
		warnx("cannot write to '%s': %s", r->s->series.save, out_strerror(errno));
	replace_close(&f);
	free(target);
	return rc;
}

/* The progress is shown at most so often, ns. */
static const int64_t interval_ns = 100000000;

static int is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

void progress_begin(struct progress *p, int64_t start)
{
	*p = (struct progress){.on = !message_is_quiet() && is_terminal(),
			       .start = start,
			       .next = start + interval_ns};
}

static int window_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == -1 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

void progress_show(struct progress *p, size_t n, const char *word)
{
	const int64_t now = p->on ? clock_ns() : 0;
	char text[96];

	if (!p->on || now < p->next)
		return;
	p->next = now + interval_ns;
	snprintf(text, sizeof text, "%zu %s, %.0f s", n, word,
		 (double)(now - p->start) / 1e9);
	/* The last column stays free: some terminals go to the next line after it. */
	fprintf(stderr, "\r%.*s\033[K", window_width() - 1, text);
}

void progress_end(const struct progress *p)
{
	if (p->on)
		fputs("\r\033[K", stderr);
}
