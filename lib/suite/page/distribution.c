#include "suite/page/distribution.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/page/arm.h"
#include "suite/page/svg.h"
#include "suite/profile/markup.h"
#include "suite/series/cells.h"
#include "suite/series/stats.h"

/* Each of so many runs has a text that is shown when the pointer rests on its point. */
enum { MOST_TOOLTIPS = 300 };

static int has_values(const struct runs *s, unsigned event)
{
	return s->n > 0 && runs_missing(s, event) < s->n;
}

/* The values of the runs that have one. Returns their number, or -1 with ENOMEM. */
static ssize_t present(const struct runs *s, unsigned event, double **values)
{
	double *v = malloc((s->n + 1) * sizeof *v);
	size_t n = 0;

	for (size_t i = 0; v && i < s->n; i++)
		if (!runs_is_missing(s, i, event))
			v[n++] = (double)runs_value(s, i, event);
	*values = v;
	return v ? (ssize_t)n : -1;
}

/* A range of values, which starts as empty. */
struct range {
	double low, high;
};

static void cover(struct range *r, double v)
{
	r->low = fmin(r->low, v);
	r->high = fmax(r->high, v);
}

/*
 * Cover the values of a command: all of them, and those within 3 widths of the quartiles
 * beyond the quartiles. Returns -1 with ENOMEM.
 */
static int cover_runs(struct range *all, struct range *usual, const struct runs *s,
		      unsigned event)
{
	struct stats_spread q;
	double *v;
	const ssize_t n = present(s, event, &v);
	const int rc = n < 0 ? -1 : n == 0 ? 0 : stats_spread(&q, v, (size_t)n);

	for (ssize_t i = 0; rc == 0 && i < n; i++) {
		const double fence = 3 * (q.third_quartile - q.first_quartile);

		cover(all, v[i]);
		if (v[i] >= q.first_quartile - fence && v[i] <= q.third_quartile + fence)
			cover(usual, v[i]);
	}
	free(v);
	return rc;
}

/* Ranges that differ by less than this factor are readable as they are. */
#define MOST_FLAT 3.0

/*
 * Make the axis of all values; or of the usual ones, if others would make these flat.
 * Returns 1, or 0 if there are no values, or -1 with ENOMEM.
 */
static int fit(struct axis *a, const struct runs *const *arm, unsigned n, unsigned event)
{
	const struct runs_event *e = &arm[0]->event[event];
	const int is_time = e->unit && strcmp(e->unit, "ns") == 0;
	struct range all = {INFINITY, -INFINITY}, usual = all;

	for (unsigned k = 0; k < n; k++)
		if (cover_runs(&all, &usual, arm[k], event) == -1)
			return -1;
	if (all.low > all.high)
		return 0;
	const double width = usual.high - usual.low;
	const int is_flat = width > 0 && all.high - all.low > MOST_FLAT * width;
	const struct range *r = is_flat ? &usual : &all;
	axis_fit(a, r->low, r->high, is_time ? AXIS_NS : AXIS_COUNT);
	return 1;
}

static int is_beyond(const struct axis *a, double v)
{
	return v < a->low || v > a->high;
}

/* How long the mark of a point is that lies beyond the axis. */
enum { BEYOND = 60 };

/*
 * Append a point for a run, with a text unless there are too many. A point beyond the
 * axis is a line that ends at the border.
 */
static void put_point(struct textbuf *b, const struct axis *a, const struct runs *s,
		      size_t run, const struct runs_event *e, uint64_t v)
{
	const double value = (double)v;

	textbuf_str(b,
		    is_beyond(a, value) ? "<path class=\"beyond\" d=\"M" : "<path d=\"M");
	svg_number(b, SVG_SIZE * ((double)run + 0.5) / (double)s->n);
	textbuf_char(b, ' ');
	svg_number(b, svg_y(a, value));
	textbuf_char(b, is_beyond(a, value) ? 'v' : 'h');
	svg_number(b, value < a->low ? -BEYOND : value > a->high ? BEYOND : 0);
	textbuf_char(b, '"');
	if (s->n > MOST_TOOLTIPS) {
		textbuf_str(b, "/>");
		return;
	}
	textbuf_format(b, "><title>run %zu: %llu%s</title></path>\n", run + 1,
		       (unsigned long long)v,
		       e->unit && strcmp(e->unit, "ns") == 0 ? " ns" : "");
}

static void put_points(struct textbuf *b, const struct axis *a, const struct runs *s,
		       unsigned event, unsigned number)
{
	textbuf_str(b, "<g class=\"points ");
	textbuf_str(b, arm_class(number));
	textbuf_str(b, "\">\n");
	for (size_t i = 0; i < s->n; i++) {
		const uint64_t v = runs_value(s, i, event);

		if (!runs_is_missing(s, i, event))
			put_point(b, a, s, i, &s->event[event], v);
	}
	textbuf_str(b, "</g>\n");
}

static void put_rect(struct textbuf *b, const char *class, double x, double y,
		     double width, double height)
{
	textbuf_str(b, "<path class=\"box ");
	textbuf_str(b, class);
	textbuf_str(b, "\" d=\"M");
	svg_number(b, x);
	textbuf_char(b, ' ');
	svg_number(b, y);
	textbuf_char(b, 'h');
	svg_number(b, width);
	textbuf_char(b, 'v');
	svg_number(b, height);
	textbuf_char(b, 'h');
	svg_number(b, -width);
	textbuf_str(b, "z\"/>\n");
}

