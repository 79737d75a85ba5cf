#include "suite/series/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Widths of the columns of both tables. */
enum { W_MEDIAN = 14, W_QUARTILES = 24, W_RANGE = 24 };
enum { W_SIDE = 13, W_CHANGE = 11, W_INTERVAL = 18 };

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
	for (unsigned i = 0; i < sizeof times / sizeof times[0]; i++)
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

		snprintf(text, sizeof text, "%.*f", decimals, v);
		textbuf_str(b, text);
		return;
	}
	snprintf(text, sizeof text, "%.0f", v);
	textbuf_str(b, grouped && v >= 0 ? text_grouped(with_commas, text) : text);
}

/* Append what part has, in a cell at whose right or left side it stands. */
static void put_right(struct textbuf *b, struct textbuf *part, size_t width)
{
	char *text = textbuf_end(part);

	if (text)
		textbuf_cell(b, text, strlen(text), width);
	else
		b->failed = 1;
	free(text);
	*part = (struct textbuf){0};
}

static void put_left(struct textbuf *b, struct textbuf *part, size_t width)
{
	const size_t n = part->len;

	put_right(b, part, 0);
	for (size_t i = n; i < width; i++)
		textbuf_char(b, ' ');
}

static size_t name_width(const struct runs *s)
{
	size_t width = strlen("event");

	for (unsigned i = 0; i < s->nevents; i++)
		if (text_width(s->event[i].name) > width)
			width = text_width(s->event[i].name);
	return width;
}

static void put_name(struct textbuf *b, const char *name, size_t width)
{
	size_t n = text_width(name);

	textbuf_clean(b, name);
	for (; n < width; n++)
		textbuf_char(b, ' ');
}

/* Lines end without blanks. */
static void end_line(struct textbuf *b)
{
	while (!b->failed && b->len > 0 && b->s[b->len - 1] == ' ')
		b->len--;
	textbuf_char(b, '\n');
}

static void put_range(struct textbuf *b, double low, double high,
		      const struct scale *scale, int grouped)
{
	put_number(b, low, scale, grouped);
	textbuf_str(b, " .. ");
	put_number(b, high, scale, grouped);
}

static void put_median(struct textbuf *b, double v, const struct scale *scale,
		       int grouped)
{
	struct textbuf part = {0};

	put_number(&part, v, scale, grouped);
	textbuf_str(&part, scale->name);
	put_right(b, &part, W_MEDIAN);
	textbuf_str(b, "   ");
}

static void put_outliers(struct textbuf *b, const struct stats_spread *spread)
{
	if (spread->below) {
		textbuf_num(b, spread->below, 0);
		textbuf_str(b, " below");
	}
	if (spread->above) {
		textbuf_str(b, spread->below ? ", " : "");
		textbuf_num(b, spread->above, 0);
		textbuf_str(b, " above");
	}
	if (!spread->below && !spread->above)
		textbuf_char(b, '-');
}

static void put_spread(struct textbuf *b, const struct stats_spread *s,
		       const struct scale *scale, int grouped)
{
	struct textbuf part = {0};

	put_median(b, s->median, scale, grouped);
	put_range(&part, s->first_quartile, s->third_quartile, scale, grouped);
	put_left(b, &part, W_QUARTILES);
	textbuf_char(b, ' ');
	put_range(&part, s->min, s->max, scale, grouped);
	put_left(b, &part, W_RANGE);
	textbuf_char(b, ' ');
	put_outliers(b, s);
}

/* Append a count that has the same value in most runs. */
static void put_repeated(struct textbuf *b, const struct runs_constancy *c, size_t n,
			 const struct scale *scale, int grouped)
{
	struct textbuf part = {0};

	put_median(b, (double)c->usual, scale, grouped);
	if (c->distinct == 1) {
		textbuf_str(&part, "same in ");
	} else {
		textbuf_num(&part, c->times, 0);
		textbuf_str(&part, " of ");
	}
	textbuf_num(&part, n, 0);
	textbuf_str(&part, n == 1 ? " run" : " runs");
	put_left(b, &part, c->distinct == 1 ? 0 : W_QUARTILES + 1);
	if (c->distinct > 1)
		put_range(b, (double)c->least, (double)c->most, scale, grouped);
}

