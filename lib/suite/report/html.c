#include "suite/report/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/page/distribution.h"
#include "suite/page/intervals.h"
#include "suite/page/page.h"
#include "suite/report/compare.h"
#include "suite/report/html_facts.h"
#include "suite/report/html_functions.h"
#include "suite/report/html_gate.h"
#include "suite/report/html_rows.h"
#include "suite/report/html_section.h"

static int put_runs_table(struct textbuf *b, const struct runs *s)
{
	struct cells c = {0};
	const int rc = cells_of_runs(&c, s, 1);

	if (rc == 0)
		page_table(b, &c, "Repeated runs");
	cells_free(&c);
	return rc;
}

/* A comparison that is shown: where, and what is called A. */
struct shown {
	struct textbuf *text;
	const struct report_run *run;
	const struct report_comparison *comparison; /* NULL: with saved runs */
	const struct gate *limits;
};

/* With several references, a heading says which one it is. */
static void put_reference(const struct shown *shown)
{
	const struct report_run *run = shown->run;

	for (unsigned i = 0;
	     shown->comparison && run->ncomparisons > 1 && i < run->nseries; i++)
		if (run->series[i].number == shown->comparison->reference)
			page_reference(shown->text, i, run->nseries,
				       run->series[i].runs.command);
}

static int put_comparison(void *arg, const struct judge_comparison *comparison)
{
	const struct shown *shown = arg;
	struct cells c = {0};
	const int rc = cells_of_comparison(&c, comparison, 1);

	put_reference(shown);
	if (rc == 0 && c.nrow) {
		page_table(shown->text, &c,
			   comparison->saved ? "Comparison with the saved runs"
					     : "Comparison of B with A");
		intervals_put(shown->text, comparison, &c, shown->limits);
	}
	cells_free(&c);
	return rc;
}

static int put_comparisons(struct textbuf *b, const struct report_run *run,
			   const struct gate *limits)
{
	char text[128];

	if (!run->ncomparisons)
		return 0;
	page_heading(b, "Comparison");
	snprintf(text, sizeof text, "%zu %s, order by coin, 1 warm-up run each.",
		 run->series[0].runs.n, run->series[0].runs.n == 1 ? "pair" : "pairs");
	page_words(b, text);
	for (unsigned i = 0; i < run->ncomparisons; i++) {
		struct shown shown = {b, run, &run->comparison[i], limits};
		const struct report_taker taker = {&shown, put_comparison};

		if (report_judge(run, &run->comparison[i], &taker) == -1)
			return -1;
	}
	return 0;
}

static int put_saved(struct report *r, const struct report_run *run,
		     const struct gate *limits)
{
	struct shown shown = {&r->text, run, NULL, limits};
	const struct report_taker taker = {&shown, put_comparison};

	if (!run->compared)
		return 0;
	page_heading(&r->text, "Comparison with saved runs");
	page_against(&r->text, r->baseline_name);
	return compare_saved(r, run, &taker);
}

/* Append the results of the limits, and the comparisons, which show the limits, too. */
static int put_changes(struct report *r, const struct report_run *run)
{
	struct gate limits;
	int rc = html_gate_limits(&limits, r, run);

	if (rc == 0)
		rc = html_gate(r, run);
	if (rc == 0)
		rc = put_comparisons(&r->text, run, &limits);
	if (rc == 0)
		rc = put_saved(r, run, &limits);
	gate_free(&limits);
	return rc;
}

/* The charts of several commands are of the events that all have. */
static int are_alike(const struct report_run *run)
{
	for (unsigned i = 1; i < run->nseries; i++) {
		const struct runs *a = &run->series[0].runs, *b = &run->series[i].runs;

		if (a->nevents != b->nevents)
			return 0;
		for (unsigned k = 0; k < a->nevents; k++)
			if (strcmp(a->event[k].name, b->event[k].name) != 0)
				return 0;
	}
	return 1;
}

/* Append the charts of n commands. */
static int put_charts(struct textbuf *b, const struct saved_series *series, unsigned n)
{
	const struct runs *arm[n];

	for (unsigned i = 0; i < n; i++)
		arm[i] = &series[i].runs;
	for (unsigned k = 0; k < arm[0]->nevents; k++)
		if (distribution_put(b, arm, n, k) == -1)
			return -1;
	return 0;
}

/* Say how the runs of a command ended, if they failed. */
static void put_ending(struct textbuf *b, const struct report_run *run, unsigned i)
{
	const struct runs *s = &run->series[i].runs;
	struct textbuf words = {0};

	if (!runs_status(&s->ending))
		return;
	textbuf_str(&words, "Each run ");
	if (run->nseries > 1) {
		textbuf_str(&words, "of ");
		textbuf_clean(&words, s->command);
		textbuf_char(&words, ' ');
	}
	runs_put_ending(&words, &s->ending);
	textbuf_char(&words, '.');
	char *text = textbuf_end(&words);
	if (text)
		page_words(b, text);
	b->failed |= !text;
	free(text);
}

static void put_legend(struct textbuf *b, const struct report_run *run)
{
	const char *command[run->nseries];

	for (unsigned i = 0; i < run->nseries; i++)
		command[i] = run->series[i].runs.command;
	page_arms(b, command, run->nseries);
}

static int put_distributions(struct textbuf *b, const struct report_run *run)
{
	const int together = are_alike(run);
	int rc = 0;

	page_heading(b, "Runs");
	page_words(b,
		   "Each point is a run, from the first to the last. The boxes have the "
		   "median, the quartiles and the range of the values.");
	for (unsigned i = 0; i < run->nseries && rc == 0; i++) {
		if (!together)
			page_words(b, run->series[i].runs.command);
		if (!run->ncomparisons)
			rc = put_runs_table(b, &run->series[i].runs);
		if (rc == 0 && !together)
			rc = put_charts(b, &run->series[i], 1);
	}
	if (rc == 0 && together)
		rc = put_charts(b, run->series, run->nseries);
	return rc;
}

static int put_numbers(struct report *r, const struct report_run *run)
{
	struct cells c = {0};
	const int rc = compare_numbers(&c, r, run);

	if (rc == 0)
		page_closed_table(&r->text, &c, "All numbers, as in CSV");
	cells_free(&c);
	return rc;
}

static int put_runs(struct report *r, const struct report_run *run)
{
	struct textbuf *b = &r->text;

	html_begin(r, run);
	if (run->nseries > 1)
		put_legend(b, run);
	for (unsigned i = 0; i < run->nseries; i++)
		put_ending(b, run, i);
	html_facts_warnings(b, run);
	if (put_changes(r, run) == -1 || html_functions(r, run) == -1 ||
	    put_distributions(b, run) == -1 || put_numbers(r, run) == -1 ||
	    html_functions_numbers(r, run) == -1)
		return -1;
	html_end(r, run);
	return 0;
}

static int end(struct report *r)
{
	html_page(r, NULL);
	page_end(&r->text);
	return 0;
}

const struct report_writer report_html = {
	.name = "html", .end = end, .runs = put_runs, .rows = html_rows};
