#include "suite/by/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "suite/row/row.h"

/* The cells of a row of the text, of which the first one is the event. */
enum { EVENT, SUM, MIN, MEDIAN, MAX, IMBALANCE, MIN_AT, MAX_AT, CLASS, CELLS };

static const char *const titles[CELLS] = {"event",    "sum",  "min",  "median", "max",
					  "max/mean", "min@", "max@", "class"};

/* The rows of a table, which have one engine, model and scope. */
struct lines {
	const struct by *by;
	int one_host;
	unsigned n;
	char *(*cell)[CELLS];
	size_t width[CELLS];
};

/* Append a count, or a median, which may end with .5. */
static void put_number(struct textbuf *b, values_number v)
{
	textbuf_format(b, v == floorl(v) ? "%.0Lf" : "%.1Lf", v);
}

/* The same for people: a time is in ms. */
static void put_value(struct textbuf *b, values_number v, const char *unit)
{
	if (strcmp(unit, "ns") == 0)
		textbuf_format(b, "%.3Lf ms", v / 1e6L);
	else
		put_number(b, v);
}

static void put_event(struct textbuf *b, const struct values_row *row)
{
	row_put_event(b, row->field[VALUES_EVENT],
		      *row->field[VALUES_MODE] ? row->field[VALUES_MODE] : NULL);
	if (*row->field[VALUES_NTH]) {
		textbuf_str(b, " #");
		textbuf_str(b, row->field[VALUES_NTH]);
	}
	if (!*row->field[VALUES_CGROUP])
		return;
	textbuf_str(b, " in ");
	textbuf_clean(b, row->field[VALUES_CGROUP]);
}

static void put_class(struct textbuf *b, const struct values_summary *s)
{
	textbuf_str(b, s->n ? cpc_class_name(s->quality) : "unavailable");
	if (s->n == s->keys)
		return;
	textbuf_str(b, "; ");
	textbuf_num(b, s->keys - s->n, 0);
	textbuf_str(b, " of ");
	textbuf_num(b, s->keys, 0);
	textbuf_str(b, s->keys - s->n == 1 ? " has none" : " have none");
}

static void put_cell(struct textbuf *b, const struct lines *l,
		     const struct values_row *row, const struct values_summary *s,
		     unsigned cell)
{
	const values_number value[CELLS] = {
		[SUM] = s->sum, [MIN] = s->min, [MEDIAN] = s->median, [MAX] = s->max};

	if (cell == EVENT)
		put_event(b, row);
	else if (cell == CLASS)
		put_class(b, s);
	else if (!s->n || (cell == SUM && !s->has_sum) ||
		 (cell == IMBALANCE && s->imbalance < 0))
		textbuf_char(b, '-');
	else if (cell == IMBALANCE)
		textbuf_format(b, "%.2Lf", s->imbalance);
	else if (cell == MIN_AT || cell == MAX_AT)
		textbuf_clean(b, by_key(l->by, cell == MIN_AT ? s->min_at : s->max_at,
					l->one_host));
	else
		put_value(b, value[cell], row->field[VALUES_UNIT]);
}

static int fill_line(struct lines *l, unsigned number)
{
	const struct values *v = &l->by->values;
	struct values_summary s;

	if (values_summarize(v, number, &s) == -1)
		return -1;
	for (unsigned i = 0; i < CELLS; i++) {
		struct textbuf b = {0};

		put_cell(&b, l, &v->row[number], &s, i);
		l->cell[l->n][i] = textbuf_end(&b);
		if (!l->cell[l->n][i])
			return -1;
		const size_t width = text_width(l->cell[l->n][i]);
		l->width[i] = width > l->width[i] ? width : l->width[i];
	}
	l->n++;
	return 0;
}

static void put_line(struct textbuf *b, const struct lines *l,
		     const char *const cell[CELLS])
{
	for (unsigned i = 0; i < CELLS; i++) {
		const size_t width = text_width(cell[i]);
		const int is_left = i == EVENT || i == CLASS;

		if (i > 0)
			textbuf_str(b, "  ");
		for (size_t k = width; !is_left && k < l->width[i]; k++)
			textbuf_char(b, ' ');
		textbuf_str(b, cell[i]);
		for (size_t k = width; i == EVENT && k < l->width[i]; k++)
			textbuf_char(b, ' ');
	}
	textbuf_char(b, '\n');
}

static int are_one_table(const struct values_row *a, const struct values_row *b)
{
	static const unsigned field[] = {VALUES_ENGINE, VALUES_MODEL, VALUES_SCOPE};

	for (unsigned i = 0; i < sizeof field / sizeof field[0]; i++)
		if (strcmp(a->field[field[i]], b->field[field[i]]) != 0)
			return 0;
	return 1;
}

static void put_head(struct textbuf *b, const struct by *by, const struct values_row *row)
{
	const char *scope = row->field[VALUES_SCOPE];

	textbuf_num(b, by->values.keys.n, 0);
	textbuf_char(b, ' ');
	textbuf_str(b, by_word(by, by->values.keys.n != 1));
	if (by->label) {
		textbuf_str(b, " '");
		textbuf_clean(b, by->label);
		textbuf_char(b, '\'');
	}
	if (strcmp(row->field[VALUES_ENGINE], "sim") == 0) {
		textbuf_str(b, ", simulated ");
		textbuf_clean(b, row->field[VALUES_MODEL]);
	} else
		textbuf_str(b, ", counted by the kernel");
	if (strcmp(scope, "series") == 0) {
		textbuf_str(b, ", medians of repeated runs\n");
		return;
	}
	textbuf_str(b, ", scope ");
	textbuf_clean(b, scope);
	textbuf_char(b, '\n');
}

