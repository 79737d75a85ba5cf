#include "suite/page/strip.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/page/page.h"
#include "suite/page/svg.h"
#include "suite/profile/markup.h"
#include "suite/screen/chart_layout.h"

/* An event, and the axes that all its strips have. */
struct event {
	const struct chart *chart;
	unsigned number; /* of the event in the chart */
	const char *name;
	double cell_ns; /* how long a cell is */
	struct axis time, value;
};

static const struct timeline *timeline_of(const struct event *e, unsigned line)
{
	struct timeline *const *t = e->chart->line[line].timeline;
	const struct timeline *of_event = t ? t[e->number] : NULL;

	return of_event && of_event->n ? of_event : NULL;
}

/* Returns whether a line is among the STRIP_MOST with the largest sums. */
static int is_drawn(const struct event *e, unsigned line)
{
	const struct timeline *t = timeline_of(e, line);
	unsigned before = 0;

	for (unsigned i = 0; t && i < e->chart->nlines; i++) {
		const struct timeline *other = timeline_of(e, i);

		before += other && (other->total > t->total ||
				    (other->total >= t->total && i < line));
	}
	return t && before < STRIP_MOST;
}

/* Make the axes. Returns 0 if the event has no values. */
static int fit(struct event *e, int is_time)
{
	double most = -1;

	for (unsigned i = 0; i < e->chart->nlines; i++) {
		const struct timeline *t = timeline_of(e, i);

		for (unsigned k = 0; t && k < e->chart->ncells; k++) {
			double mean;

			if (timeline_mean(t, k, k + 1, &mean))
				most = fmax(most, mean);
		}
	}
	if (most < 0)
		return 0;
	axis_fit(&e->value, 0, fmax(most, 1), is_time ? AXIS_NS : AXIS_COUNT);
	axis_fit(&e->time, 0, e->cell_ns * e->chart->ncells, AXIS_NS);
	return 1;
}

static void put_to(struct textbuf *b, char command, double v)
{
	textbuf_char(b, command);
	svg_number(b, v);
}

/* Append an area below the values, with gaps where there are none. */
static void put_area(struct textbuf *b, const struct event *e, const struct timeline *t)
{
	int is_open = 0;

	textbuf_str(b, "<path class=\"area\" d=\"");
	for (unsigned i = 0; i < e->chart->ncells; i++) {
		double mean;

		if (!timeline_mean(t, i, i + 1, &mean)) {
			textbuf_str(b, is_open ? "V1000Z" : "");
			is_open = 0;
			continue;
		}
		if (!is_open) {
			put_to(b, 'M', svg_x(&e->time, i * e->cell_ns));
			textbuf_str(b, " 1000");
		}
		is_open = 1;
		put_to(b, 'V', svg_y(&e->value, mean));
		put_to(b, 'H', svg_x(&e->time, (i + 1) * e->cell_ns));
	}
	textbuf_str(b, is_open ? "V1000Z\"/>\n" : "\"/>\n");
}

/* Append the smallest and the largest value of an interval. */
static void put_range(struct textbuf *b, const struct event *e, const struct timeline *t)
{
	axis_put(b, &e->value, (double)t->minimum);
	textbuf_str(b, " .. ");
	axis_put(b, &e->value, (double)t->maximum);
	textbuf_str(b, e->value.suffix);
}

static void put_strip(struct textbuf *b, const struct event *e, unsigned line)
{
	const struct timeline *t = timeline_of(e, line);
	struct textbuf words = {0};
	char label[LAYOUT_LABEL];

	layout_label(e->chart, &e->chart->line[line], label);
	textbuf_str(b, "<figure class=\"samples\"><figcaption>");
	markup_text(b, label, SIZE_MAX);
	textbuf_str(b, "</figcaption><div class=\"plot one\">\n");
	svg_labels(b, &e->value, 0);
	textbuf_str(&words, e->name);
	textbuf_str(&words, " of ");
	textbuf_str(&words, label);
	textbuf_str(&words, " over time, ");
	put_range(&words, e, t);
	textbuf_str(&words, " in an interval");
	svg_begin(b, "strip", &words);
	svg_grid(b, &e->value, 0);
	put_area(b, e, t);
	svg_end(b);
	textbuf_str(b, "<div></div>");
	svg_labels(b, &e->time, 1);
	textbuf_str(b, "</div></figure>\n");
}

static void put_event(struct textbuf *b, struct event *e, const char *unit)
{
	unsigned drawn = 0, all = 0;
	char text[96];

	if (!fit(e, unit && strcmp(unit, "ns") == 0))
		return;
	page_subheading(b, e->name);
	textbuf_str(b, "<div class=\"charts\">\n");
	for (unsigned i = 0; i < e->chart->nlines; i++) {
		all += timeline_of(e, i) != NULL;
		if (!is_drawn(e, i))
			continue;
		put_strip(b, e, i);
		drawn++;
	}
	textbuf_str(b, "</div>\n");
	if (drawn == all)
		return;
	snprintf(text, sizeof text, "%u more with smaller sums are not drawn.",
		 all - drawn);
	page_words(b, text);
}

void strip_put(struct textbuf *b, const struct chart *c)
{
	const double turn_ns = (double)c->run->interval_ns * c->run->nsets;
	char text[128];

	if (!c->ncells || !(turn_ns > 0))
		return;
	page_heading(b, "Over time");
	const int n =
		snprintf(text, sizeof text, "What was counted in each interval of %g s.",
			 (double)c->run->interval_ns / 1e9);
	if (c->shift)
		snprintf(text + n, sizeof text - (size_t)n,
			 " A step is the mean of %u intervals.", 1U << c->shift);
	page_words(b, text);
	for (unsigned s = 0; s < c->run->nsets; s++)
		for (unsigned i = 0; i < c->run->set[s]->n; i++) {
			const struct row_set *set = c->run->set[s];
			struct event e = {.chart = c,
					  .number = c->first[s] + i,
					  .name = set->event[i],
					  .cell_ns = turn_ns * (1U << c->shift)};

			put_event(b, &e, set->unit ? set->unit[i] : NULL);
		}
}
