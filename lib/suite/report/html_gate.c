#include "suite/report/html_gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "suite/page/page.h"
#include "suite/report/compare.h"

static int add_limit(struct gate *g, const char *event, double limit, int falls)
{
	if (array_grow(&g->limit, g->n, sizeof *g->limit) == -1)
		return -1;
	g->limit[g->n] = (struct gate_limit){strdup(event), limit, falls};
	return g->limit[g->n++].event ? 0 : -1;
}

/* Returns whether the limits of the run's own record are shown. */
static int has_recorded(const struct report *r, const struct report_run *run)
{
	return run->gate && !r->gate->n;
}

/* A limit was recorded once for each reference. */
static int is_known(const struct gate *g, const char *event, double limit, int falls)
{
	for (unsigned i = 0; i < g->n; i++)
		if (strcmp(g->limit[i].event, event) == 0 && g->limit[i].limit == limit &&
		    g->limit[i].falls == falls)
			return 1;
	return 0;
}

static int add_recorded(struct gate *g, const struct saved_node *limit)
{
	const char *event = saved_text(limit, "name");
	const double v = saved_real(saved_member(limit, "limit"));
	const int falls = saved_is_true(limit, "falls");

	return !event || is_known(g, event, v, falls) ? 0 : add_limit(g, event, v, falls);
}

int html_gate_limits(struct gate *g, const struct report *r, const struct report_run *run)
{
	const struct saved_node *recorded = saved_member(run->gate, "limits");
	int rc = 0;

	*g = (struct gate){0};
	for (unsigned i = 0; run->judged && i < r->gate->n && rc == 0; i++)
		rc = add_limit(g, r->gate->limit[i].event, r->gate->limit[i].limit,
			       r->gate->limit[i].falls);
	for (const struct saved_node *limit = saved_first(recorded);
	     has_recorded(r, run) && limit && rc == 0;
	     limit = saved_next(recorded, limit))
		rc = add_recorded(g, limit);
	return rc;
}

/* Append the table of the limits that were judged with what name says. */
static void put_table(struct textbuf *b, const char *name, const struct cells *c)
{
	page_against(b, name);
	page_table(b, c, "Limits and their results");
}

static int put_judged(struct report *r, const struct report_run *run)
{
	struct limits_reference reference[run->ncomparisons + 1];
	struct textbuf tables = {0}, sum = {0};
	struct limits_report to = {.put = put_table, .text = &tables};
	struct limits l;

	compare_limits(&l, reference, r, run);
	const int rc = limits_judge(&l, &to);
	gate_put_sum(&sum, to.count);
	char *words = textbuf_end(&sum), *text = textbuf_end(&tables);
	if (words && text) {
		page_result(&r->text, words, to.count[GATE_FAIL] > 0);
		textbuf_str(&r->text, text);
	}
	r->text.failed |= !words || !text;
	free(words);
	free(text);
	return rc;
}

/* Add a limit that the run itself has judged, from its record. */
static void add_result(struct cells *c, const struct report_run *run,
		       const struct saved_node *limit)
{
	const char *name = saved_text(limit, "name"),
		   *result = saved_text(limit, "result"),
		   *baseline = saved_text(run->gate, "baseline");
	const struct saved_series *s = NULL;
	uint64_t reference;
	char text[64];

	if (saved_number(limit, "reference", INT32_MAX, &reference) == 0)
		s = report_series(run, reference);
	snprintf(text, sizeof text, "%s%g %%", saved_is_true(limit, "falls") ? "-" : "",
		 100 * saved_real(saved_member(limit, "limit")));
	cells_add_str(c, result && strcmp(result, "fail") == 0 ? "FAIL"
			 : result			       ? result
							       : "-");
	cells_add_str(c, name ? name : "-");
	cells_add_str(c, text);
	cells_add_str(c, s ? s->runs.command : baseline ? baseline : "-");
}

static int put_recorded(struct textbuf *b, const struct report_run *run)
{
	static const struct cells_column columns[] = {
		{"result", CELLS_VERDICT, 0, 0},
		{"event", CELLS_NAME, 0, 0},
		{"limit", CELLS_NUMBER, 0, 0},
		{"against", CELLS_NAME, 0, 0},
	};
	const struct saved_node *limits = saved_member(run->gate, "limits");
	struct cells c;

	cells_begin(&c, columns, sizeof columns / sizeof *columns);
	for (const struct saved_node *limit = saved_first(limits); limit;
	     limit = saved_next(limits, limit))
		add_result(&c, run, limit);
	const int rc = cells_end(&c);
	page_words(b, "The run itself has judged these limits.");
	if (rc == 0)
		page_table(b, &c, "Limits and their results");
	cells_free(&c);
	return rc;
}

int html_gate(struct report *r, const struct report_run *run)
{
	if (!r->gate->n && !run->gate)
		return 0;
	page_heading(&r->text, "Limits");
	if (has_recorded(r, run))
		return put_recorded(&r->text, run);
	if (run->judged)
		return put_judged(r, run);
	page_result(&r->text, "not gated", 1);
	return 0;
}