static int put_event(struct textbuf *b, const struct runs *s, unsigned event, int grouped)
{
	const size_t missing = runs_missing(s, event);
	const struct runs_event *e = &s->event[event];
	struct runs_constancy c;
	struct stats_spread spread;
	double *v = runs_values(s, event);
	const int rc = v ? stats_spread(&spread, v, s->n) : -1;

	free(v);
	if (rc == -1)
		return -1;
	const struct scale scale = scale_of(e, spread.median);
	runs_constancy(&c, s, event);
	if (missing) {
		textbuf_cell(b, "-", 1, W_MEDIAN);
		textbuf_str(b, "   not counted in ");
		textbuf_num(b, missing, 0);
		textbuf_str(b, missing == 1 ? " run" : " runs");
	} else if (e->kind == RUNS_COUNT && (c.distinct == 1 || c.distinct <= s->n / 2)) {
		put_repeated(b, &c, s->n, &scale, grouped);
	} else {
		put_spread(b, &spread, &scale, grouped);
	}
	return 0;
}

int table_put_runs(struct textbuf *b, const struct runs *s, int grouped)
{
	const size_t width = name_width(s);

	textbuf_num(b, s->n, 0);
	textbuf_str(b, s->n == 1 ? " run: " : " runs: ");
	textbuf_clean(b, s->command);
	textbuf_char(b, '\n');
	if (s->n == 0)
		return 0;
	put_name(b, "event", width);
	textbuf_cell(b, "median", strlen("median"), W_MEDIAN);
	textbuf_str(b, "   ");
	put_name(b, "quartiles", W_QUARTILES + 1);
	put_name(b, "min .. max", W_RANGE + 1);
	textbuf_str(b, "outliers\n");
	for (unsigned i = 0; i < s->nevents; i++) {
		put_name(b, s->event[i].name, width);
		if (put_event(b, s, i, grouped) == -1)
			return -1;
		end_line(b);
	}
	return 0;
}

static void put_side(struct textbuf *b, const struct runs_event *e, double v, int grouped)
{
	const struct scale scale = scale_of(e, v);
	struct textbuf part = {0};

	put_number(&part, v, &scale, grouped);
	textbuf_str(&part, scale.name);
	put_right(b, &part, W_SIDE);
}

/* Append a change of percent, or of counts where a percentage has no meaning. */
static void put_change(struct textbuf *b, const struct stats_change *c, double v)
{
	char text[48];

	if (c->relative) {
		const double percent = fabs(100 * v);

		snprintf(text, sizeof text, "%+.*f", percent < 10 ? 2 : percent < 100,
			 100 * v);
	} else {
		snprintf(text, sizeof text, "%+.0f", v);
	}
	textbuf_str(b, text);
}

static const char *verdict_words(const struct runs_event *e, enum judge_verdict v)
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
	case JUDGE_UNAVAILABLE:
		break;
	}
	return "not counted in all runs";
}

static void put_interval(struct textbuf *b, const struct runs_event *e,
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
	put_left(b, &part, W_INTERVAL);
	textbuf_char(b, ' ');
}

static void put_judgement(struct textbuf *b, const struct runs_event *e,
			  const struct judgement *j, int grouped)
{
	struct textbuf part = {0};

	if (!j->has_change) {
		for (unsigned side = 0; side < 2; side++)
			textbuf_cell(b, "-", 1, W_SIDE);
		textbuf_cell(b, "-", 1, W_CHANGE);
	} else {
		put_side(b, e, j->a, grouped);
		put_side(b, e, j->b, grouped);
		put_change(&part, &j->change, j->change.change);
		textbuf_str(&part, j->change.relative ? " %" : "");
		put_right(b, &part, W_CHANGE);
	}
	textbuf_str(b, "   ");
	put_interval(b, e, j);
	textbuf_str(b, verdict_words(e, j->verdict));
}

