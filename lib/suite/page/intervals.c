#include "suite/page/intervals.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite/page/svg.h"
#include "suite/profile/markup.h"

/* An end beyond this change is drawn at the border, so that others can be seen. */
#define MOST_CHANGE 2.0

static int is_drawn(const struct judgement *j)
{
	return j->has_change && j->change.relative;
}

/* Returns limit i as a change if it is a limit of the event, else 0. */
static double limit_of(const struct gate *limits, unsigned i, const struct runs *runs,
		       unsigned event)
{
	const struct gate_limit *limit = &limits->limit[i];

	if (runs_find(runs, limit->event, NULL) != (int)event)
		return 0;
	return limit->falls ? -limit->limit : limit->limit;
}

static double bounded(double v)
{
	return fmin(MOST_CHANGE, fmax(-1, v));
}

static void cover(double *low, double *high, double v)
{
	*low = fmin(*low, bounded(v));
	*high = fmax(*high, bounded(v));
}

/* Make the axis of all changes, which has 0. Returns the number of events on it. */
static unsigned fit(struct axis *a, const struct judge_comparison *c,
		    const struct gate *limits)
{
	double low = 0, high = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < c->b->nevents; i++) {
		const struct stats_change *change = &c->judgement[i].change;

		if (!is_drawn(&c->judgement[i]))
			continue;
		n++;
		cover(&low, &high, change->change);
		for (unsigned k = 0; k < limits->n; k++)
			cover(&low, &high, limit_of(limits, k, c->b, i));
		if (!change->has_interval)
			continue;
		cover(&low, &high, change->low);
		cover(&low, &high, change->high);
	}
	/* A change that is far from 0 still shows on which side the others are. */
	const double margin = fmax((high - low) / 20, 0.001);
	axis_fit(a, low - margin, high + margin, AXIS_RATIO);
	return n;
}

/* A limit that is not on the axis is in the words alone. */
static void put_limit(struct textbuf *b, const struct axis *a, double limit)
{
	if (limit != 0 && limit >= a->low && limit <= a->high)
		svg_line(b, "limit", svg_x(a, limit), 0, svg_x(a, limit), SVG_SIZE);
}

static void put_event(struct textbuf *b, const struct axis *a,
		      const struct stats_change *c, int is_shown)
{
	const double y = SVG_SIZE / 2.0;

	if (c->has_interval)
		svg_line(b, is_shown ? "interval shown" : "interval", svg_x(a, c->low), y,
			 svg_x(a, c->high), y);
	svg_line(b, is_shown ? "estimate shown" : "estimate", svg_x(a, c->change), y,
		 svg_x(a, c->change), y);
}

/* Append the limits of an event in words. */
static void put_limit_words(struct textbuf *words, const struct gate *limits,
			    const struct runs *runs, unsigned event)
{

	for (unsigned i = 0; i < limits->n; i++) {
		const struct gate_limit *limit = &limits->limit[i];

		if (runs_find(runs, limit->event, NULL) != (int)event)
			continue;
		textbuf_format(words, ", limit %s%g %%", limit->falls ? "-" : "",
			       100 * limit->limit);
	}
}

static void put_cell(struct textbuf *b, const char *class, const char *text)
{
	textbuf_str(b, "<div class=\"");
	textbuf_str(b, class);
	textbuf_str(b, "\">");
	markup_text(b, text, SIZE_MAX);
	textbuf_str(b, "</div>\n");
}

static void put_row(struct textbuf *b, const struct axis *a,
		    const struct judge_comparison *c, const struct cells *table,
		    unsigned i, const struct gate *limits)
{
	const struct judgement *j = &c->judgement[i];
	const int is_shown = j->verdict == JUDGE_LESS || j->verdict == JUDGE_MORE;
	struct textbuf words = {0};

	textbuf_str(b, "<div class=\"row\">\n");
	put_cell(b, "name", c->b->event[i].name);
	textbuf_str(&words, c->b->event[i].name);
	textbuf_str(&words, ": change ");
	textbuf_str(&words, cells_text(table, i, CELLS_CHANGE));
	textbuf_str(&words, ", interval ");
	textbuf_str(&words, cells_text(table, i, CELLS_INTERVAL));
	put_limit_words(&words, limits, c->b, i);
	svg_begin(b, "change", &words);
	svg_grid(b, a, 1);
	svg_line(b, "zero", svg_x(a, 0), 0, svg_x(a, 0), SVG_SIZE);
	for (unsigned k = 0; k < limits->n; k++)
		put_limit(b, a, limit_of(limits, k, c->b, i));
	put_event(b, a, &j->change, is_shown);
	svg_end(b);
	textbuf_str(&words, cells_text(table, i, CELLS_CHANGE));
	textbuf_str(&words, " ");
	textbuf_str(&words, cells_text(table, i, CELLS_OUTCOME));
	put_limit_words(&words, limits, c->b, i);
	textbuf_char(&words, '\0');
	if (words.failed)
		b->failed = 1;
	else
		put_cell(b, is_shown ? "said shown" : "said", words.s);
	free(words.s);
	textbuf_str(b, "</div>\n");
}

void intervals_put(struct textbuf *b, const struct judge_comparison *c,
		   const struct cells *table, const struct gate *limits)
{
	struct axis a;

	if (!c->b->n || !fit(&a, c, limits))
		return;
	textbuf_str(b, "<figure class=\"intervals\"><figcaption>Change from ");
	textbuf_str(b, c->saved ? "the saved runs to the new ones" : "A to B");
	textbuf_str(b, ": the estimate and the interval, beside the line of no change");
	textbuf_str(b, limits->n ? " and the limit</figcaption>\n" : "</figcaption>\n");
	for (unsigned i = 0; i < c->b->nevents; i++)
		if (is_drawn(&c->judgement[i]))
			put_row(b, &a, c, table, i, limits);
	textbuf_str(b, "<div class=\"row\"><div></div>");
	svg_labels(b, &a, 1);
	textbuf_str(b, "</div></figure>\n");
}
