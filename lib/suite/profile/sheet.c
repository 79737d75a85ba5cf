#include "suite/profile/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/quote.h"
#include "suite/profile/shorten.h"

void sheet_free(struct sheet *t)
{
	for (size_t i = 0; i < t->nstring; i++)
		free(t->string[i]);
	free(t->string);
	free(t->cell);
	t->string = NULL;
	t->cell = NULL;
	t->nrow = t->room = t->nstring = 0;
}

struct sheet_cell *sheet_row(struct sheet *t)
{
	if (t->nrow == t->room) {
		const size_t room = 2 * t->room + 32;
		struct sheet_cell *cell =
			reallocarray(t->cell, room, t->ncolumn * sizeof *cell);

		if (!cell) {
			t->failed = 1;
			return t->unused;
		}
		t->cell = cell;
		t->room = room;
	}
	struct sheet_cell *row = t->cell + t->nrow++ * t->ncolumn;

	memset(row, 0, t->ncolumn * sizeof *row);
	return row;
}

const char *sheet_string(struct sheet *t, struct textbuf *b)
{
	char *s = textbuf_end(b);

	*b = (struct textbuf){0};
	if (s && array_grow(&t->string, t->nstring, sizeof *t->string) == -1) {
		free(s);
		s = NULL;
	}
	if (!s) {
		t->failed = 1;
		return "";
	}
	t->string[t->nstring++] = s;
	return s;
}

struct sheet_cell sheet_text(const char *s)
{
	return (struct sheet_cell){.text = s};
}

struct sheet_cell sheet_number(uint64_t n)
{
	return (struct sheet_cell){.number = n, .known = 1};
}

struct sheet_cell sheet_percent(uint64_t n, uint64_t of)
{
	return (struct sheet_cell){.number = n, .of = of, .known = of != 0};
}

void sheet_hex(struct textbuf *b, uint64_t v)
{
	char text[18];
	char *p = text + sizeof text;

	do
		*--p = "0123456789abcdef"[v & 15];
	while (v >>= 4);
	*--p = 'x';
	*--p = '0';
	textbuf_put(b, p, (size_t)(text + sizeof text - p));
}

static void put_change(struct textbuf *b, uint64_t from, uint64_t to)
{
	if (to != from)
		textbuf_char(b, to > from ? '+' : '-');
	textbuf_num(b, to > from ? to - from : from - to, 0);
}

/* Append a cell without padding; for text, the caller quotes. */
static void put_value(struct textbuf *b, enum sheet_type type, const struct sheet_cell *c)
{
	switch (type) {
	case SHEET_TEXT:
		textbuf_clean(b, c->text);
		break;
	case SHEET_NUMBER:
		textbuf_num(b, c->number, 0);
		break;
	case SHEET_HEX:
		sheet_hex(b, c->number);
		break;
	case SHEET_PERCENT:
		textbuf_decimal(b, 100. * (double)c->number / (double)c->of, 2, 0);
		break;
	case SHEET_CHANGE:
		put_change(b, c->of, c->number);
		break;
	case SHEET_GROWTH:
		textbuf_decimal(
			b, 100. * ((double)c->number - (double)c->of) / (double)c->of, 2,
			0);
		break;
	}
}

static int is_known(enum sheet_type type, const struct sheet_cell *c)
{
	return type == SHEET_TEXT ? c->text != NULL : c->known;
}

void sheet_put_cell(struct textbuf *b, enum sheet_type type, const struct sheet_cell *c)
{
	if (is_known(type, c))
		put_value(b, type, c);
	else
		textbuf_char(b, '-');
}

static void blanks(struct textbuf *b, size_t n)
{
	textbuf_cell(b, "", 0, n);
}

/* Append a text in a column: words to the left, numbers to the right. */
static void put_column(struct textbuf *b, enum sheet_type type, const char *s,
		       size_t width, int last)
{
	const size_t pad = width - text_width(s);

	if (type != SHEET_TEXT)
		blanks(b, pad);
	textbuf_str(b, s);
	if (type == SHEET_TEXT && !last)
		blanks(b, pad);
}

/* Return the last column of the text. */
static unsigned last_column(const struct sheet *t)
{
	unsigned last = t->ncolumn - 1;

	while (last > 0 && !t->column[last].title)
		last--;
	return last;
}

/* Append a line of texts, one for each column of the text. */
static void put_line(struct textbuf *b, const struct sheet *t, char *const *text,
		     const size_t *width)
{
	const unsigned last = last_column(t);

	for (unsigned i = 0; i <= last; i++) {
		if (!t->column[i].title)
			continue;
		put_column(b, t->column[i].type, text[i], width[i], i == last);
		textbuf_str(b, i == last ? "\n" : "  ");
	}
}

