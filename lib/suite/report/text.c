#include "suite/report/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/report/compare.h"
#include "suite/report/counts.h"
#include "suite/series/judge.h"
#include "suite/series/table.h"

/* Hand a warning over as a note; of several commands with the name of the command. */
static int put_warning(const struct report *r, const struct saved_series *s,
		       const struct warning *w, int pairs)
{
	struct textbuf b = {0};

	if (pairs) {
		textbuf_clean(&b, s->runs.command);
		textbuf_str(&b, ": ");
	}
	warnings_put(&b, w, &s->runs, NULL);
	char *text = textbuf_end(&b);
	if (!text)
		return -1;
	r->note(NULL, text);
	free(text);
	return 0;
}

/*
 * The warnings are those that the run has found, as some are about more than its values.
 * The verdicts of a comparison say themselves that there are too few runs.
 */
static int put_warnings(const struct report *r, const struct saved_series *s, int pairs)
{
	for (size_t i = 0; r->note && i < s->warnings.n; i++)
		if ((!pairs || s->warnings.list[i].id != WARNING_TOO_FEW) &&
		    put_warning(r, s, &s->warnings.list[i], pairs) == -1)
			return -1;
	return 0;
}

static int put_comparison(void *arg, const struct judge_comparison *c)
{
	struct report *r = arg;

	table_put_comparison(&r->text, c, r->grouped);
	return 0;
}

/* Series that the run has not compared, because it was cut, are shown one by one. */
static int put_runs(struct report *r, const struct report_run *run)
{
	const struct report_taker taker = {r, put_comparison};

	counts_put_head(r, run);
	for (unsigned i = 0; i < run->ncomparisons; i++) {
		if (i > 0)
			textbuf_char(&r->text, '\n');
		if (report_judge(run, &run->comparison[i], &taker) == -1)
			return -1;
	}
	for (unsigned i = 0; !run->ncomparisons && i < run->nseries; i++)
		if (table_put_runs(&r->text, &run->series[i].runs, r->grouped) == -1)
			return -1;
	for (unsigned i = 0; i < run->nseries; i++)
		if (put_warnings(r, &run->series[i], run->nseries > 1) == -1)
			return -1;
	counts_put_incomplete(r, run);
	return compare_put(r, run);
}

const struct report_writer report_text = {
	.name = "text", .runs = put_runs, .rows = counts_sink};
