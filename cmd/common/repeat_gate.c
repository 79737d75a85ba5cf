#include "repeat_gate.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "message.h"
#include "recording.h"
#include "status.h"
#include "suite/row/json.h"
#include "suite/series/json.h"
#include "suite/series/markdown.h"

/* The number of the event of a limit; exits if it is not counted. */
static unsigned find_event(const struct repeat *r, const struct gate_limit *limit)
{
	for (unsigned i = 0; i < r->nevents; i++)
		if (strcmp(r->event[i].name, limit->event) == 0)
			return i;
	options_bad_long(r->s->command,
			 "--limit: '%s' is not among the events that are "
			 "counted",
			 limit->event);
}

static char *end_text(struct textbuf *b)
{
	char *text = textbuf_end(b);

	if (!text)
		errx(EXIT_TOOL, "no memory available");
	return text;
}

/* Check that the saved runs can be compared with these, and note what may differ. */
static void check_baseline(const struct repeat *r)
{
	const struct arm *candidate = &r->arm[r->narms - 1];
	struct record_run run = {0};
	struct record_host host;
	struct textbuf why = {0}, notes = {0};

	record_run_engine(&run, r->cpc);
	if (record_host(&host, 1) == -1)
		errx(EXIT_TOOL, "no memory available");
	const struct comparable now = {.engine = run.engine,
				       .model = run.model,
				       .reproducible = run.reproducible,
				       .version = VERSION,
				       .processor =
					       *host.cpu_model ? host.cpu_model : NULL,
				       .runs = &candidate->series,
				       .facts = candidate->facts};
	if (comparable_check(&r->saved.was, &now, &why) == -1)
		errx(EXIT_TOOL, "'%s' cannot be compared with these runs: %s",
		     r->s->series.baseline, end_text(&why));
	comparable_notes(&r->saved.was, &now, r->s->series.baseline, &notes);
	char *text = end_text(&notes), *rest = text;
	for (char *line; (line = strsep(&rest, "\n")) && *line;)
		message_notef("%s", line);
	free(text);
	record_host_free(&host);
}

static void check_limit(const struct repeat *r, const struct gate_limit *limit)
{
	const struct runs_event *e = &r->event[find_event(r, limit)];
	const char *least = r->s->series.baseline ? gate_refusal(limit, e) : NULL;

	if (least && *least)
		options_bad_long(r->s->command,
				 "--limit: %s varies between moments; against a saved "
				 "file its limit must be at least %s",
				 limit->event, least);
	if (least)
		options_bad_long(
			r->s->command,
			"--limit: %s varies between moments; compare the two "
			"builds next to each other: --vs=OLD --limit=%s=%g%% NEW",
			limit->event, limit->event, 100 * limit->limit);
}

void repeat_gate_prepare(struct repeat *r)
{
	const struct options_series *o = &r->s->series;
	char text[512];

	for (unsigned i = 0; i < o->gate.n; i++)
		check_limit(r, &o->gate.limit[i]);
	if (!o->baseline)
		return;
	if (saved_read(&r->saved, o->baseline, text, sizeof text) == -1)
		errx(EXIT_TOOL, "cannot read '%s': %s", o->baseline, text);
	check_baseline(r);
}

/* A limit, and what it is judged with: a reference of --vs, or the saved runs. */
struct judged {
	enum gate_result result;
	struct judgement judgement; /* of a reference of --vs */
	struct gate_evidence evidence;
};

static void judge_saved(const struct repeat *r, const struct gate_limit *limit,
			struct judged *j)
{
	struct gate_evidence *v = &j->evidence;
	const struct runs_event *e = &r->event[v->event];
	const int was = runs_find(&r->saved.series.runs, e->name, e->mode);

	v->was = &r->saved.series.runs;
	v->was_event = was < 0 ? 0 : (unsigned)was;
	j->result = was < 0 ? GATE_MISSING
			    : gate_ranges(limit, v->was, v->was_event, v->now, v->event);
}

static void judge_reference(const struct repeat *r, const struct gate_limit *limit,
			    unsigned reference, struct judged *j)
{
	struct gate_evidence *v = &j->evidence;
	struct judgement all[r->nevents + 1];

	v->was = &r->arm[reference].series;
	v->was_event = v->event;
	if (judge_pairs(all, v->was, v->now, r->s->series.alpha) == -1)
		errx(EXIT_TOOL, "no memory available");
	j->judgement = all[v->event];
	v->judgement = &j->judgement;
	j->result = gate_pairs(limit, &j->judgement, v->was, v->now, v->event);
}

