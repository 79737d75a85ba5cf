#include "suite/report/writer.h"

#include <string.h>
#include <time.h>

const struct saved_series *report_series(const struct report_run *run, uint64_t number)
{
	for (unsigned i = 0; i < run->nseries; i++)
		if (run->series[i].number == number)
			return &run->series[i];
	return NULL;
}

void report_put_time(struct textbuf *b, int64_t unix_ns)
{
	const time_t s = (time_t)(unix_ns / 1000000000);
	char text[64];
	struct tm tm;

	gmtime_r(&s, &tm);
	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm);
	textbuf_str(b, text);
}

static void put_after(struct textbuf *b, const char *before, const char *text)
{
	if (!text)
		return;
	textbuf_str(b, before);
	textbuf_clean(b, text);
}

static void put_engine(struct textbuf *b, const struct saved_run *facts)
{
	if (strcmp(facts->run.engine, "sim") != 0) {
		put_after(b, ", counted by the ", facts->run.engine);
		put_after(b, " on ", facts->cpu_model);
		return;
	}
	put_after(b, ", simulated ", facts->run.model ? facts->run.model : "");
	put_after(b, ", --reproducible=", facts->run.reproducible);
}

/* Append what is known of a run whose own record is in another file. */
static void put_guess(struct textbuf *b, const char *id)
{
	textbuf_str(b, "records of the run ");
	textbuf_clean(b, id);
	textbuf_str(b, ", whose first record is in another file\n");
}

void report_put_facts(struct textbuf *b, const struct report_run *run)
{
	const struct record_run *facts = &run->facts.run;

	textbuf_clean(b, strcmp(run->path, "-") == 0 ? "standard input" : run->path);
	put_after(b, ": ", facts->command);
	textbuf_char(b, '\n');
	if (run->is_guess) {
		put_guess(b, facts->row.id);
		return;
	}
	textbuf_clean(b, facts->tool);
	put_after(b, " on ", facts->row.host);
	put_after(b, ", rank ", facts->row.rank);
	if (facts->row.unix_ns) {
		textbuf_str(b, ", ");
		report_put_time(b, facts->row.unix_ns);
	}
	put_engine(b, &run->facts);
	textbuf_char(b, '\n');
}

int report_judge(const struct report_run *run, const struct report_comparison *c,
		 const struct report_taker *taker)
{
	const struct runs *a = &report_series(run, c->reference)->runs;
	const struct runs *b = &report_series(run, c->candidate)->runs;
	struct judgement j[a->nevents];
	const struct judge_comparison comparison = {
		.a = a, .b = b, .judgement = j, .alpha = c->alpha};

	if (judge_pairs(j, a, b, c->alpha) == -1)
		return -1;
	return taker->put(taker->arg, &comparison);
}

static int append(void *arg, const char *text, size_t n)
{
	struct report *r = arg;

	if (text)
		textbuf_put(&r->text, text, n);
	else
		r->text.failed = 1;
	return 0;
}

struct sink_output report_output(struct report *r)
{
	return (struct sink_output){r, append};
}
