#include "suite/screen/chart_layout.h"

#include <limits.h>
#include <stdlib.h>

#include "base/columns.h"
#include "suite/screen/units.h"

/* The columns of the cells: a label at the left, the latest value and "min..max". */
enum {
	LABEL_MAX = 24,
	LABEL_NARROW = 12,
	RANGE_WIDTH = 2 * UNITS_WIDTH + 2,
	STRIP_MIN = 8
};
enum { HEIGHT_MAX = 6 };

/* Below this width the chart has no ranges. */
enum { RANGE_COLUMNS = 60 };

/* Rows to which the strips of a chart on an output without an end grow. */
enum { PIPE_ROWS = 24 };

const struct timeline *layout_timeline(const struct layout *l, const struct section *s,
				       unsigned line)
{
	return l->chart->line[l->line[line]].timeline[s->event];
}

static void put_number(struct textbuf *b, long long n)
{
	if (n < 0)
		textbuf_char(b, '?');
	else
		textbuf_num(b, (uint64_t)n, 0);
}

static void put_label(struct textbuf *b, const struct chart *c,
		      const struct chart_line *l)
{
	static const char *const words[] = {[ROW_LWPS] = "lwp ",
					    [ROW_CPUS] = "cpu ",
					    [ROW_CORES] = "core ",
					    [ROW_SOCKETS] = "socket ",
					    [ROW_BINS] = "bin "};

	if (c->scope == ROW_LWPS && c->pids) {
		put_number(b, l->pid);
		textbuf_char(b, '/');
	} else if (!*l->name) {
		textbuf_str(b, words[c->scope]);
	}
	put_number(b, l->id);
	if (!*l->name)
		return;
	textbuf_char(b, ' ');
	textbuf_clean(b, l->name);
}

const char *layout_label(const struct chart *c, const struct chart_line *l, char *text)
{
	struct textbuf b = {.s = text, .size = LAYOUT_LABEL};

	put_label(&b, c, l);
	return textbuf_end(&b);
}

static unsigned label_width(const struct layout *l)
{
	const struct chart *c = l->chart;
	const unsigned most = l->range ? LABEL_MAX : LABEL_NARROW;
	unsigned width = 0;

	for (unsigned i = 0; i < c->nlines; i++) {
		char text[LAYOUT_LABEL];
		const size_t n = columns_text(layout_label(c, &c->line[i], text));

		width = n > width ? (unsigned)n : width;
	}
	return width < most ? width : most;
}

/* Rows go to the events alike; an event needs a title and a strip. */
static void divide_rows(struct layout *l)
{
	const unsigned rows = l->frame->rows > 1 ? l->frame->rows - 1 : 1;
	const unsigned n = l->chart->nevents;

	l->events = n <= rows / 2 ? n : rows / 2;
	if (l->events == 0)
		l->events = n > 0;
	l->rows = l->events ? rows / l->events : 0;
}

static void divide_columns(struct layout *l)
{
	const unsigned columns = l->frame->columns;

	l->range = columns >= RANGE_COLUMNS;
	l->label = label_width(l);
	const unsigned others =
		l->label + 1 + 1 + UNITS_WIDTH + (l->range ? 2 + RANGE_WIDTH : 0);
	l->strip = columns > others + STRIP_MIN ? columns - others : STRIP_MIN;
	l->cells = (l->chart->ncells + l->strip - 1) / l->strip;
	l->cells = l->cells ? l->cells : 1;
	l->columns = (l->chart->ncells + l->cells - 1) / l->cells;
}

int layout_mean(const struct layout *l, const struct timeline *s, unsigned column,
		double *mean)
{
	return timeline_mean(s, column * l->cells, (column + 1) * l->cells, mean);
}

/* A line and the sum of its values. */
struct busy {
	double total;
	unsigned line;
};

/* Orders by sum, the largest first; lines with equal sums keep their order. */
static int compare_busy(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static int compare_line(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	return x->line < y->line ? -1 : x->line > y->line;
}

static unsigned find_lines(const struct chart *c, unsigned event, struct busy *busy)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->nlines; i++)
		if (c->line[i].timeline[event])
			busy[n++] = (struct busy){c->line[i].timeline[event]->total, i};
	return n;
}

/* Choose the lines of an event. Returns -1 if memory runs out. */
static int choose_lines(const struct layout *l, struct section *s)
{
	const unsigned most = l->rows > 2 ? l->rows - 1 : 1;
	struct busy *busy = calloc(l->chart->nlines + 1, sizeof *busy);

	if (!busy)
		return -1;
	s->all = find_lines(l->chart, s->event, busy);
	s->shown = s->all < most ? s->all : most;
	if (s->shown < s->all)
		qsort(busy, s->all, sizeof *busy, compare_busy);
	qsort(busy, s->shown, sizeof *busy, compare_line);
	for (unsigned i = 0; i < s->shown; i++)
		l->line[i] = busy[i].line;
	free(busy);
	return 0;
}

/* Strips are higher than a row if all of them fit, with an empty row between two. */
static void measure(const struct layout *l, struct section *s)
{
	const unsigned rows =
		l->frame->rows == UINT_MAX ? PIPE_ROWS / l->events : l->rows;
	const unsigned fit = s->shown && rows > 1 ? (rows - 1) / s->shown : 1;
	double mean;

	s->height = fit < 3 ? 1 : fit > HEIGHT_MAX ? HEIGHT_MAX : fit - 1;
	for (unsigned i = 0; i < s->shown; i++)
		for (unsigned k = 0; k < l->columns; k++)
			if (layout_mean(l, layout_timeline(l, s, i), k, &mean))
				s->full = mean > s->full ? mean : s->full;
}

int layout_make(struct layout *l, const struct chart *c, const struct frame *f)
{
	*l = (struct layout){.chart = c, .frame = f};
	l->line = calloc(c->nlines, sizeof *l->line);
	if (!l->line)
		return -1;
	divide_rows(l);
	divide_columns(l);
	return 0;
}

int layout_section(const struct layout *l, struct section *s)
{
	if (choose_lines(l, s) == -1)
		return -1;
	measure(l, s);
	return 0;
}
