#include "suite/series/markdown.h"

#include <stdlib.h>
#include <string.h>

/* Returns the length of the longest run of backquotes in n bytes. */
static size_t longest_run(const char *s, size_t n)
{
	size_t run = 0, longest = 0;

	for (size_t i = 0; i < n; i++) {
		run = s[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

/*
 * Append n bytes, which are printable and have no vertical bar, as code between more
 * backquotes than it has in a row. A reader takes off a blank at each side.
 */
static void put_span(struct textbuf *b, const char *s, size_t n)
{
	const size_t quotes = longest_run(s, n) + 1;
	const int padded =
		s[0] == '`' || s[0] == ' ' || s[n - 1] == '`' || s[n - 1] == ' ';

	for (size_t i = 0; i < quotes; i++)
		textbuf_char(b, '`');
	textbuf_str(b, padded ? " " : "");
	textbuf_put(b, s, n);
	textbuf_str(b, padded ? " " : "");
	for (size_t i = 0; i < quotes; i++)
		textbuf_char(b, '`');
}

/* A vertical bar ends a cell even in code; outside of code it has an entity. */
void markdown_put_code(struct textbuf *b, const char *s)
{
	struct textbuf clean = {0};

	textbuf_clean(&clean, s);
	char *text = textbuf_end(&clean);
	for (const char *at = text; at && *at;) {
		const size_t n = strcspn(at, "|");

		if (n)
			put_span(b, at, n);
		at += n;
		if (*at == '|') {
			textbuf_str(b, "&#124;");
			at++;
		}
	}
	b->failed |= !text;
	free(text);
}

/* The order of the columns: verdicts come first, and remarks have no column. */
static unsigned make_order(const struct cells *c, unsigned *order)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->ncolumn; i++)
		if (c->column[i].kind == CELLS_VERDICT)
			order[n++] = i;
	for (unsigned i = 0; i < c->ncolumn; i++)
		if (c->column[i].kind != CELLS_VERDICT &&
		    c->column[i].kind != CELLS_REMARK)
			order[n++] = i;
	return n;
}

static void put_verdict(struct textbuf *b, const struct cells *c, size_t row,
			unsigned column)
{
	textbuf_str(b, "**");
	textbuf_str(b, cells_text(c, row, column));
	textbuf_str(b, "**");
	if (++column < c->ncolumn && c->column[column].kind == CELLS_REMARK &&
	    *cells_text(c, row, column)) {
		textbuf_char(b, ' ');
		textbuf_str(b, cells_text(c, row, column));
	}
}

static void put_cell(struct textbuf *b, const struct cells *c, size_t row,
		     unsigned column)
{
	if (c->column[column].kind == CELLS_NAME)
		markdown_put_code(b, cells_text(c, row, column));
	else if (c->column[column].kind == CELLS_VERDICT)
		put_verdict(b, c, row, column);
	else
		textbuf_str(b, cells_text(c, row, column));
}

void markdown_put(struct textbuf *b, const struct cells *c)
{
	unsigned order[c->ncolumn];
	const unsigned n = make_order(c, order);

	for (unsigned i = 0; i < n; i++) {
		textbuf_str(b, i ? " | " : "| ");
		textbuf_str(b, c->column[order[i]].title);
	}
	textbuf_str(b, " |\n");
	for (unsigned i = 0; i < n; i++)
		textbuf_str(b, c->column[order[i]].kind == CELLS_NUMBER ? "| ---: "
									: "| :--- ");
	textbuf_str(b, "|\n");
	for (size_t row = 0; row < c->nrow; row++) {
		for (unsigned i = 0; i < n; i++) {
			textbuf_str(b, i ? " | " : "| ");
			put_cell(b, c, row, order[i]);
		}
		textbuf_str(b, " |\n");
	}
	b->failed |= c->failed;
}

static void put_item(struct textbuf *b, const char *name, const char *command)
{
	textbuf_str(b, "- ");
	textbuf_str(b, name);
	textbuf_str(b, ": ");
	markdown_put_code(b, command);
	textbuf_char(b, '\n');
}

static void put_table(struct textbuf *b, const struct cells *c)
{
	textbuf_char(b, '\n');
	if (c->nrow)
		markdown_put(b, c);
}

/* Say how the runs of a command ended, if they failed. */
static void put_ending(struct textbuf *b, const char *words, const struct runs *s)
{
	if (!runs_status(&s->ending))
		return;
	textbuf_str(b, "- ");
	textbuf_str(b, words);
	runs_put_ending(b, &s->ending);
	textbuf_char(b, '\n');
}

int markdown_put_runs(struct textbuf *b, const struct runs *s)
{
	struct cells c = {0};
	const int rc = cells_of_runs(&c, s, 1);

	textbuf_str(b, "- ");
	textbuf_num(b, s->n, 0);
	textbuf_str(b, s->n == 1 ? " run: " : " runs: ");
	markdown_put_code(b, s->command);
	textbuf_char(b, '\n');
	put_ending(b, "each run ", s);
	if (rc == 0)
		put_table(b, &c);
	cells_free(&c);
	return rc;
}

static void put_pairs(struct textbuf *b, const struct judge_comparison *comparison)
{
	const size_t n = comparison->b->n;

	put_item(b, "A", comparison->a->command);
	put_item(b, "B", comparison->b->command);
	textbuf_str(b, "- ");
	textbuf_num(b, n, 0);
	textbuf_str(b, n == 1 ? " pair" : " pairs");
	textbuf_str(b, ", order by coin, 1 warm-up run each\n");
	put_ending(b, "each run of A ", comparison->a);
	put_ending(b, "each run of B ", comparison->b);
}

int markdown_put_comparison(struct textbuf *b, const struct judge_comparison *comparison)
{
	struct cells c = {0};
	const int rc = cells_of_comparison(&c, comparison, 1);

	if (comparison->saved)
		put_item(b, "compared with", comparison->saved);
	else
		put_pairs(b, comparison);
	if (rc == 0)
		put_table(b, &c);
	cells_free(&c);
	return rc;
}

void markdown_put_gate(struct textbuf *b, const char *name, const struct cells *c)
{
	textbuf_char(b, '\n');
	put_item(b, "gate against", name);
	put_table(b, c);
}
