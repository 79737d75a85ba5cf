#include "suite/series/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines end without blanks. */
static void end_line(struct textbuf *b)
{
	while (!b->failed && b->len > 0 && b->s[b->len - 1] == ' ')
		b->len--;
	textbuf_char(b, '\n');
}

static void put_blanks(struct textbuf *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		textbuf_char(b, ' ');
}

/* The width of a column. That of the names depends on the names. */
static size_t width_of(const struct cells *c, unsigned column)
{
	size_t width = c->column[column].width;

	if (c->column[column].kind != CELLS_NAME)
		return width;
	width = text_width(c->column[column].title);
	for (size_t row = 0; row < c->nrow; row++) {
		const size_t w = text_width(cells_text(c, row, column));

		width = w > width ? w : width;
	}
	return width;
}

static void put_cell(struct textbuf *b, const struct cells *c, unsigned column,
		     const char *text)
{
	const size_t width = width_of(c, column), n = text_width(text);
	const int is_right = c->column[column].kind == CELLS_NUMBER;

	if (is_right && n < width)
		put_blanks(b, width - n);
	textbuf_clean(b, text);
	if (!is_right && n < width)
		put_blanks(b, width - n);
	put_blanks(b, c->column[column].gap);
}

/* Put a remark below the cell that it belongs to. */
static void put_remark(struct textbuf *b, const struct cells *c, unsigned column,
		       const char *text)
{
	for (unsigned i = 0; i + 1 < column; i++)
		put_blanks(b, width_of(c, i) + c->column[i].gap);
	textbuf_clean(b, text);
	textbuf_char(b, '\n');
}

static void put_row(struct textbuf *b, const struct cells *c, size_t row)
{
	const unsigned n = c->ncolumn;

	for (unsigned i = 0; i < n; i++)
		if (c->column[i].kind != CELLS_REMARK)
			put_cell(b, c, i, cells_text(c, row, i));
	end_line(b);
	for (unsigned i = 0; i < n; i++)
		if (c->column[i].kind == CELLS_REMARK && *cells_text(c, row, i))
			put_remark(b, c, i, cells_text(c, row, i));
}

void table_put(struct textbuf *b, const struct cells *c)
{
	for (unsigned i = 0; c->nrow && i < c->ncolumn; i++)
		if (c->column[i].kind != CELLS_REMARK)
			put_cell(b, c, i, c->column[i].title);
	if (c->nrow)
		end_line(b);
	for (size_t row = 0; row < c->nrow; row++)
		put_row(b, c, row);
}

/* Say how the runs of a command ended, if they failed. */
static void put_ending(struct textbuf *b, const char *words, const struct runs *s)
{
	if (!runs_status(&s->ending))
		return;
	textbuf_str(b, words);
	runs_put_ending(b, &s->ending);
	textbuf_char(b, '\n');
}

int table_put_runs(struct textbuf *b, const struct runs *s, int grouped)
{
	struct cells c = {0};
	const int rc = cells_of_runs(&c, s, grouped);

	textbuf_num(b, s->n, 0);
	textbuf_str(b, s->n == 1 ? " run: " : " runs: ");
	textbuf_clean(b, s->command);
	textbuf_char(b, '\n');
	put_ending(b, "each run ", s);
	if (rc == 0)
		table_put(b, &c);
	cells_free(&c);
	return rc;
}

void table_put_comparison(struct textbuf *b, const struct judge_comparison *comparison,
			  int grouped)
{
	const size_t n = comparison->b->n;
	struct cells c = {0};

	textbuf_str(b, "A: ");
	textbuf_clean(b, comparison->a->command);
	textbuf_str(b, "\nB: ");
	textbuf_clean(b, comparison->b->command);
	textbuf_char(b, '\n');
	textbuf_num(b, n, 0);
	textbuf_str(b, n == 1 ? " pair" : " pairs");
	textbuf_str(b, ", order by coin, 1 warm-up run each\n");
	put_ending(b, "each run of A ", comparison->a);
	put_ending(b, "each run of B ", comparison->b);
	if (cells_of_comparison(&c, comparison, grouped) == 0)
		table_put(b, &c);
	else
		b->failed = 1;
	cells_free(&c);
}

int table_put_saved(struct textbuf *b, const char *name, const struct runs *saved,
		    const struct runs *now, double alpha, int grouped)
{
	struct judgement j[now->nevents + 1];
	const struct judge_comparison comparison = {saved, now, j, alpha, name};
	struct cells c = {0};
	int rc = judge_saved(j, saved, now, alpha);

	textbuf_str(b, "compared with ");
	textbuf_clean(b, name);
	textbuf_char(b, '\n');
	if (rc == 0)
		rc = cells_of_comparison(&c, &comparison, grouped);
	if (rc == 0)
		table_put(b, &c);
	cells_free(&c);
	return rc;
}
