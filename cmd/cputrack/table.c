#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/screen/threads.h"
#include "suite/screen/threads_table.h"

struct table {
	struct sink sink; /* first: its address is that of the table */
	struct screen *screen;
	struct sink *lines; /* takes the totals, or NULL */
	struct threads *threads;
	unsigned *width; /* of the columns on the screen */
	int title;
	int64_t interval; /* ns; 0: the table is not drawn before the end */
	int64_t next;	  /* when it is drawn next, in ns since the run began */
	int64_t now;	  /* the time of the last tick */
	int64_t end;	  /* the time of the last row */
	int shown;	  /* the interval is on the screen, and no row came since */
	int complete;	  /* the totals are written */
};

static int begin(struct sink *s, const struct record_run *run)
{
	struct table *t = (struct table *)s;
	unsigned events = 0;

	for (unsigned i = 0; i < run->nsets; i++)
		events += run->set[i]->n;
	t->threads = threads_new(run->nsets, run->set);
	t->width = calloc(events + 1, sizeof *t->width);
	if (!t->threads || !t->width)
		return out_write(t->screen->out, NULL, 0);
	return t->lines ? t->lines->begin(t->lines, run) : 0;
}

static int put_row(struct sink *s, const struct row *row)
{
	struct table *t = (struct table *)s;

	if (row->kind == ROW_VALUES && strcmp(row->word, "tick") == 0)
		t->now = row->ns;
	t->end = row->ns > t->end ? row->ns : t->end;
	if (t->shown)
		threads_next_interval(t->threads);
	t->shown = 0;
	if (!t->threads || threads_row(t->threads, row) == -1)
		return out_write(t->screen->out, NULL, 0);
	return 0;
}

static int flush(struct sink *s)
{
	const struct table *t = (const struct table *)s;

	errno = t->screen->out->error;
	return t->screen->out->error ? -1 : 0;
}

static void provisional(struct sink *s)
{
	struct table *t = (struct table *)s;

	threads_provisional(t->threads);
	if (t->lines)
		t->lines->provisional(t->lines);
}

static int put_line(void *arg, const struct row *row)
{
	struct sink *lines = arg;

	return lines->row(lines, row);
}

static int put_lines(struct table *t, const struct record_end *e)
{
	if (threads_rows(t->threads, e->ns, put_line, t->lines) == -1 &&
	    !t->screen->out->error)
		return out_write(t->screen->out, NULL, 0);
	return t->lines->end(t->lines, e);
}

static int put_table(struct table *t)
{
	struct threads_look look = {
		.ns = t->end, .heading = t->title, .screen = t->screen->terminal};
	struct textbuf b = {0};
	int rc;

	if (t->screen->terminal) {
		screen_measure(t->screen);
		look.columns = t->screen->frame.columns;
	}
	threads_table(&b, t->threads, &look);
	char *text = textbuf_end(&b);
	if (t->screen->terminal) {
		rc = screen_end(t->screen, text);
	} else {
		rc = out_write(t->screen->out, text, text ? strlen(text) : 0);
	}
	free(text);
	return rc;
}

/* Notes follow on standard error, which a terminal then shows below the table. */
static int complete(struct sink *s)
{
	struct table *t = (struct table *)s;

	if (t->lines || !t->threads)
		return 0;
	t->complete = 1;
	return put_table(t);
}

static int end(struct sink *s, const struct record_end *e)
{
	struct table *t = (struct table *)s;
	int rc = 0;

	if (!t->threads)
		return -1;
	if (t->lines)
		rc = put_lines(t, e);
	else if (!t->complete)
		rc = put_table(t);
	if (e->provisional)
		threads_provisional_end(t->threads);
	return rc;
}

static void free_table(struct sink *s)
{
	struct table *t = (struct table *)s;

	if (t->lines)
		t->lines->free(t->lines);
	threads_free(t->threads);
	free(t->width);
	free(t);
}

struct sink *table_new(const struct options *o, struct screen *screen, struct sink *lines)
{
	struct table *t = calloc(1, sizeof *t);

	if (!t) {
		if (lines)
			lines->free(lines);
		return NULL;
	}
	*t = (struct table){
		.sink = {begin, put_row, flush, provisional, complete, end, free_table},
		.screen = screen,
		.lines = lines,
		.title = !o->no_title,
	};
	if (screen->terminal && !lines)
		t->next = t->interval = o->msec * INT64_C(1000000);
	return &t->sink;
}

int table_is_due(const struct sink *s)
{
	const struct table *t = (const struct table *)s;

	return t->interval > 0 && t->now >= t->next;
}

int table_draw(struct sink *s)
{
	struct table *t = (struct table *)s;
	struct textbuf b = {0};

	screen_measure(t->screen);
	const struct threads_look look = {.interval = 1,
					  .ns = t->now,
					  .heading = t->title,
					  .screen = 1,
					  .lines = t->screen->frame.rows,
					  .columns = t->screen->frame.columns,
					  .width = t->width};
	threads_table(&b, t->threads, &look);
	t->shown = 1;
	t->next = (t->now / t->interval + 1) * t->interval;
	char *text = textbuf_end(&b);
	const int rc = screen_draw(t->screen, text);
	free(text);
	return rc;
}

void table_redraw(void *sink)
{
	if (((const struct table *)sink)->shown)
		table_draw(sink);
}