/* Write the texts of row, or the titles if row is NULL. Returns -1 without memory. */
static int make_texts(const struct sheet *t, const struct sheet_cell *row, char **text)
{
	int rc = 0;

	for (unsigned i = 0; i < t->ncolumn; i++) {
		struct textbuf b = {0};

		if (row && (!t->blank || is_known(t->column[i].type, &row[i])))
			sheet_put_cell(&b, t->column[i].type, &row[i]);
		else if (!row)
			textbuf_str(&b, t->column[i].title ? t->column[i].title : "");
		text[i] = textbuf_end(&b);
		if (!text[i])
			rc = -1;
		else if (t->column[i].type == SHEET_TEXT && i < last_column(t))
			shorten(text[i], SHEET_WIDEST);
	}
	return rc;
}

static void put_rows(struct textbuf *b, const struct sheet *t, char **text)
{
	size_t width[SHEET_COLUMNS] = {0};

	for (size_t i = 0; i < (t->nrow + 1) * t->ncolumn; i++) {
		const size_t n = text_width(text[i]);

		if (n > width[i % t->ncolumn])
			width[i % t->ncolumn] = n;
	}
	for (size_t row = 0; row <= t->nrow; row++)
		put_line(b, t, text + row * t->ncolumn, width);
}

static void put_text(struct textbuf *b, const struct sheet *t)
{
	const size_t n = (t->nrow + 1) * t->ncolumn;
	char **text = calloc(n, sizeof *text);
	int failed = !text;

	textbuf_str(b, t->title ? t->title : "");
	for (size_t row = 0; text && row <= t->nrow; row++)
		failed |= make_texts(t, row ? t->cell + (row - 1) * t->ncolumn : NULL,
				     text + row * t->ncolumn) == -1;
	if (failed)
		b->failed = 1;
	else
		put_rows(b, t, text);
	for (size_t i = 0; text && i < n; i++)
		free(text[i]);
	free(text);
	textbuf_str(b, t->remark ? t->remark : "");
}

static void put_csv_row(struct textbuf *b, const struct sheet *t,
			const struct sheet_cell *row)
{
	textbuf_str(b, t->name);
	for (unsigned i = 0; i < t->ncolumn; i++) {
		const struct sheet_column *c = &t->column[i];

		if (!c->key)
			continue;
		textbuf_char(b, ',');
		if (c->type == SHEET_TEXT)
			quote_csv(b, row[i].text ? row[i].text : "");
		else if (row[i].known)
			put_value(b, c->type, &row[i]);
	}
	textbuf_char(b, '\n');
}

static void put_csv_head(struct textbuf *b, const struct sheet *t)
{
	textbuf_str(b, "view");
	for (unsigned i = 0; i < t->ncolumn; i++)
		if (t->column[i].key) {
			textbuf_char(b, ',');
			textbuf_str(b, t->column[i].key);
		}
	textbuf_char(b, '\n');
}

static void put_csv(struct textbuf *b, const struct sheet *t)
{
	if (!t->headless)
		put_csv_head(b, t);
	for (size_t row = 0; row < t->nrow; row++)
		put_csv_row(b, t, t->cell + row * t->ncolumn);
}

/* Hexadecimal numbers are strings: many readers of JSON round large ones. */
static void put_json_cell(struct textbuf *b, const struct sheet_column *c,
			  const struct sheet_cell *cell)
{
	quote_json_key(b, c->key);
	if (!is_known(c->type, cell)) {
		textbuf_str(b, "null");
	} else if (c->type == SHEET_TEXT) {
		quote_json(b, cell->text);
	} else if (c->type == SHEET_HEX) {
		textbuf_char(b, '"');
		put_value(b, c->type, cell);
		textbuf_char(b, '"');
	} else if (c->type == SHEET_CHANGE && cell->number >= cell->of) {
		textbuf_num(b, cell->number - cell->of, 0);
	} else {
		put_value(b, c->type, cell);
	}
}

static void put_json(struct textbuf *b, const struct sheet *t)
{
	for (size_t row = 0; row < t->nrow; row++) {
		textbuf_str(b, "{\"record\":\"row\"");
		quote_json_text(b, "view", t->name);
		for (unsigned i = 0; i < t->ncolumn; i++)
			if (t->column[i].key)
				put_json_cell(b, &t->column[i],
					      &t->cell[row * t->ncolumn + i]);
		textbuf_str(b, "}\n");
	}
}

void sheet_put(struct textbuf *b, const struct sheet *t, enum text_format format)
{
	if (t->failed)
		b->failed = 1;
	else if (format == TEXT_CSV)
		put_csv(b, t);
	else if (format == TEXT_JSON)
		put_json(b, t);
	else
		put_text(b, t);
}
