#include "suite/report/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/report/compare.h"
#include "suite/report/counts.h"
#include "suite/series/judge.h"
#include "suite/series/table.h"

/* Hand each line of text over as a note, and free text. */
static int note_lines(const struct report *r, char *text)
{
	char *rest = text;

	if (!text)
		return -1;
	for (char *line; r->note && (line = strsep(&rest, "\n")) && *line;)
		r->note(NULL, line);
	free(text);
	return 0;
}

static int put_single(struct report *r, const struct runs *s)
{
	struct textbuf warnings = {0};

	if (table_put_runs(&r->text, s, r->grouped) == -1)
		return -1;
	if (table_put_warnings(&warnings, s) == -1) {
		free(warnings.s);
		return -1;
	}
	return note_lines(r, textbuf_end(&warnings));
}

static int put_comparison(struct report *r, const struct report_run *run,
			  const struct report_comparison *c)
{
	const struct runs *a = &report_series(run, c->reference)->runs;
	const struct runs *b = &report_series(run, c->candidate)->runs;
	struct judgement j[a->nevents];
	const struct judge_comparison comparison = {
		.a = a, .b = b, .judgement = j, .alpha = c->alpha};

	if (judge_pairs(j, a, b, c->alpha) == -1)
		return -1;
	table_put_comparison(&r->text, &comparison, r->grouped);
	return 0;
}

/* Series that the run has not compared, because it was cut, are shown one by one. */
static int put_runs(struct report *r, const struct report_run *run)
{
	counts_put_head(r, run);
	for (unsigned i = 0; i < run->ncomparisons; i++) {
		if (i > 0)
			textbuf_char(&r->text, '\n');
		if (put_comparison(r, run, &run->comparison[i]) == -1)
			return -1;
	}
	for (unsigned i = 0; !run->ncomparisons && i < run->nseries; i++)
		if (put_single(r, &run->series[i].runs) == -1)
			return -1;
	counts_put_incomplete(r, run);
	return compare_put(r, run);
}

const struct report_writer report_text = {
	.name = "text", .runs = put_runs, .rows = counts_sink};
