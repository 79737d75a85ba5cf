#include "suite/report/counts.h"

#include <stdlib.h>
#include <string.h>

#include "suite/report/finals.h"
#include "suite/screen/chart.h"
#include "suite/screen/chart_text.h"
#include "suite/screen/summary.h"

struct counts {
	struct sink sink; /* first: its address is that of the counts */
	struct report *report;
	const struct report_run *run;
	struct sink *inner; /* the summary or the chart */
	struct finals finals;
	struct textbuf statistics; /* of the whole run */
	int failed;
};

void counts_put_head(struct report *r, const struct report_run *run)
{
	if (r->shown)
		textbuf_char(&r->text, '\n');
	report_put_facts(&r->text, run);
}

void counts_put_incomplete(struct report *r, const struct report_run *run)
{
	if (!run->has_ended && !run->is_guess)
		textbuf_str(&r->text, "incomplete: the run has no last record; it was "
				      "killed, or goes on\n");
}

static int begin(struct sink *s, const struct record_run *run)
{
	struct counts *c = (struct counts *)s;

	return c->inner->begin(c->inner, run);
}

/* Keep a number that perfex -y has computed of the whole run. */
static void add_statistic(struct counts *c, const struct row *row)
{
	const struct row_statistic *s = row->statistic;
	struct textbuf *b = &c->statistics;
	const size_t begun = b->len;

	if (!row->tree)
		return;
	textbuf_decimal(b, s->value, 6, 18);
	textbuf_str(b, "    ");
	textbuf_clean(b, s->name);
	if (strcmp(s->unit, "1") != 0 && !strstr(s->name, s->unit)) {
		textbuf_char(b, ' ');
		textbuf_clean(b, s->unit);
	}
	do
		textbuf_char(b, ' ');
	while (!b->failed && b->len - begun < 70);
	textbuf_str(b, cpc_class_name(s->quality));
	textbuf_char(b, '\n');
}

static int put_row(struct sink *s, const struct row *row)
{
	struct counts *c = (struct counts *)s;

	if (row->kind == ROW_STATISTIC)
		add_statistic(c, row);
	/* A cgroup includes those below it: there is no sum, and no common scale. */
	if (!row->cgroup && c->inner->row(c->inner, row) == -1)
		return -1;
	return row->set ? finals_add(&c->finals, row) : 0;
}

static int flush(struct sink *s)
{
	(void)s;
	return 0;
}

static int end(struct sink *s, const struct record_end *e)
{
	struct counts *c = (struct counts *)s;
	struct report *r = c->report;

	counts_put_head(r, c->run);
	if (c->inner->end(c->inner, e) == -1)
		return -1;
	if (c->statistics.len) {
		textbuf_char(&r->text, '\n');
		textbuf_put(&r->text, c->statistics.s, c->statistics.len);
	}
	if (!r->chart || c->run->has_cgroups)
		finals_put(&r->text, &c->finals, r->grouped);
	counts_put_incomplete(r, c->run);
	return c->statistics.failed ? -1 : 0;
}

static void free_counts(struct sink *s)
{
	struct counts *c = (struct counts *)s;

	if (c->inner)
		c->inner->free(c->inner);
	finals_free(&c->finals);
	free(c->statistics.s);
	free(c);
}

/* Only the whole chart is drawn. */
static int draw(void *arg, const struct chart *chart, int last)
{
	struct report *r = arg;
	struct textbuf block = {0};

	if (!last)
		return 0;
	chart_text(&block, chart, &r->frame, r->utf8);
	char *text = textbuf_end(&block);
	if (!text)
		return -1;
	textbuf_char(&r->text, '\n');
	frame_plain(&r->text, &r->frame, text);
	free(text);
	return 0;
}

static struct sink *inner_sink(struct report *r, const struct report_run *run,
			       enum row_scope scope)
{
	const struct chart_output output = {r, draw};

	if (r->chart)
		return chart_new(scope, scope == ROW_LWPS, output);
	return summary_sink(run->facts.run.command, r->grouped, report_output(r));
}

struct sink *counts_sink(struct report *r, const struct report_run *run,
			 enum row_scope scope)
{
	struct counts *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	*c = (struct counts){
		.sink = {.begin = begin,
			 .row = put_row,
			 .flush = flush,
			 .end = end,
			 .free = free_counts},
		.report = r,
		.run = run,
		.inner = inner_sink(r, run, scope),
		.finals = {.scope = scope, .run = &run->facts.run},
	};
	if (c->inner)
		return &c->sink;
	free(c);
	return NULL;
}
