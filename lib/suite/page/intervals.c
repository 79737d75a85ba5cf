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

/* Returns the limit of an event as a change, or 0 if it has none. */
static double limit_of(const struct gate *limits, const char *event)
{
	for (unsigned i = 0; limits && i < limits->n; i++)
		if (strcmp(limits->limit[i].event, event) == 0)
			return limits->limit[i].falls ? -limits->limit[i].limit
						      : limits->limit[i].limit;
	return 0;
}

static double bounded(double v)
{
	return fmin(MOST_CHANGE, fmax(-1, v));
}

/* Make the axis of all changes, which has 0. Returns the number of events on it. */
static unsigned fit(struct axis *a, const struct judge_comparison *c,
		    const struct gate *limits)
{
	double low = 0, high = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < c->b->nevents; i++) {
		const struct stats_change *change = &c->judgement[i].change;
		const double limit = limit_of(limits, c->b->event[i].name);

		if (!is_drawn(&c->judgement[i]))
			continue;
		n++;
		low = fmin(low, fmin(limit, bounded(change->change)));
		high = fmax(high, fmax(limit, bounded(change->change)));
		if (!change->has_interval)
			continue;
		low = fmin(low, bounded(change->low));
		high = fmax(high, bounded(change->high));
	}
	/* A change that is far from 0 still shows on which side the others are. */
	const double margin = fmax((high - low) / 20, 0.001);
	axis_fit(a, low - margin, high + margin, AXIS_RATIO);
	return n;
}

static void put_event(struct textbuf *b, const struct axis *a,
		      const struct stats_change *c, int is_shown, double limit)
{
	const double y = SVG_SIZE / 2.0;

	svg_grid(b, a, 1);
	svg_line(b, "zero", svg_x(a, 0), 0, svg_x(a, 0), SVG_SIZE);
	if (limit != 0)
		svg_line(b, "limit", svg_x(a, limit), 0, svg_x(a, limit), SVG_SIZE);
	if (c->has_interval)
		svg_line(b, is_shown ? "interval shown" : "interval", svg_x(a, c->low), y,
			 svg_x(a, c->high), y);
	svg_line(b, is_shown ? "estimate shown" : "estimate", svg_x(a, c->change), y,
		 svg_x(a, c->change), y);
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
		    unsigned i, double limit)
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
	svg_begin(b, "change", &words);
	put_event(b, a, &j->change, is_shown, limit);
	svg_end(b);
	textbuf_str(&words, cells_text(table, i, CELLS_CHANGE));
	textbuf_str(&words, " ");
	textbuf_str(&words, cells_text(table, i, CELLS_OUTCOME));
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
	textbuf_str(b, "A to B: the estimate and the interval, beside the line of no "
		       "change");
	textbuf_str(b, limits && limits->n ? " and the limit</figcaption>\n"
					   : "</figcaption>\n");
	for (unsigned i = 0; i < c->b->nevents; i++)
		if (is_drawn(&c->judgement[i]))
			put_row(b, &a, c, table, i,
				limit_of(limits, c->b->event[i].name));
	textbuf_str(b, "<div class=\"row\"><div></div>");
	svg_labels(b, &a, 1);
	textbuf_str(b, "</div></figure>\n");
}
