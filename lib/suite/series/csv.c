#include "suite/series/csv.h"

#include <stdlib.h>

#include "base/quote.h"

static const struct cells_column columns[] = {
	{"command", CELLS_NAME, 0, 0},
	{"event", CELLS_NAME, 0, 0},
	{"mode", CELLS_WORDS, 0, 0},
	{"unit", CELLS_WORDS, 0, 0},
	{"kind", CELLS_WORDS, 0, 0},
	{"class", CELLS_WORDS, 0, 0},
	{"runs", CELLS_NUMBER, 0, 0},
	{"median", CELLS_NUMBER, 0, 0},
	{"first_quartile", CELLS_NUMBER, 0, 0},
	{"third_quartile", CELLS_NUMBER, 0, 0},
	{"min", CELLS_NUMBER, 0, 0},
	{"max", CELLS_NUMBER, 0, 0},
	{"reference", CELLS_NAME, 0, 0},
	{"change", CELLS_NUMBER, 0, 0},
	{"relative", CELLS_WORDS, 0, 0},
	{"low", CELLS_NUMBER, 0, 0},
	{"high", CELLS_NUMBER, 0, 0},
	{"p", CELLS_NUMBER, 0, 0},
	{"verdict", CELLS_WORDS, 0, 0},
	{"limit", CELLS_NUMBER, 0, 0},
	{"result", CELLS_WORDS, 0, 0},
};

enum { COLUMNS = sizeof columns / sizeof columns[0], OF_COMPARISON = 9 };

void series_csv_begin(struct cells *c)
{
	cells_begin(c, columns, COLUMNS);
}

static void add_spread(struct cells *c, int known, const struct stats_spread *s)
{
	cells_add_real(c, known, s->median);
	cells_add_real(c, known, s->first_quartile);
	cells_add_real(c, known, s->third_quartile);
	cells_add_real(c, known, s->min);
	cells_add_real(c, known, s->max);
}

/* Add the columns up to max. Returns -1 with ENOMEM. */
static int add_event(struct cells *c, const struct runs *s, unsigned event)
{
	const struct runs_event *e = &s->event[event];
	const int known = s->n > 0 && runs_missing(s, event) == 0;
	struct stats_spread spread = {0};
	double *v = known ? runs_values(s, event) : NULL;
	const int rc = known && (!v || stats_spread(&spread, v, s->n) == -1) ? -1 : 0;

	free(v);
	cells_add_str(c, s->command);
	cells_add_str(c, e->name);
	cells_add_str(c, e->mode && !*e->mode ? "none" : e->mode);
	cells_add_str(c, e->unit);
	cells_add_str(c, e->kind == RUNS_COUNT ? "count" : "noisy");
	cells_add_str(c, cpc_class_name(runs_quality(s, event)));
	cells_add_real(c, 1, (double)s->n);
	add_spread(c, known, &spread);
	return rc;
}

int series_csv_add_runs(struct cells *c, const struct runs *s)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		if (add_event(c, s, i) == -1)
			return -1;
		for (unsigned k = 0; k < OF_COMPARISON; k++)
			cells_add_str(c, "");
	}
	return cells_end(c);
}

/* Add the limit of an event and its result. Returns -1 with ENOMEM. */
static int add_limit(struct cells *c, const struct limits *l,
		     const struct limits_reference *reference, unsigned event)
{
	struct limits_result found = {NULL, GATE_OK};

	if (l && limits_of_event(l, reference, event, &found) == -1)
		return -1;
	const struct gate_limit *limit = found.limit;
	cells_add_real(c, limit != NULL,
		       !limit	      ? 0
		       : limit->falls ? -limit->limit
				      : limit->limit);
	cells_add_str(c, limit ? gate_name(found.result) : NULL);
	return 0;
}

int series_csv_add_comparison(struct cells *c, const struct judge_comparison *comparison,
			      const struct limits *l,
			      const struct limits_reference *reference)
{
	for (unsigned i = 0; i < comparison->b->nevents; i++) {
		const struct judgement *j = &comparison->judgement[i];
		const int tested = j->has_change && j->change.has_interval;

		if (add_event(c, comparison->b, i) == -1)
			return -1;
		cells_add_str(c, comparison->saved ? comparison->saved
						   : comparison->a->command);
		cells_add_real(c, j->has_change, j->change.change);
		cells_add_str(c, !j->has_change	      ? ""
				 : j->change.relative ? "true"
						      : "false");
		cells_add_real(c, tested, j->change.low);
		cells_add_real(c, tested, j->change.high);
		cells_add_real(c, tested, j->change.p);
		cells_add_str(c, judge_name(j->verdict));
		if (add_limit(c, l, reference, i) == -1)
			return -1;
	}
	return cells_end(c);
}

void series_csv_put_titles(struct textbuf *b, const struct cells_column *column,
			   unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		textbuf_str(b, i ? "," : "");
		textbuf_str(b, column[i].title);
	}
	textbuf_char(b, '\n');
}

void series_csv_title(struct textbuf *b)
{
	series_csv_put_titles(b, columns, COLUMNS);
}

void series_csv_put(struct textbuf *b, const struct cells *c)
{
	for (size_t row = 0; row < c->nrow; row++) {
		for (unsigned i = 0; i < c->ncolumn; i++) {
			textbuf_str(b, i ? "," : "");
			quote_csv(b, cells_text(c, row, i));
		}
		textbuf_char(b, '\n');
	}
}