/* Append the rows of the table of which a row is the first. */
static int put_lines(struct lines *l, unsigned first, struct textbuf *b)
{
	const struct values *v = &l->by->values;

	for (unsigned i = 0; i < CELLS; i++)
		l->width[i] = strlen(titles[i]);
	for (unsigned i = first; i < v->ids.n; i++)
		if (are_one_table(&v->row[i], &v->row[first]) && fill_line(l, i) == -1)
			return -1;
	put_line(b, l, titles);
	for (unsigned i = 0; i < l->n; i++)
		put_line(b, l, (const char *const *)l->cell[i]);
	return 0;
}

static int put_table(const struct by *by, int one_host, unsigned first, struct textbuf *b)
{
	const unsigned n = by->values.ids.n;
	struct lines l = {
		.by = by, .one_host = one_host, .cell = calloc(n, sizeof *l.cell)};

	if (!l.cell)
		return -1;
	if (b->len)
		textbuf_char(b, '\n');
	put_head(b, by, &by->values.row[first]);
	const int rc = put_lines(&l, first, b);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < CELLS; k++)
			free(l.cell[i][k]);
	free(l.cell);
	return rc;
}

/* Returns whether no row before this one is in one table with it. */
static int is_first(const struct values *v, unsigned row)
{
	for (unsigned i = 0; i < row; i++)
		if (are_one_table(&v->row[i], &v->row[row]))
			return 0;
	return 1;
}

/* The columns of CSV, which are the members of JSON. */
static const struct {
	const char *name;
	enum values_field field;
} fields[] = {
	{"event", VALUES_EVENT}, {"nth", VALUES_NTH},	    {"mode", VALUES_MODE},
	{"unit", VALUES_UNIT},	 {"engine", VALUES_ENGINE}, {"model", VALUES_MODEL},
	{"scope", VALUES_SCOPE}, {"cgroup", VALUES_CGROUP},
};

static const char *const numbers[] = {"sum", "min", "median", "max", "imbalance"};

enum { FIELDS = sizeof fields / sizeof fields[0] };
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

/* Append number i, if it is known. Returns whether it is. */
static int put_statistic(struct textbuf *b, const struct values_summary *s, unsigned i)
{
	const values_number value[NUMBERS] = {s->sum, s->min, s->median, s->max,
					      s->imbalance};

	if (!s->n || (i == 0 && !s->has_sum) || value[i] < 0)
		return 0;
	if (i == NUMBERS - 1)
		textbuf_format(b, "%.6Lf", value[i]);
	else
		put_number(b, value[i]);
	return 1;
}

static void put_csv_title(struct textbuf *b)
{
	textbuf_str(b, "by,");
	for (unsigned i = 0; i < FIELDS; i++) {
		textbuf_str(b, fields[i].name);
		textbuf_char(b, ',');
	}
	textbuf_str(b, "keys,without,");
	for (unsigned i = 0; i < NUMBERS; i++) {
		textbuf_str(b, numbers[i]);
		textbuf_char(b, ',');
	}
	textbuf_str(b, "min_at,max_at,class\n");
}

static void put_csv(struct textbuf *b, const struct by *by, int one_host,
		    const struct values_row *row, const struct values_summary *s)
{
	quote_csv_text(b, by_word(by, 0));
	for (unsigned i = 0; i < FIELDS; i++)
		quote_csv_text(b, row->field[fields[i].field]);
	quote_csv_number(b, 1, s->keys);
	quote_csv_number(b, 1, s->keys - s->n);
	for (unsigned i = 0; i < NUMBERS; i++) {
		put_statistic(b, s, i);
		textbuf_char(b, ',');
	}
	quote_csv_text(b, s->n ? by_key(by, s->min_at, one_host) : NULL);
	quote_csv_text(b, s->n ? by_key(by, s->max_at, one_host) : NULL);
	textbuf_str(b, s->n ? cpc_class_name(s->quality) : "unavailable");
	textbuf_char(b, '\n');
}

static void put_json(struct textbuf *b, const struct by *by, int one_host,
		     const struct values_row *row, const struct values_summary *s)
{
	textbuf_char(b, '{');
	quote_json_text(b, "by", by_word(by, 0));
	for (unsigned i = 0; i < FIELDS; i++) {
		const char *text = row->field[fields[i].field];

		quote_json_text(b, fields[i].name, *text ? text : NULL);
	}
	quote_json_number(b, "keys", 1, s->keys);
	quote_json_number(b, "without", 1, s->keys - s->n);
	for (unsigned i = 0; i < NUMBERS; i++) {
		quote_json_key(b, numbers[i]);
		if (!put_statistic(b, s, i))
			textbuf_str(b, "null");
	}
	quote_json_text(b, "min_at", s->n ? by_key(by, s->min_at, one_host) : NULL);
	quote_json_text(b, "max_at", s->n ? by_key(by, s->max_at, one_host) : NULL);
	quote_json_text(b, "class", s->n ? cpc_class_name(s->quality) : "unavailable");
	textbuf_str(b, "}\n");
}

int by_table(const struct by *by, enum text_format format, struct textbuf *b)
{
	const struct values *v = &by->values;
	const int one_host = by_one_host(by);

	if (format == TEXT_CSV)
		put_csv_title(b);
	for (unsigned i = 0; i < v->ids.n; i++) {
		struct values_summary s;

		if (format == TEXT_PLAIN && is_first(v, i) &&
		    put_table(by, one_host, i, b) == -1)
			return -1;
		if (format == TEXT_PLAIN)
			continue;
		if (values_summarize(v, i, &s) == -1)
			return -1;
		(format == TEXT_CSV ? put_csv : put_json)(b, by, one_host, &v->row[i],
							  &s);
	}
	return b->failed ? -1 : 0;
}
