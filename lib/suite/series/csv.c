#include "suite/series/csv.h"

#include <stdlib.h>

#include "base/quote.h"

void series_csv_title(struct textbuf *b)
{
	textbuf_str(b, "command,event,mode,unit,kind,class,runs,median,first_quartile,"
		       "third_quartile,min,max,reference,change,relative,low,high,p,"
		       "verdict\n");
}

static void put_real(struct textbuf *b, int known, double v)
{
	if (known)
		textbuf_real(b, v);
	textbuf_char(b, ',');
}

/* Append the columns up to max. Returns -1 with ENOMEM. */
static int put_event(struct textbuf *b, const struct runs *s, unsigned event)
{
	const struct runs_event *e = &s->event[event];
	const int known = s->n > 0 && runs_missing(s, event) == 0;
	struct stats_spread spread = {0};
	double *v = known ? runs_values(s, event) : NULL;
	const int rc = known && (!v || stats_spread(&spread, v, s->n) == -1) ? -1 : 0;

	free(v);
	quote_csv_text(b, s->command);
	quote_csv_text(b, e->name);
	quote_csv_text(b, e->mode && !*e->mode ? "none" : e->mode);
	quote_csv_text(b, e->unit);
	quote_csv_text(b, e->kind == RUNS_COUNT ? "count" : "noisy");
	quote_csv_text(b, cpc_class_name(runs_quality(s, event)));
	quote_csv_number(b, 1, s->n);
	put_real(b, known, spread.median);
	put_real(b, known, spread.first_quartile);
	put_real(b, known, spread.third_quartile);
	put_real(b, known, spread.min);
	put_real(b, known, spread.max);
	return rc;
}

int series_csv_runs(struct textbuf *b, const struct runs *s)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		if (put_event(b, s, i) == -1)
			return -1;
		textbuf_str(b, ",,,,,,\n");
	}
	return 0;
}

int series_csv_comparison(struct textbuf *b, const struct judge_comparison *c)
{
	for (unsigned i = 0; i < c->b->nevents; i++) {
		const struct judgement *j = &c->judgement[i];
		const int tested = j->has_change && j->change.has_interval;

		if (put_event(b, c->b, i) == -1)
			return -1;
		quote_csv_text(b, c->a->command);
		put_real(b, j->has_change, j->change.change);
		quote_csv_text(b, !j->has_change       ? NULL
				  : j->change.relative ? "true"
						       : "false");
		put_real(b, tested, j->change.low);
		put_real(b, tested, j->change.high);
		put_real(b, tested, j->change.p);
		quote_csv(b, judge_name(j->verdict));
		textbuf_char(b, '\n');
	}
	return 0;
}