/* Append the box of the quartiles at the place of command k of n. */
static int put_box(struct textbuf *b, const struct axis *a, const struct runs *s,
		   unsigned event, unsigned k, unsigned n)
{
	const double width = (double)SVG_SIZE / n, x = width * (k + 0.5);
	struct stats_spread v;
	double *values;
	const ssize_t present_runs = present(s, event, &values);
	const int rc = present_runs < 0 ? -1
		       : present_runs == 0
			       ? 0
			       : stats_spread(&v, values, (size_t)present_runs);

	free(values);
	if (rc == -1 || present_runs == 0)
		return rc;
	char class[32];
	snprintf(class, sizeof class, "whisker %s", arm_class(k));
	svg_line(b, class, x, svg_y(a, v.min), x, svg_y(a, v.max));
	const double top = svg_y(a, v.third_quartile);
	put_rect(b, arm_class(k), x - width / 4, top, width / 2,
		 svg_y(a, v.first_quartile) - top);
	snprintf(class, sizeof class, "median %s", arm_class(k));
	svg_line(b, class, x - width / 4, svg_y(a, v.median), x + width / 4,
		 svg_y(a, v.median));
	return 0;
}

/* Append in words what the boxes show. */
static int put_words(struct textbuf *b, const struct runs *const *arm, unsigned n,
		     unsigned event)
{
	textbuf_str(b, arm[0]->event[event].name);
	for (unsigned k = 0; k < n; k++) {
		struct cells c = {0};

		if (cells_of_runs(&c, arm[k], 1) == -1) {
			cells_free(&c);
			return -1;
		}
		textbuf_str(b, k ? "; " : ": ");
		textbuf_str(b, n > 1 ? arm_letter(k, n) : "");
		textbuf_str(b, n > 1 ? ": median " : "median ");
		textbuf_str(b, c.nrow ? cells_text(&c, event, 1) : "-");
		textbuf_str(b, ", quartiles ");
		textbuf_str(b, c.nrow ? cells_text(&c, event, 2) : "-");
		cells_free(&c);
	}
	return 0;
}

static void put_run_labels(struct textbuf *b, const struct runs *const *arm, unsigned n)
{
	size_t most = 0;

	for (unsigned k = 0; k < n; k++)
		most = arm[k]->n > most ? arm[k]->n : most;
	textbuf_format(b,
		       "<div class=\"ends\"><span>run 1</span><span>%s%zu</span></div>\n",
		       most > 1 ? "run " : "", most);
	textbuf_str(b, "<div class=\"arms\">");
	for (unsigned k = 0; k < n; k++) {
		textbuf_str(b, "<span>");
		textbuf_str(b, n > 1 ? arm_letter(k, n) : "");
		textbuf_str(b, "</span>");
	}
	textbuf_str(b, "</div>\n");
}

static int put_plot(struct textbuf *b, const struct axis *a,
		    const struct runs *const *arm, unsigned n, unsigned event)
{
	struct textbuf words = {0};

	svg_labels(b, a, 0);
	textbuf_str(&words, "The value in each run, in the order of the runs");
	svg_begin(b, "runs", &words);
	svg_grid(b, a, 0);
	for (unsigned k = 0; k < n; k++)
		put_points(b, a, arm[k], event, k);
	svg_end(b);
	if (put_words(&words, arm, n, event) == -1) {
		free(words.s);
		return -1;
	}
	svg_begin(b, "boxes", &words);
	svg_grid(b, a, 0);
	for (unsigned k = 0; k < n; k++)
		if (has_values(arm[k], event) && put_box(b, a, arm[k], event, k, n) == -1)
			return -1;
	svg_end(b);
	put_run_labels(b, arm, n);
	return 0;
}

/* So many values beyond the axis are listed. */
enum { MOST_LISTED = 12 };

static void put_value(struct textbuf *b, const struct axis *a, double v)
{
	axis_put(b, a, v);
	textbuf_str(b, a->suffix);
}

/* Say which values are beyond the axis. */
static void put_beyond(struct textbuf *b, const struct axis *a,
		       const struct runs *const *arm, unsigned n, unsigned event)
{
	size_t found = 0;

	for (unsigned k = 0; k < n; k++)
		for (size_t i = 0; i < arm[k]->n; i++) {
			const double v = (double)runs_value(arm[k], i, event);

			if (runs_is_missing(arm[k], i, event) || !is_beyond(a, v) ||
			    found++ >= MOST_LISTED)
				continue;
			textbuf_str(b, found == 1
					       ? "<p class=\"beyond\">Beyond the axis: "
						 "run "
					       : ", run ");
			textbuf_num(b, i + 1, 0);
			textbuf_str(b, n > 1 ? " of " : "");
			textbuf_str(b, n > 1 ? arm_letter(k, n) : "");
			textbuf_str(b, ": ");
			put_value(b, a, v);
		}
	if (found > MOST_LISTED) {
		textbuf_str(b, ", and ");
		textbuf_num(b, found - MOST_LISTED, 0);
		textbuf_str(b, " more");
	}
	textbuf_str(b, found ? "</p>\n" : "");
}

int distribution_put(struct textbuf *b, const struct runs *const *arm, unsigned n,
		     unsigned event)
{
	struct axis a;

	int rc = fit(&a, arm, n, event);

	if (rc != 1)
		return rc;
	textbuf_str(b, "<figure class=\"distribution\"><figcaption>");
	markup_text(b, arm[0]->event[event].name, SIZE_MAX);
	textbuf_str(b, "</figcaption><div class=\"plot\">\n");
	rc = put_plot(b, &a, arm, n, event);
	textbuf_str(b, "</div>\n");
	put_beyond(b, &a, arm, n, event);
	textbuf_str(b, "</figure>\n");
	return rc;
}
