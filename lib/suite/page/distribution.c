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

/* Make the axis of all values. Returns 0 if there are none. */
static int fit(struct axis *a, const struct runs *const *arm, unsigned n, unsigned event)
{
	const struct runs_event *e = &arm[0]->event[event];
	const int is_time = e->unit && strcmp(e->unit, "ns") == 0;
	double low = INFINITY, high = -INFINITY;

	for (unsigned k = 0; k < n; k++)
		for (size_t i = 0; i < arm[k]->n; i++) {
			const double v = (double)runs_value(arm[k], i, event);

			if (runs_is_missing(arm[k], i, event))
				continue;
			low = fmin(low, v);
			high = fmax(high, v);
		}
	if (low > high)
		return 0;
	axis_fit(a, low, high, is_time ? AXIS_NS : AXIS_COUNT);
	return 1;
}

/* Append a point for a run, with a text unless there are too many. */
static void put_point(struct textbuf *b, const struct runs *s, size_t run, double y,
		      const struct runs_event *e, uint64_t v)
{
	char text[96];

	textbuf_str(b, "<path d=\"M");
	svg_number(b, SVG_SIZE * ((double)run + 0.5) / (double)s->n);
	textbuf_char(b, ' ');
	svg_number(b, y);
	textbuf_str(b, "h0\"");
	if (s->n > MOST_TOOLTIPS) {
		textbuf_str(b, "/>");
		return;
	}
	snprintf(text, sizeof text, "><title>run %zu: %llu%s</title></path>\n", run + 1,
		 (unsigned long long)v,
		 e->unit && strcmp(e->unit, "ns") == 0 ? " ns" : "");
	textbuf_str(b, text);
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
			put_point(b, s, i, svg_y(a, (double)v), &s->event[event], v);
	}
	textbuf_str(b, "</g>\n");
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
	char text[96];

	for (unsigned k = 0; k < n; k++)
		most = arm[k]->n > most ? arm[k]->n : most;
	snprintf(text, sizeof text,
		 "<div class=\"ends\"><span>run 1</span><span>%s%zu</span></div>\n",
		 most > 1 ? "run " : "", most);
	textbuf_str(b, text);
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

int distribution_put(struct textbuf *b, const struct runs *const *arm, unsigned n,
		     unsigned event)
{
	struct axis a;

	if (!fit(&a, arm, n, event))
		return 0;
	textbuf_str(b, "<figure class=\"distribution\"><figcaption>");
	markup_text(b, arm[0]->event[event].name, SIZE_MAX);
	textbuf_str(b, "</figcaption><div class=\"plot\">\n");
	const int rc = put_plot(b, &a, arm, n, event);
	textbuf_str(b, "</div></figure>\n");
	return rc;
}
