#include "suite/screen/threads_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/columns.h"

enum { W_ID = 7, W_NAME = 15, W_SHARE = 6, W_LEAST = 9 };

/* Write the text of a number to buf. Returns buf. */
static const char *number_text(char buf[TEXT_GROUPED], uint64_t v, int grouped)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%" PRIu64, v);
	return grouped ? text_grouped(buf, digits) : strcpy(buf, digits);
}

static const char *value_text(char buf[TEXT_GROUPED], const cpc_value_t *v, int grouped)
{
	return v->quality == CPC_UNAVAILABLE ? "-" : number_text(buf, v->value, grouped);
}

/* Append a cell, with a blank before it. */
static void put_cell(struct textbuf *b, const char *s, size_t width)
{
	const size_t columns = columns_text(s);

	textbuf_char(b, ' ');
	textbuf_cell(b, s, strlen(s), width + strlen(s) - (columns ? columns : 1));
}

/* A name has at least one column, so that each row has as many cells. */
static void put_name(struct textbuf *b, const char *name)
{
	struct textbuf clean = {0};

	textbuf_clean(&clean, name);
	char *s = textbuf_end(&clean);
	b->failed |= !s;
	textbuf_char(b, ' ');
	if (s)
		textbuf_str(b, s);
	for (size_t n = s ? columns_text(s) : 0; n < W_NAME; n++)
		textbuf_char(b, ' ');
	free(s);
}

/* Return the name of an event, with its mode and its unit, cleaned, for free(). */
static char *title_of(const struct threads *t, unsigned event)
{
	struct textbuf b = {0};
	const char *unit;

	row_put_event(&b, threads_event(t, event, &unit), threads_mode(t, event));
	if (unit) {
		textbuf_char(&b, ' ');
		textbuf_str(&b, unit);
	}
	return textbuf_end(&b);
}

/* The table that is being made. */
struct table {
	struct textbuf *b;
	struct threads *t;
	const struct threads_look *look;
	char **title; /* of each event */
	unsigned *width;
	size_t share; /* the width of its column */
	struct thread **thread;
	unsigned n, shown;
	int has_share;	 /* there is room for the column of the shares */
	unsigned events; /* so many have room for their columns */
	double sum;	 /* of the keys */
};

static void widen(unsigned *width, size_t n)
{
	if (*width < n)
		*width = (unsigned)n;
}

static void measure(struct table *x)
{
	char buf[TEXT_GROUPED];

	for (unsigned e = 0; e < x->t->events; e++) {
		widen(&x->width[e], W_LEAST);
		widen(&x->width[e], columns_text(x->title[e]));
		for (unsigned i = 0; i < x->shown; i++) {
			const cpc_value_t v =
				threads_value(x->t, x->thread[i], x->look->interval, e);

			widen(&x->width[e], strlen(value_text(buf, &v, x->look->screen)));
		}
	}
	x->share = 1 + columns_text(threads_event(x->t, x->t->key, NULL));
	x->share = x->share > W_SHARE ? x->share : W_SHARE;
}

/* A number that is cut would be another number: cells have room as a whole, or none. */
static void fit(struct table *x)
{
	const unsigned columns = x->look->columns;
	size_t end =
		(x->t->several ? 1 + W_ID : 0) + 1 + W_ID + 1 + W_NAME + 1 + x->share;

	x->has_share = !columns || end <= columns;
	for (x->events = 0; x->events < x->t->events; x->events++) {
		end += 1 + x->width[x->events];
		if (columns && end > columns)
			break;
	}
}

static void put_share_title(const struct table *x)
{
	struct textbuf share = {0};

	textbuf_char(&share, '%');
	textbuf_clean(&share, threads_event(x->t, x->t->key, NULL));
	char *s = textbuf_end(&share);
	put_cell(x->b, s ? s : "%", x->share);
	x->b->failed |= !s;
	free(s);
}

static void put_heading(const struct table *x)
{
	if (x->look->screen)
		textbuf_str(x->b, "\033[7m");
	if (x->t->several)
		put_cell(x->b, "pid", W_ID);
	put_cell(x->b, "tid", W_ID);
	put_name(x->b, "name");
	if (x->has_share)
		put_share_title(x);
	for (unsigned e = 0; e < x->events; e++)
		put_cell(x->b, x->title[e], x->width[e]);
	textbuf_str(x->b, x->look->screen ? "\033[0m\n" : "\n");
}

