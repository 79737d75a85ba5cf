#include "suite/series/cells.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "suite/row/row.h"

#define LEN(a) (unsigned)(sizeof(a) / sizeof *(a))

static const struct cells_column columns_of_runs[] = {
	{"event", CELLS_NAME, 0, 0},	    {"median", CELLS_NUMBER, 14, 3},
	{"quartiles", CELLS_WORDS, 24, 1},  {"", CELLS_REMARK, 0, 0},
	{"min .. max", CELLS_WORDS, 24, 1}, {"outliers", CELLS_WORDS, 0, 0},
};

/* The title of the interval has the confidence. */
static const struct cells_column columns_of_comparison[] = {
	{"event", CELLS_NAME, 0, 0}, {"A", CELLS_NUMBER, 13, 0},
	{"B", CELLS_NUMBER, 13, 0},  {"change", CELLS_NUMBER, 11, 3},
	{"", CELLS_WORDS, 18, 1},    {"verdict", CELLS_VERDICT, 0, 0},
	{"", CELLS_REMARK, 0, 0},
};

void cells_begin(struct cells *c, const struct cells_column *column, unsigned n)
{
	*c = (struct cells){.ncolumn = n};
	memcpy(c->column, column, n * sizeof *column);
}

static void add_text(struct cells *c, char *text)
{
	if (!text || array_grow(&c->text, c->n, sizeof *c->text) == -1) {
		free(text);
		c->failed = 1;
		return;
	}
	c->text[c->n++] = text;
	c->nrow = c->n / c->ncolumn;
}

void cells_add(struct cells *c, struct textbuf *part)
{
	add_text(c, textbuf_end(part));
	*part = (struct textbuf){0};
}

void cells_add_str(struct cells *c, const char *s)
{
	add_text(c, strdup(s ? s : ""));
}

void cells_add_real(struct cells *c, int known, double v)
{
	struct textbuf part = {0};

	if (known)
		textbuf_real(&part, v);
	cells_add(c, &part);
}

int cells_end(struct cells *c)
{
	if (!c->failed)
		return 0;
	errno = ENOMEM;
	return -1;
}

void cells_free(struct cells *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->text[i]);
	free(c->text);
	*c = (struct cells){0};
}

const char *cells_text(const struct cells *c, size_t row, unsigned column)
{
	return c->text[row * c->ncolumn + column];
}

/* The unit in which the values of an event are shown. */
struct scale {
	double size; /* one unit, in the unit of the values */
	const char *name;
};

static struct scale scale_of(const struct runs_event *e, double value)
{
	static const struct scale times[] = {{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}};

	if (!e->unit || strcmp(e->unit, "ns") != 0)
		return (struct scale){1, ""};
	for (unsigned i = 0; i < LEN(times); i++)
		if (value >= times[i].size)
			return times[i];
	return (struct scale){1, " ns"};
}

/* Append a value; times with about four digits. */
static void put_number(struct textbuf *b, double value, const struct scale *scale,
		       int grouped)
{
	const double v = value / scale->size;
	char text[48], with_commas[TEXT_GROUPED];

	if (scale->size > 1) {
		const int decimals = v < 10 ? 3 : v < 100 ? 2 : v < 1000 ? 1 : 0;

		textbuf_format(b, "%.*f", decimals, v);
		return;
	}
	snprintf(text, sizeof text, "%.0f", v);
	textbuf_str(b, grouped && v >= 0 ? text_grouped(with_commas, text) : text);
}

static void add_value(struct cells *c, double v, const struct scale *scale, int grouped)
{
	struct textbuf part = {0};

	put_number(&part, v, scale, grouped);
	textbuf_str(&part, scale->name);
	cells_add(c, &part);
}

static void add_range(struct cells *c, double low, double high, const struct scale *scale,
		      int grouped)
{
	struct textbuf part = {0};

	put_number(&part, low, scale, grouped);
	textbuf_str(&part, " .. ");
	put_number(&part, high, scale, grouped);
	cells_add(c, &part);
}

