#include "suite/series/json.h"

#include <math.h>
#include <stdlib.h>

#include "base/quote.h"
#include "suite/row/json.h"

/* Append a member whose value is a number that is not whole; null if it is not finite. */
static void put_double(struct textbuf *b, const char *key, int known, double v)
{
	quote_json_key(b, key);
	if (known && isfinite(v))
		textbuf_real(b, v);
	else
		textbuf_str(b, "null");
}

static void put_name(struct textbuf *b, const struct runs_event *e)
{
	quote_json_text(b, "name", e->name);
	quote_json_text(b, "mode", e->mode && !*e->mode ? "none" : e->mode);
	quote_json_text(b, "unit", e->unit);
	quote_json_text(b, "kind", e->kind == RUNS_COUNT ? "count" : "noisy");
}

static void put_values(struct textbuf *b, const struct runs *s, unsigned event)
{
	quote_json_key(b, "values");
	textbuf_char(b, '[');
	for (size_t i = 0; i < s->n; i++) {
		if (i)
			textbuf_char(b, ',');
		if (runs_is_missing(s, i, event))
			textbuf_str(b, "null");
		else
			textbuf_num(b, runs_value(s, i, event), 0);
	}
	textbuf_char(b, ']');
}

static int put_event(struct textbuf *b, const struct runs *s, unsigned event)
{
	const int known = s->n > 0 && runs_missing(s, event) == 0;
	struct stats_spread spread = {0};
	double *v = known ? runs_values(s, event) : NULL;

	if (known && (!v || stats_spread(&spread, v, s->n) == -1)) {
		free(v);
		return -1;
	}
	free(v);
	textbuf_char(b, '{');
	put_name(b, &s->event[event]);
	quote_json_text(b, "class", cpc_class_name(runs_quality(s, event)));
	put_double(b, "median", known, spread.median);
	put_double(b, "first_quartile", known, spread.first_quartile);
	put_double(b, "third_quartile", known, spread.third_quartile);
	put_double(b, "min", known, spread.min);
	put_double(b, "max", known, spread.max);
	quote_json_number(b, "outliers", known, spread.below + spread.above);
	put_values(b, s, event);
	textbuf_char(b, '}');
	return 0;
}

static void put_facts(struct textbuf *b, const struct facts *f)
{
	quote_json_number(b, "start_bytes", f->start_bytes >= 0,
			  (uint64_t)f->start_bytes);
	quote_json_number(b, "cwd_bytes", f->cwd_bytes >= 0, (uint64_t)f->cwd_bytes);
	quote_json_text(b, "program_hash", *f->program ? f->program : NULL);
}

static void put_warnings(struct textbuf *b, const struct warnings *w)
{
	quote_json_key(b, "warnings");
	textbuf_char(b, '[');
	for (size_t i = 0; w && i < w->n; i++) {
		textbuf_str(b, i ? ",{" : "{");
		quote_json_text(b, "id", warnings_name(w->list[i].id));
		quote_json_text(b, "event", w->list[i].event);
		textbuf_char(b, '}');
	}
	textbuf_char(b, ']');
}

int series_json_runs(struct textbuf *b, const struct row_run *run, unsigned number,
		     const struct runs *s, const struct facts *facts,
		     const struct warnings *w)
{
	row_json_begin(b, run, "series");
	quote_json_number(b, "series", 1, number);
	quote_json_text(b, "command", s->command);
	quote_json_number(b, "command_status", s->n > 0,
			  (uint64_t)runs_status(&s->ending));
	put_facts(b, facts);
	quote_json_number(b, "runs", 1, s->n);
	quote_json_key(b, "events");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < s->nevents; i++) {
		if (i)
			textbuf_char(b, ',');
		if (put_event(b, s, i) == -1)
			return -1;
	}
	textbuf_char(b, ']');
	put_warnings(b, w);
	textbuf_str(b, "}\n");
	return 0;
}

static void put_judgement(struct textbuf *b, const struct runs_event *e,
			  const struct judgement *j)
{
	const struct stats_change *c = &j->change;
	const int tested = j->has_change && c->has_interval;

	textbuf_char(b, '{');
	put_name(b, e);
	put_double(b, "a", j->has_change, j->a);
	put_double(b, "b", j->has_change, j->b);
	put_double(b, "change", j->has_change, c->change);
	quote_json_key(b, "relative");
	textbuf_str(b, c->relative ? "true" : "false");
	quote_json_text(b, "method", tested ? stats_method_name(c->method) : NULL);
	put_double(b, "low", tested, c->low);
	put_double(b, "high", tested, c->high);
	put_double(b, "p", tested, c->p);
	put_double(b, "detectable", j->detectable > 0, j->detectable);
	quote_json_text(b, "verdict", judge_name(j->verdict));
	textbuf_char(b, '}');
}

void series_json_comparison(struct textbuf *b, const struct row_run *run,
			    unsigned reference, unsigned candidate,
			    const struct judge_comparison *c, uint64_t seed)
{
	row_json_begin(b, run, "comparison");
	quote_json_number(b, "reference", !c->saved, reference);
	quote_json_text(b, "baseline", c->saved);
	quote_json_number(b, "candidate", 1, candidate);
	quote_json_number(b, "pairs", !c->saved, c->b->n);
	put_double(b, "confidence", 1, 1 - c->alpha);
	quote_json_number(b, "seed", !c->saved, seed);
	quote_json_key(b, "events");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < c->b->nevents; i++) {
		if (i)
			textbuf_char(b, ',');
		put_judgement(b, &c->b->event[i], &c->judgement[i]);
	}
	textbuf_str(b, "]}\n");
}

void series_json_limit(struct textbuf *b, const struct gate_limit *limit,
		       enum gate_result result, int reference)
{
	textbuf_char(b, '{');
	quote_json_text(b, "name", limit->event);
	put_double(b, "limit", 1, limit->limit);
	quote_json_key(b, "falls");
	textbuf_str(b, limit->falls ? "true" : "false");
	quote_json_number(b, "reference", reference >= 0, (uint64_t)reference);
	quote_json_text(b, "result", gate_name(result));
	textbuf_char(b, '}');
}