/* What is done with the limits that were judged: tables, JSON, or nothing. */
struct report {
	/* writes the table of the limits that were judged with what name says */
	void (*put)(struct textbuf *b, const char *name, const struct cells *c);
	struct textbuf *text, *json;	     /* of put(), and of JSON; NULL: none */
	unsigned n, count[GATE_MISSING + 1]; /* all results, and of each kind */
};

/* Judge a limit with a reference, or if that is negative, with the saved runs. */
static void judge_one(const struct repeat *r, struct report *to, struct cells *c,
		      const struct gate_limit *limit, int reference)
{
	struct judged j = {.evidence = {.now = &r->arm[r->narms - 1].series,
					.event = find_event(r, limit)}};

	if (reference < 0)
		judge_saved(r, limit, &j);
	else
		judge_reference(r, limit, (unsigned)reference, &j);
	gate_cells_add(c, limit, j.result, &j.evidence);
	if (to->json && to->n)
		textbuf_char(to->json, ',');
	if (to->json)
		series_json_limit(to->json, limit, j.result, reference);
	to->count[j.result]++;
	to->n++;
}

static void judge_with(const struct repeat *r, struct report *to, int reference)
{
	const struct options_series *o = &r->s->series;
	struct cells c;

	gate_cells_begin(&c);
	for (unsigned i = 0; i < o->gate.n; i++)
		judge_one(r, to, &c, &o->gate.limit[i], reference);
	if (cells_end(&c) == -1)
		errx(EXIT_TOOL, "no memory available");
	if (to->text)
		to->put(to->text, reference < 0 ? o->baseline : r->arm[reference].command,
			&c);
	cells_free(&c);
}

static void judge_all(const struct repeat *r, struct report *to)
{
	for (unsigned a = 0; a + 1 < r->narms; a++)
		judge_with(r, to, (int)a);
	if (r->s->series.baseline)
		judge_with(r, to, -1);
}

static char *failed_text(const struct arm *a)
{
	struct textbuf b = {0};

	textbuf_char(&b, '\'');
	textbuf_str(&b, a->command);
	textbuf_str(&b, "' ");
	runs_put_ending(&b, &a->series.ending);
	return end_text(&b);
}

/* Returns why the limits have no result, for free(), or NULL. */
static char *obstacle(const struct repeat *r)
{
	struct textbuf b = {0};

	if (r->failed || r->interrupted) {
		textbuf_str(&b, "the runs were ended early");
		return end_text(&b);
	}
	for (unsigned i = 0; i < r->narms; i++)
		if (runs_status(&r->arm[i].series.ending))
			return failed_text(&r->arm[i]);
	return NULL;
}

int repeat_gate_status(struct repeat *r, int status)
{
	if (!r->s->series.gate.n)
		return status;
	r->not_gated = obstacle(r);
	if (r->not_gated) {
		warnx("not gated: %s", r->not_gated);
		return r->interrupted ? status : EXIT_TOOL;
	}
	struct report none = {0};
	judge_all(r, &none);
	if (none.count[GATE_FAIL])
		return EXIT_LIMIT;
	if (none.count[GATE_MISSING] || none.count[GATE_TOO_FEW] ||
	    (none.count[GATE_UNSURE] && r->s->strict))
		return EXIT_TOOL;
	return status;
}

static void put_text(struct textbuf *b, const char *name, const struct cells *c)
{
	textbuf_str(b, "gate against ");
	textbuf_clean(b, name);
	textbuf_char(b, '\n');
	gate_put(b, c);
}

void repeat_gate_put(const struct repeat *r, struct textbuf *b)
{
	struct report to = {.put = put_text, .text = b};

	if (r->not_gated || !r->s->series.gate.n)
		return;
	judge_all(r, &to);
	gate_put_sum(b, to.count);
	textbuf_char(b, '\n');
}

int repeat_gate_markdown(const struct repeat *r, struct textbuf *sum,
			 struct textbuf *tables)
{
	struct report to = {.put = markdown_put_gate, .text = tables};

	if (!r->s->series.gate.n)
		return 0;
	if (r->not_gated) {
		textbuf_str(sum, "not gated: ");
		markdown_put_code(sum, r->not_gated);
		return 1;
	}
	judge_all(r, &to);
	gate_put_sum(sum, to.count);
	return 1;
}

int repeat_gate_record(const struct repeat *r, struct textbuf *b,
		       const struct row_run *run)
{
	struct report to = {.json = b};

	if (r->not_gated || !r->s->series.gate.n)
		return 0;
	row_json_begin(b, run, "gate");
	quote_json_text(b, "baseline", r->s->series.baseline);
	quote_json_key(b, "limits");
	textbuf_char(b, '[');
	judge_all(r, &to);
	textbuf_str(b, "]}\n");
	return 1;
}