static void add_outliers(struct cells *c, const struct stats_spread *spread)
{
	struct textbuf part = {0};

	if (spread->below) {
		textbuf_num(&part, spread->below, 0);
		textbuf_str(&part, " below");
	}
	if (spread->above) {
		textbuf_str(&part, spread->below ? ", " : "");
		textbuf_num(&part, spread->above, 0);
		textbuf_str(&part, " above");
	}
	if (!spread->below && !spread->above)
		textbuf_char(&part, '-');
	cells_add(c, &part);
}

enum { BINS = 24 };

/* Count the values in bins of the same width; the last bin has all above it, too. */
static size_t count_bins(size_t count[BINS], const double *value, size_t n, double low,
			 double high)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		const double at = BINS * (value[i] - low) / (high - low);
		size_t *bin = &count[at < BINS ? (unsigned)at : BINS - 1];

		if (++*bin > most)
			most = *bin;
	}
	return most;
}

/*
 * Add a bar from the minimum to the 95 % quantile: a dot for one run, and a character for
 * each fifth of the fullest bin. value is sorted.
 */
static void add_bar(struct cells *c, double *value, size_t n, int style)
{
	size_t count[BINS] = {0};
	char bar[BINS + 3] = "";
	const double high = stats_quantile(value, n, 0.95);

	if ((style & CELLS_BARS) && high > value[0]) {
		const size_t most = count_bins(count, value, n, value[0], high);

		bar[0] = bar[BINS + 1] = '|';
		for (unsigned i = 0; i < BINS; i++)
			bar[i + 1] = count[i] == 0   ? ' '
				     : count[i] == 1 ? '.'
						     : "-=+#@"[(5 * count[i] - 1) / most];
	}
	cells_add_str(c, bar);
}

static void add_spread(struct cells *c, const struct stats_spread *s, double *value,
		       size_t n, const struct scale *scale, int grouped)
{
	add_value(c, s->median, scale, grouped);
	add_range(c, s->first_quartile, s->third_quartile, scale, grouped);
	add_bar(c, value, n, grouped);
	add_range(c, s->min, s->max, scale, grouped);
	add_outliers(c, s);
}

/* Add how many runs something is said of: "same in 20 runs". */
static void add_runs(struct cells *c, const char *what, size_t n)
{
	struct textbuf part = {0};

	textbuf_str(&part, what);
	textbuf_num(&part, n, 0);
	textbuf_str(&part, n == 1 ? " run" : " runs");
	cells_add(c, &part);
}

/* Add a count that has the same value in most runs. */
static void add_repeated(struct cells *c, const struct runs_constancy *k, size_t n,
			 const struct scale *scale, int grouped)
{
	char times[48];

	add_value(c, (double)k->usual, scale, grouped);
	snprintf(times, sizeof times, "%zu of ", k->times);
	add_runs(c, k->distinct == 1 ? "same in " : times, n);
	cells_add_str(c, "");
	if (k->distinct == 1)
		cells_add_str(c, "");
	else
		add_range(c, (double)k->least, (double)k->most, scale, grouped);
	cells_add_str(c, "");
}

static void add_missing(struct cells *c, size_t missing)
{
	cells_add_str(c, "-");
	add_runs(c, "not counted in ", missing);
	for (unsigned i = 0; i < 3; i++)
		cells_add_str(c, "");
}

static void add_name(struct cells *c, const struct runs_event *e)
{
	struct textbuf part = {0};

	row_put_event(&part, e->name, e->mode);
	cells_add(c, &part);
}

static int add_event(struct cells *c, const struct runs *s, unsigned event, int grouped)
{
	const size_t missing = runs_missing(s, event);
	const struct runs_event *e = &s->event[event];
	struct runs_constancy k;
	struct stats_spread spread;
	double *v = runs_values(s, event);

	if (!v || stats_spread(&spread, v, s->n) == -1) {
		free(v);
		return -1;
	}
	const struct scale scale = scale_of(e, spread.median);
	runs_constancy(&k, s, event);
	add_name(c, e);
	if (missing)
		add_missing(c, missing);
	else if (e->kind == RUNS_COUNT && (k.distinct == 1 || k.distinct <= s->n / 2))
		add_repeated(c, &k, s->n, &scale, grouped);
	else
		add_spread(c, &spread, v, s->n, &scale, grouped);
	free(v);
	return 0;
}

