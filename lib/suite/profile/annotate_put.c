#include <stdlib.h>
#include <string.h>

#include "suite/profile/annotate.h"
#include "suite/profile/names.h"
#include "suite/profile/report.h"

/* Lines that are shown before the first and after the last line that has values. */
enum { AROUND = 2 };

/* Longer runs of lines without values are shown as "...". */
enum { LONGEST_GAP = 12 };

/* A column of the counts and one of the percentages for each metric of a text. */
enum { MOST_METRICS = (SHEET_COLUMNS - 3) / 2 };

static int is_shown(const struct profile *p, const struct annotation *a, unsigned m)
{
	return a->total[m] && !p->metric[m].covered;
}

/* Append a line of a source, without its break, with blanks in place of tabs. */
static void put_source_line(struct textbuf *b, const char *s, size_t n)
{
	for (size_t i = 0, column = 0; i < n; i++) {
		if (s[i] != '\t') {
			textbuf_char(b, s[i] ? s[i] : '?');
			/* Bytes that continue a character take no column. */
			column += (s[i] & 0xc0) != 0x80;
			continue;
		}
		do
			textbuf_char(b, ' ');
		while (++column % 8);
	}
}

/* The position in a source, whose lines are read in their order. */
struct reader {
	const struct annotate_source *source; /* NULL: not found */
	size_t at;
	unsigned line; /* number of the line at that position */
};

/* Return the text of a line, and its length in *n; NULL: the source ends before it. */
static const char *read_line(struct reader *r, unsigned line, size_t *n)
{
	const struct annotate_source *s = r->source;

	for (; s && s->text && r->at < s->size; r->line++) {
		const char *start = s->text + r->at;
		const char *end = memchr(start, '\n', s->size - r->at);

		*n = end ? (size_t)(end - start) : s->size - r->at;
		if (r->line == line)
			return start;
		r->at += *n + 1;
	}
	return NULL;
}

static void fill_values(struct sheet_cell *cell, const struct profile *p,
			const struct annotation *a, const uint64_t *value)
{
	unsigned i = 0;

	for (unsigned m = 0; m < p->nmetric && i < 2 * MOST_METRICS; m++) {
		if (!is_shown(p, a, m))
			continue;
		if (value && value[m]) {
			cell[i] = sheet_percent(value[m], a->total[m]);
			cell[i + 1] = sheet_number(value[m]);
		}
		i += 2;
	}
}

/* Add a row of a text; value is NULL for lines without values. */
static void add_row(struct sheet *t, const struct profile *p, const struct annotation *a,
		    const uint64_t *value, unsigned line, struct textbuf *text)
{
	struct sheet_cell *cell = sheet_row(t);

	fill_values(cell, p, a, value);
	cell[t->ncolumn - 2] = sheet_number(line);
	cell[t->ncolumn - 2].known = line != 0;
	cell[t->ncolumn - 1] = sheet_text(sheet_string(t, text));
}

static void add_source_line(struct sheet *t, const struct profile *p,
			    const struct annotation *a, const struct annotate_line *value,
			    unsigned line, struct reader *r)
{
	struct textbuf text = {0};
	size_t n = 0;
	const char *s = read_line(r, line, &n);

	/* Before the first line and after the last one there is nothing to show. */
	if (!s && !value)
		return;
	if (s)
		put_source_line(&text, s, n);
	if (value && value->inlined) {
		textbuf_str(&text, n ? "  [inlined: " : "[inlined: ");
		textbuf_str(&text, value->inlined);
		textbuf_char(&text, ']');
	}
	add_row(t, p, a, value ? value->value : NULL, line, &text);
}

/* Add the lines without values between two that have values. */
static void add_gap(struct sheet *t, const struct profile *p, const struct annotation *a,
		    unsigned first, unsigned end, struct reader *r)
{
	const int cut = end - first > LONGEST_GAP;

	for (unsigned line = first; line < end; line++) {
		if (cut && line == first + AROUND) {
			struct textbuf dots = {0};

			textbuf_str(&dots, "...");
			add_row(t, p, a, NULL, 0, &dots);
			line = end - AROUND;
		}
		add_source_line(t, p, a, NULL, line, r);
	}
}

/* Add the rows of lines first to end of the annotation, which are of one file. */
static void add_file(struct sheet *t, const struct profile *p, const struct annotation *a,
		     size_t first, size_t end, struct reader *r)
{
	unsigned next = a->line[first].line > AROUND ? a->line[first].line - AROUND : 1;

	for (size_t i = first; i < end; i++) {
		if (a->line[i].line)
			add_gap(t, p, a, next, a->line[i].line, r);
		add_source_line(t, p, a, &a->line[i], a->line[i].line, r);
		next = a->line[i].line + 1;
	}
	if (a->line[end - 1].line)
		add_gap(t, p, a, next, next + AROUND, r);
}

