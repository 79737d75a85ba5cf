#include "repeat_report.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "message.h"
#include "recording.h"
#include "status.h"
#include "suite/series/json.h"
#include "suite/series/table.h"

void repeat_no_memory(void)
{
	errx(EXIT_TOOL, "no memory available");
}

/* Judge the candidate against reference i; j has room for all events. */
static struct table_comparison compare(const struct repeat *r, unsigned i,
				       struct judgement *j)
{
	const struct table_comparison c = {
		.a = &r->arm[i].series,
		.b = &r->arm[r->narms - 1].series,
		.judgement = j,
		.alpha = r->s->series.alpha,
	};

	if (judge_pairs(j, c.a, c.b, c.alpha) == -1)
		repeat_no_memory();
	return c;
}

static void put_comparisons(const struct repeat *r, struct textbuf *b, int grouped)
{
	struct judgement j[r->nevents + 1];

	for (unsigned i = 0; i + 1 < r->narms; i++) {
		const struct table_comparison c = compare(r, i, j);

		if (i > 0)
			textbuf_char(b, '\n');
		table_put_comparison(b, &c, grouped);
	}
}

static void put_warnings(const struct runs *s)
{
	struct textbuf b = {0};

	if (table_put_warnings(&b, s) == -1)
		repeat_no_memory();
	char *text = textbuf_end(&b), *rest = text;
	if (!text)
		repeat_no_memory();
	for (char *line; (line = strsep(&rest, "\n")) && *line;)
		message_notef("%s", line);
	free(text);
}

static void put_tables(const struct repeat *r, struct textbuf *b, int grouped)
{
	if (r->narms > 1)
		put_comparisons(r, b, grouped);
	else if (table_put_runs(b, &r->arm[0].series, grouped) == -1)
		repeat_no_memory();
	if (r->interrupted || r->failed)
		textbuf_str(b, "incomplete: the runs were ended early\n");
}

/* Append the records: the run, the series of each command, comparisons, and the end. */
static void put_records(const struct repeat *r, struct textbuf *b, int status)
{
	const unsigned last = r->narms - 1;
	struct judgement j[r->nevents + 1];
	struct recording recording;

	recording_open(&recording, r->s, r->cpc, NULL);
	recording_identify(&recording, r->start, r->unix_ns);
	recording.run.command = r->arm[last].command;
	recording.run.nsets = r->sets->n;
	recording.run.set = r->shown;
	record_begin(b, &recording.run);
	for (unsigned i = 0; i < r->narms; i++)
		if (series_json_runs(b, &recording.run.row, i, &r->arm[i].series,
				     r->arm[i].status) == -1)
			repeat_no_memory();
	for (unsigned i = 0; i < last; i++) {
		const struct table_comparison c = compare(r, i, j);

		series_json_comparison(b, &recording.run.row, i, last, &c, r->seed);
	}
	const struct record_end end = {
		.ns = clock_ns() - r->start, .status = status, .signal = r->interrupted};
	record_end(b, &recording.run.row, &end, r->narms + last + 2);
	recording_close(&recording);
}

void repeat_report(const struct repeat *r, struct out *out, int status)
{
	struct textbuf b = {0};

	if (r->s->format == TEXT_JSON)
		put_records(r, &b, status);
	else
		put_tables(r, &b, isatty(out->fd));
	char *text = textbuf_end(&b);
	out_write(out, text, text ? strlen(text) : 0);
	free(text);
	if (r->narms == 1)
		put_warnings(&r->arm[0].series);
}
