#include "suite/report/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "suite/report/compare.h"
#include "suite/series/markdown.h"

static int put_comparison(void *arg, const struct judge_comparison *c)
{
	struct textbuf *b = arg;

	textbuf_char(b, '\n');
	return markdown_put_comparison(b, c);
}

/* Append what the limits have shown in one line, and their tables to tables. */
static int put_limits(struct report *r, const struct report_run *run,
		      struct textbuf *tables)
{
	struct limits_reference reference[run->ncomparisons + 1];
	struct limits_report to = {.put = markdown_put_gate, .text = tables};
	struct limits l;

	if (!r->gate->n)
		return 0;
	compare_limits(&l, reference, r, run);
	if (run->judged && limits_judge(&l, &to) == -1)
		return -1;
	textbuf_str(&r->text, "**");
	if (run->judged)
		gate_put_sum(&r->text, to.count);
	else
		textbuf_str(&r->text, "not gated");
	textbuf_str(&r->text, "**\n\n");
	return 0;
}

/* The first line says what matters: the limits, or the file and the command. */
static int put_head(struct report *r, const struct report_run *run,
		    struct textbuf *tables)
{
	struct textbuf *b = &r->text;

	if (r->shown > 0)
		textbuf_char(b, '\n');
	if (put_limits(r, run, tables) == -1)
		return -1;
	markdown_put_code(b, strcmp(run->path, "-") == 0 ? "standard input" : run->path);
	textbuf_str(b, ": ");
	markdown_put_code(b, run->series[run->nseries - 1].runs.command);
	textbuf_char(b, '\n');
	if (!run->has_ended || run->signal)
		textbuf_str(b, "\nincomplete: the runs were ended early\n");
	return 0;
}

/* Series that the run has not compared, because it was cut, are shown one by one. */
static int put_tables(struct report *r, const struct report_run *run)
{
	const struct report_taker taker = {&r->text, put_comparison};

	for (unsigned i = 0; i < run->ncomparisons; i++)
		if (report_judge(run, &run->comparison[i], &taker) == -1)
			return -1;
	for (unsigned i = 0; !run->ncomparisons && i < run->nseries; i++) {
		textbuf_char(&r->text, '\n');
		if (markdown_put_runs(&r->text, &run->series[i].runs) == -1)
			return -1;
	}
	return compare_saved(r, run, &taker);
}

static int put_runs(struct report *r, const struct report_run *run)
{
	struct functions_side side[run->ncomparisons + 1];
	struct functions_sides sides;
	struct textbuf limits = {0};
	int rc = put_head(r, run, &limits);

	compare_sides(&sides, side, r, run);
	if (rc == 0)
		rc = put_tables(r, run);
	char *text = textbuf_end(&limits);
	if (text)
		textbuf_str(&r->text, text);
	free(text);
	if (text && rc == 0)
		rc = functions_markdown(&r->text, &sides);
	return text ? rc : -1;
}

const struct report_writer report_markdown = {
	.name = "markdown", .lacks_rows = 1, .runs = put_runs};
