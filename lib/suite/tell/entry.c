#include "suite/tell/entry.h"

#include <stdlib.h>
#include <string.h>

#include <opencpc.h>
#include "base/columns.h"
#include "base/quote.h"

/* The columns of text. Text is not broken for a terminal below the least width. */
enum { W_NUMBER = 3, W_NAME = 26, W_CLASS = 12, W_LEAST = 60, W_DIGITS = 2 };

static void put_blanks(struct textbuf *b, size_t n)
{
	textbuf_cell(b, "", 0, n);
}

/* Append a text and blanks, at least one, up to width columns. */
static void put_column(struct textbuf *b, const char *s, size_t width)
{
	const size_t begin = b->len;

	textbuf_clean(b, s);
	if (b->failed)
		return;
	textbuf_char(b, '\0');
	const size_t n = b->failed ? 0 : columns_text(b->s + begin);
	b->len -= !b->failed;
	put_blanks(b, n < width ? width - n : 1);
}

void entry_title(struct textbuf *b, const struct entry_style *style)
{
	if (style->format == TEXT_CSV)
		textbuf_str(b, "event,number,class,engine,source,title,note,reason\n");
	if (style->format != TEXT_PLAIN)
		return;
	put_column(b, style->has_numbers ? "#  event" : "# event", W_NAME);
	put_column(b, "class", W_CLASS);
	textbuf_str(b, "title [how]\n");
}

/* The sources that every machine has are not worth a remark. */
static int is_of_processor(const struct list_entry *e)
{
	static const char *const others[] = {"host", "model", "generic", "linux",
					     "software"};

	for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strcmp(e->source, others[i]) == 0)
			return 0;
	return !e->is_first;
}

/* A reason begins with the name of the event, which the line has already. */
static const char *without_name(const struct list_entry *e)
{
	const size_t n = strlen(e->name);

	if (e->how && strncmp(e->how, e->name, n) == 0 &&
	    strncmp(e->how + n, ": ", 2) == 0)
		return e->how + n + 2;
	return e->how;
}

/* Returns "TITLE [SOURCE, HOW]", with what there is and is wanted. */
static char *remark(const struct entry_style *style, const struct list_entry *e,
		    int with_how)
{
	const char *source = style->has_source && is_of_processor(e) ? e->source : "";
	const char *how = with_how && e->how ? without_name(e) : "";
	struct textbuf b = {0};

	textbuf_clean(&b, e->title ? e->title : "");
	if (*source || *how) {
		textbuf_str(&b, b.len ? " [" : "[");
		textbuf_str(&b, source);
		textbuf_str(&b, *source && *how ? ", " : "");
		textbuf_clean(&b, how);
		textbuf_char(&b, ']');
	}
	return textbuf_end(&b);
}

static size_t columns_of_word(const char *s, size_t n)
{
	size_t columns = 0;

	for (unsigned len; n > 0; s += len, n -= len < n ? len : n)
		columns += columns_of(s, &len);
	return columns;
}

/* Append text from column at, in lines of at most width columns behind a margin. */
static void put_broken(struct textbuf *b, const char *text, size_t at, size_t margin,
		       size_t width)
{
	size_t column = at;

	while (*text) {
		const size_t n = strcspn(text, " "), wide = columns_of_word(text, n);

		if (column > at && column + 1 + wide > width) {
			textbuf_char(b, '\n');
			put_blanks(b, margin);
			column = at = margin;
		}
		if (column > at) {
			textbuf_char(b, ' ');
			column++;
		}
		textbuf_put(b, text, n);
		column += wide;
		text += n + (text[n] == ' ');
	}
}

/* A remark matters where a count is approximate or there is none. */
static int matters(const struct list_entry *e)
{
	return e->class == CPC_APPROXIMATE || e->class == CPC_UNAVAILABLE;
}

static void put_remark(struct textbuf *b, const struct entry_style *style,
		       const struct list_entry *e, size_t at, size_t margin)
{
	char *text = remark(style, e, 1);

	if (text && style->width && !matters(e) &&
	    at + columns_text(text) > style->width) {
		free(text);
		text = remark(style, e, 0);
	}
	b->failed |= !text;
	if (text && style->width >= W_LEAST)
		put_broken(b, text, at, margin, style->width);
	else if (text)
		textbuf_str(b, text);
	free(text);
}

static void put_text(struct textbuf *b, const struct entry_style *style,
		     const struct list_entry *e, int number)
{
	const size_t first = style->has_numbers ? W_NUMBER : 0;
	const size_t begin = b->len;

	if (number >= 0)
		textbuf_num(b, (uint64_t)number, W_DIGITS);
	put_blanks(b, first - (b->len - begin));
	put_column(b, e->name, W_NAME - first);
	put_column(b, cpc_class_name(e->class), W_CLASS);
	put_remark(b, style, e, b->len - begin, W_NAME + W_CLASS);
	while (b->len && b->s[b->len - 1] == ' ')
		b->len--;
}

static void put_csv(struct textbuf *b, const struct list_entry *e, int number)
{
	quote_csv_text(b, e->name);
	quote_csv_number(b, number >= 0, (uint64_t)number);
	quote_csv_text(b, cpc_class_name(e->class));
	quote_csv_text(b, e->engine);
	quote_csv_text(b, e->source);
	quote_csv_text(b, e->title);
	quote_csv_text(b, e->engine ? e->how : NULL);
	quote_csv(b, !e->engine && e->how ? e->how : "");
}

static void put_json(struct textbuf *b, const struct list_entry *e, int number)
{
	textbuf_char(b, '{');
	quote_json_text(b, "event", e->name);
	quote_json_number(b, "number", number >= 0, (uint64_t)number);
	quote_json_text(b, "class", cpc_class_name(e->class));
	quote_json_text(b, "engine", e->engine);
	quote_json_text(b, "source", e->source);
	quote_json_text(b, "title", e->title);
	quote_json_text(b, "note", e->engine ? e->how : NULL);
	quote_json_text(b, "reason", e->engine ? NULL : e->how);
	textbuf_char(b, '}');
}

void entry_line(struct textbuf *b, const struct entry_style *style,
		const struct list_entry *e, int number)
{
	if (style->format == TEXT_CSV)
		put_csv(b, e, number);
	else if (style->format == TEXT_JSON)
		put_json(b, e, number);
	else
		put_text(b, style, e, number);
	textbuf_char(b, '\n');
}