int cells_of_runs(struct cells *c, const struct runs *s, int grouped)
{
	cells_begin(c, columns_of_runs, LEN(columns_of_runs));
	for (unsigned i = 0; s->n && i < s->nevents; i++)
		if (add_event(c, s, i, grouped) == -1)
			return -1;
	return cells_end(c);
}

/* Append a change of percent, or of counts where a percentage has no meaning. */
static void put_change(struct textbuf *b, const struct stats_change *c, double v)
{
	const double percent = 100 * v;

	if (c->relative)
		textbuf_format(b, "%+.*f", fabs(percent) < 10 ? 2 : fabs(percent) < 100,
			       percent);
	else
		textbuf_format(b, "%+.0f", v);
}

const char *cells_verdict(const struct runs_event *e, enum judge_verdict v)
{
	const int is_time = e->unit && strcmp(e->unit, "ns") == 0;

	switch (v) {
	case JUDGE_SAME:
		return "same";
	case JUDGE_LESS:
		return is_time ? "faster" : "fewer";
	case JUDGE_MORE:
		return is_time ? "slower" : "more";
	case JUDGE_NONE:
		return "no difference shown";
	case JUDGE_NONE_AMONG:
		return "not shown among so many events";
	case JUDGE_TOO_FEW:
		return "too few runs to tell";
	case JUDGE_MOMENTS:
		return "not judged: varies between moments";
	case JUDGE_UNAVAILABLE:
		break;
	}
	return "not counted in all runs";
}

static void add_side(struct cells *c, const struct runs_event *e, double v, int grouped)
{
	const struct scale scale = scale_of(e, v);

	add_value(c, v, &scale, grouped);
}

static void add_sides(struct cells *c, const struct runs_event *e,
		      const struct judgement *j, int grouped)
{
	struct textbuf part = {0};

	if (!j->has_change) {
		for (unsigned i = 0; i < 3; i++)
			cells_add_str(c, "-");
		return;
	}
	add_side(c, e, j->a, grouped);
	add_side(c, e, j->b, grouped);
	put_change(&part, &j->change, j->change.change);
	textbuf_str(&part, j->change.relative ? " %" : "");
	cells_add(c, &part);
}

static void add_interval(struct cells *c, const struct runs_event *e,
			 const struct judgement *j)
{
	struct textbuf part = {0};

	if (j->change.has_interval) {
		put_change(&part, &j->change, j->change.low);
		textbuf_str(&part, " .. ");
		put_change(&part, &j->change, j->change.high);
	} else if (e->kind == RUNS_COUNT && j->verdict != JUDGE_TOO_FEW) {
		textbuf_str(&part, "exact");
	} else {
		textbuf_char(&part, '-');
	}
	cells_add(c, &part);
}

/* What the comparison would have seen, so that silence is not taken for equality. */
static void add_detectable(struct cells *c, const struct judgement *j)
{
	char text[48] = "";

	if (j->verdict == JUDGE_NONE && j->detectable > 0 && j->change.relative) {
		const double percent = 100 * j->detectable;
		const double unit = pow(10, floor(log10(percent)) - 1);

		snprintf(text, sizeof text, "(would have seen %.*f %%)", percent < 10,
			 ceil(percent / unit) * unit);
	}
	cells_add_str(c, text);
}

int cells_of_comparison(struct cells *c, const struct judge_comparison *comparison,
			int grouped)
{
	const struct runs *b = comparison->b;

	cells_begin(c, columns_of_comparison, LEN(columns_of_comparison));
	snprintf(c->column[CELLS_INTERVAL].title, sizeof c->column->title,
		 "%.0f %% interval", 100 * (1 - comparison->alpha));
	if (comparison->saved) {
		strcpy(c->column[1].title, "saved");
		strcpy(c->column[2].title, "now");
	}
	for (unsigned i = 0; b->n && i < b->nevents; i++) {
		const struct judgement *j = &comparison->judgement[i];

		add_name(c, &b->event[i]);
		add_sides(c, &b->event[i], j, grouped);
		add_interval(c, &b->event[i], j);
		cells_add_str(c, cells_verdict(&b->event[i], j->verdict));
		add_detectable(c, j);
	}
	return cells_end(c);
}