static const char *file_title(struct sheet *t, const char *file, const struct reader *r)
{
	struct textbuf b = {0};

	textbuf_char(&b, '\n');
	textbuf_clean(&b, file ? file : "source lines are not known");
	if (file && (!r->source || !r->source->text))
		textbuf_str(&b, " (the file was not found)");
	textbuf_char(&b, '\n');
	return sheet_string(t, &b);
}

/* Fill the columns of a text, whose titles are strings of t. Returns their number. */
static unsigned make_columns(struct sheet *t, struct sheet_column *column,
			     const struct profile *p, const struct annotation *a)
{
	unsigned n = 0;

	for (unsigned m = 0; m < p->nmetric && n < 2 * MOST_METRICS; m++) {
		struct textbuf name = {0};

		if (!is_shown(p, a, m))
			continue;
		textbuf_clean(&name, p->metric[m].event);
		column[n++] = (struct sheet_column){NULL, "percent", SHEET_PERCENT};
		column[n++] =
			(struct sheet_column){NULL, sheet_string(t, &name), SHEET_NUMBER};
	}
	column[n++] = (struct sheet_column){NULL, "line", SHEET_NUMBER};
	column[n++] = (struct sheet_column){NULL, "source", SHEET_TEXT};
	return n;
}

static void put_file(struct textbuf *b, const struct profile *p,
		     const struct annotation *a, size_t first, size_t end,
		     const struct annotate_source *source)
{
	struct sheet_column column[SHEET_COLUMNS];
	struct sheet t = {.column = column, .blank = 1};
	struct reader r = {.source = source, .line = 1};

	t.ncolumn = make_columns(&t, column, p, a);
	t.title = file_title(&t, a->line[first].file, &r);
	add_file(&t, p, a, first, end, &r);
	sheet_put(b, &t, TEXT_PLAIN);
	sheet_free(&t);
}

static const struct annotate_source *find_source(const struct annotate_source *source,
						 size_t n, const char *file)
{
	for (size_t i = 0; file && i < n; i++)
		if (strcmp(source[i].file, file) == 0)
			return &source[i];
	return NULL;
}

static int same_file(const struct annotate_line *x, const struct annotate_line *y)
{
	return x->file == y->file ||
	       (x->file && y->file && strcmp(x->file, y->file) == 0);
}

static void put_text(struct textbuf *b, const struct profile *p,
		     const struct annotation *a, const char *function,
		     const struct annotate_source *source, size_t n)
{
	report_put_head(b, p);
	for (unsigned m = 0; m < p->nmetric; m++) {
		if (!is_shown(p, a, m))
			continue;
		textbuf_clean(b, p->metric[m].event);
		textbuf_str(b, " of ");
		textbuf_clean(b, function);
		textbuf_str(b, ": ");
		textbuf_num(b, a->total[m], 0);
		textbuf_str(b, " of ");
		textbuf_num(b, p->metric[m].total, 0);
		textbuf_str(b, ", ");
		report_put_metric(b, &p->metric[m]);
		textbuf_char(b, '\n');
	}
	for (size_t first = 0, end; first < a->n; first = end) {
		for (end = first + 1;
		     end < a->n && same_file(&a->line[first], &a->line[end]); end++)
			;
		put_file(b, p, a, first, end,
			 find_source(source, n, a->line[first].file));
	}
}

static const struct sheet_column data_columns[] = {VIEW_COLUMNS,
						   {"file", NULL, SHEET_TEXT},
						   {"line", NULL, SHEET_NUMBER},
						   {"inlined", NULL, SHEET_TEXT}};

static void put_data(struct textbuf *b, const struct profile *p,
		     const struct annotation *a, enum text_format format)
{
	struct sheet t = {.name = "annotate",
			  .ncolumn = sizeof data_columns / sizeof *data_columns,
			  .column = data_columns};

	for (unsigned m = 0; m < p->nmetric; m++)
		for (size_t i = 0; i < a->n; i++) {
			const struct annotate_line *line = &a->line[i];

			if (!is_shown(p, a, m) || !line->value[m])
				continue;
			struct sheet_cell *cell =
				view_row(&t, &p->metric[m], line->value[m]);

			/* The percentage is of the function, as in text. */
			cell[-2] = sheet_percent(line->value[m], a->total[m]);
			cell[0] = sheet_text(line->file);
			cell[1] = sheet_number(line->line);
			cell[1].known = line->line != 0;
			cell[2] = sheet_text(line->inlined);
		}
	sheet_put(b, &t, format);
	sheet_free(&t);
}

void annotate_put(struct textbuf *b, const struct profile *p, const struct annotation *a,
		  const char *function, const struct annotate_source *source, size_t n,
		  enum text_format format)
{
	if (format == TEXT_PLAIN)
		put_text(b, p, a, function, source, n);
	else
		put_data(b, p, a, format);
}