/* What the comparison would have seen, so that silence is not taken for equality. */
static void put_detectable(struct textbuf *b, const struct judgement *j, size_t width)
{
	char text[48];

	if (j->verdict != JUDGE_NONE || !(j->detectable > 0) || !j->change.relative)
		return;
	const double percent = 100 * j->detectable;
	const double unit = pow(10, floor(log10(percent)) - 1);
	snprintf(text, sizeof text, "(would have seen %.*f %%)", percent < 10 ? 1 : 0,
		 ceil(percent / unit) * unit);
	for (size_t i = 0; i < width + 2 * W_SIDE + W_CHANGE + 3 + W_INTERVAL + 1; i++)
		textbuf_char(b, ' ');
	textbuf_str(b, text);
	textbuf_char(b, '\n');
}

static void put_heading(struct textbuf *b, const struct judge_comparison *c, size_t width)
{
	const size_t n = c->b->n;
	char interval[48];

	textbuf_str(b, "A: ");
	textbuf_clean(b, c->a->command);
	textbuf_str(b, "\nB: ");
	textbuf_clean(b, c->b->command);
	textbuf_char(b, '\n');
	textbuf_num(b, n, 0);
	textbuf_str(b, n == 1 ? " pair" : " pairs");
	textbuf_str(b, ", order by coin, 1 warm-up run each\n");
	if (n == 0)
		return;
	put_name(b, "event", width);
	textbuf_cell(b, "A", 1, W_SIDE);
	textbuf_cell(b, "B", 1, W_SIDE);
	textbuf_cell(b, "change", strlen("change"), W_CHANGE);
	textbuf_str(b, "   ");
	snprintf(interval, sizeof interval, "%.0f %% interval", 100 * (1 - c->alpha));
	put_name(b, interval, W_INTERVAL + 1);
	textbuf_str(b, "verdict\n");
}

void table_put_comparison(struct textbuf *b, const struct judge_comparison *c,
			  int grouped)
{
	const size_t width = name_width(c->b);

	put_heading(b, c, width);
	for (unsigned i = 0; c->b->n && i < c->b->nevents; i++) {
		put_name(b, c->b->event[i].name, width);
		put_judgement(b, &c->b->event[i], &c->judgement[i], grouped);
		end_line(b);
		put_detectable(b, &c->judgement[i], width);
	}
}

/* Append the warnings about an event. Returns -1 with ENOMEM. */
static int warn_event(struct textbuf *b, const struct runs *s, unsigned event)
{
	double *v = runs_values(s, event);
	struct stats_spread spread = {0};
	int drifts = -1, bursts = -1;

	if (v && stats_spread(&spread, v, s->n) == 0) {
		drifts = stats_drifts(v, s->n);
		bursts = stats_has_bursts(v, s->n);
	}
	free(v);
	if (drifts == -1 || bursts == -1)
		return -1;
	if (drifts) {
		textbuf_clean(b, s->event[event].name);
		textbuf_str(b, ": the values drift from the first run to the last\n");
	}
	if (bursts) {
		textbuf_clean(b, s->event[event].name);
		textbuf_str(b, ": the values come in bursts, as when other programs "
			       "disturb; --vs compares two commands all the same\n");
	}
	if (10 * (spread.below + spread.above) >= s->n && s->n >= 10) {
		textbuf_clean(b, s->event[event].name);
		textbuf_str(b, ": a tenth of the runs or more are outliers\n");
	}
	return 0;
}

int table_put_warnings(struct textbuf *b, const struct runs *s)
{
	for (unsigned i = 0; s->n && i < s->nevents; i++)
		if (s->event[i].kind == RUNS_NOISY && !runs_missing(s, i) &&
		    warn_event(b, s, i) == -1)
			return -1;
	return 0;
}