static void put_thread(const struct table *x, const struct thread *h)
{
	char buf[TEXT_GROUPED];

	if (x->t->several)
		put_cell(x->b, number_text(buf, (uint64_t)h->pid, 0), W_ID);
	put_cell(x->b, h->tid ? number_text(buf, (uint64_t)h->tid, 0) : "-", W_ID);
	put_name(x->b, h->named ? h->name : h->lwp == 0 ? "(rest)" : "-");
	if (x->has_share) {
		textbuf_char(x->b, ' ');
		textbuf_decimal(x->b, x->sum > 0 ? 100 * (double)h->key / x->sum : 0, 2,
				x->share);
	}
	for (unsigned e = 0; e < x->events; e++) {
		const cpc_value_t v = threads_value(x->t, h, x->look->interval, e);

		put_cell(x->b, value_text(buf, &v, x->look->screen), x->width[e]);
	}
	textbuf_char(x->b, '\n');
}

static void put_caption(const struct table *x)
{
	char buf[TEXT_GROUPED];

	textbuf_str(x->b, number_text(buf, x->n, 1));
	textbuf_str(x->b, x->n == 1 ? " thread" : " threads");
	textbuf_str(x->b, x->look->interval ? " in the interval until " : " in ");
	textbuf_fixed(x->b, (uint64_t)x->look->ns / 1000000, 3, 0);
	textbuf_str(x->b, " s");
	if (x->events < x->t->events) {
		textbuf_str(x->b, "; ");
		textbuf_num(x->b, x->t->events - x->events, 0);
		textbuf_str(x->b, x->t->events - x->events == 1 ? " event hidden"
								: " events hidden");
	}
	textbuf_char(x->b, '\n');
}

/* How many threads there is room for; one line less if it says how many are left out. */
static unsigned count_shown(const struct table *x)
{
	const struct threads_look *look = x->look;
	const unsigned above = (look->screen != 0) + (look->heading != 0);

	if (look->lines == 0 || look->lines >= above + x->n)
		return x->n;
	return look->lines > above + 1 ? look->lines - above - 1 : 0;
}

static void put_table(struct table *x)
{
	char buf[TEXT_GROUPED];

	x->shown = count_shown(x);
	measure(x);
	fit(x);
	if (x->look->screen)
		put_caption(x);
	if (x->look->heading)
		put_heading(x);
	for (unsigned i = 0; i < x->shown; i++)
		put_thread(x, x->thread[i]);
	if (x->shown == x->n)
		return;
	textbuf_str(x->b, " and ");
	textbuf_str(x->b, number_text(buf, x->n - x->shown, 1));
	textbuf_str(x->b, " more\n");
}

/* Returns -1 if memory runs out. */
static int make_titles(const struct table *x)
{
	for (unsigned e = 0; e < x->t->events; e++) {
		x->title[e] = title_of(x->t, e);
		if (!x->title[e])
			return -1;
	}
	return 0;
}

void threads_table(struct textbuf *b, struct threads *t, const struct threads_look *look)
{
	struct table x = {.b = b, .t = t, .look = look};
	unsigned *width = calloc(t->events + 1, sizeof *width);

	x.width = look->width ? look->width : width;
	x.title = calloc(t->events + 1, sizeof *x.title);
	x.thread = threads_sorted(t, look->interval, &x.n, &x.sum);
	if (width && x.title && x.thread && make_titles(&x) == 0)
		put_table(&x);
	else
		b->failed = 1;
	for (unsigned e = 0; x.title && e < t->events; e++)
		free(x.title[e]);
	free(x.title);
	free(x.thread);
	free(width);
}

/* Returns whether a thread has counted an event of a set. */
static int get_values(const struct threads *t, const struct thread *h, unsigned set,
		      cpc_value_t *value)
{
	int counted = 0;

	for (unsigned i = 0; i < t->set[set]->n; i++) {
		value[i] = threads_value(t, h, 0, t->first[set] + i);
		counted |= value[i].quality != CPC_UNAVAILABLE;
	}
	return counted;
}

static int put_rows(const struct threads *t, const struct thread *h, struct row *row,
		    cpc_value_t *value, int (*put)(void *arg, const struct row *row),
		    void *arg)
{
	row->word = h->lwp == 0 ? "rest" : "thread";
	row->pid = h->pid;
	row->tid = h->tid;
	row->lwp = h->lwp;
	row->name = h->named ? h->name : NULL;
	for (unsigned s = 0; s < t->nsets; s++) {
		row->index = s;
		row->set = t->set[s];
		if (!get_values(t, h, s, value))
			continue;
		const int rc = put(arg, row);
		if (rc)
			return rc;
	}
	return 0;
}

int threads_rows(struct threads *t, int64_t ns,
		 int (*put)(void *arg, const struct row *row), void *arg)
{
	cpc_value_t *value = calloc(t->events + 1, sizeof *value);
	struct row row = {.kind = ROW_VALUES, .ns = ns, .value = value};
	unsigned n;
	double sum;
	struct thread **thread = threads_sorted(t, 0, &n, &sum);
	int rc = value && thread ? 0 : -1;

	for (unsigned i = 0; rc == 0 && i < n; i++)
		rc = put_rows(t, thread[i], &row, value, put, arg);
	free(value);
	free(thread);
	return rc;
}
