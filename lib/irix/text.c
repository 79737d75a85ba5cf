#include "irix/text.h"

#include <ctype.h>
#include <string.h>

/*
 * Widths of cells. Source: the outputs of perfex(1) in guide 007-3430, chapter 4, which
 * do not show all blanks
 */
enum {
	W_NUMBER = 2,
	W_LABEL = 60,
	W_COUNT = 14,
	W_TIME = 13,
	W_STAT = 76,
	W_SECONDS = 10
};

/* Append a label and dots up to the next cell. */
static void put_label(struct textbuf *b, const char *label, size_t width)
{
	textbuf_clean(b, label);
	for (size_t n = text_width(label); n < width; n++)
		textbuf_char(b, '.');
}

static void put_count(struct textbuf *b, const cpc_value_t *v, size_t width)
{
	if (v->quality == CPC_UNAVAILABLE)
		textbuf_cell(b, "-", 1, width);
	else
		textbuf_num(b, v->value, width);
}

static void put_time(struct textbuf *b, double s)
{
	if (s < 0)
		textbuf_cell(b, "-", 1, W_TIME);
	else
		textbuf_decimal(b, s, 6, W_TIME);
}

static void put_event(struct textbuf *b, const struct irix_line *l, int times)
{
	const struct irix_row *row = l->row;

	if (row->number >= 0)
		textbuf_num(b, (uint64_t)row->number, W_NUMBER);
	else
		textbuf_cell(b, "", 0, W_NUMBER);
	textbuf_char(b, ' ');
	put_label(b, row->label, W_LABEL);
	put_count(b, &row->value, W_COUNT);
	if (times) {
		put_time(b, l->time.typical);
		put_time(b, l->time.minimum);
		put_time(b, l->time.maximum);
	}
	textbuf_char(b, '\n');
}

static void put_line(struct textbuf *b, const char *s)
{
	put_label(b, s, 0);
	textbuf_char(b, '\n');
}

static void put_rule(struct textbuf *b, size_t width)
{
	for (size_t i = 0; i < width; i++)
		textbuf_char(b, '=');
	textbuf_char(b, '\n');
}

static void put_cell(struct textbuf *b, const char *s, size_t width)
{
	textbuf_cell(b, s, strlen(s), width);
}

static void put_name(struct textbuf *b, const char *name, size_t width)
{
	const size_t n = text_width(name);

	textbuf_cell(b, "", 0, n < width ? width - n : 0);
	textbuf_clean(b, name);
}

static void put_machine(struct textbuf *b, const struct costs *c)
{
	textbuf_str(b, "Based on ");
	costs_put_millionths(b, c->hz);
	textbuf_str(b, " MHz ");
	textbuf_str(b, c->system);
	if (c->synthetic)
		textbuf_str(b, " (synthetic costs)");
	textbuf_str(b, "\nMIPS ");
	for (const char *p = c->cpu; *p; p++)
		textbuf_char(b, (char)toupper((unsigned char)*p));
	textbuf_str(b, " CPU\n");
}

static void put_titles(struct textbuf *b)
{
	const size_t counts = W_NUMBER + 1 + W_LABEL + W_COUNT;

	put_cell(b, "Typical", counts + W_TIME);
	put_cell(b, "Minimum", W_TIME);
	put_cell(b, "Maximum", W_TIME);
	textbuf_str(b, "\n   Event Counter Name");
	put_cell(b, "Counter Value", counts - strlen("   Event Counter Name"));
	for (int i = 0; i < 3; i++)
		put_cell(b, "Time (sec)", W_TIME);
	textbuf_char(b, '\n');
	put_rule(b, counts + 3 * W_TIME);
}

static void put_statistics(struct textbuf *b, const struct irix_stat *stat,
			   unsigned nstats)
{
	if (nstats == 0)
		return;
	textbuf_str(b, "\nStatistics\n");
	put_rule(b, W_STAT + W_TIME);
	for (unsigned i = 0; i < nstats; i++) {
		put_label(b, stat[i].label, W_STAT);
		textbuf_decimal(b, stat[i].value, 6, W_TIME);
		textbuf_char(b, '\n');
	}
}

static void put_period(struct textbuf *b, const struct irix_report *r)
{
	textbuf_fixed(b, ((uint64_t)r->ns + 500000) / 1000000, 3, W_SECONDS);
	for (unsigned i = 0; i < r->n; i++) {
		textbuf_char(b, ' ');
		put_count(b, &r->row[i].value, W_COUNT);
	}
	textbuf_char(b, '\n');
}

void irix_text_periods(struct textbuf *b, const struct irix_report *r)
{
	put_cell(b, "Time (sec)", W_SECONDS);
	for (unsigned i = 0; i < r->n; i++) {
		textbuf_char(b, ' ');
		if (r->row[i].number >= 0)
			textbuf_num(b, (uint64_t)r->row[i].number, W_COUNT);
		else
			put_name(b, r->row[i].name, W_COUNT);
	}
	textbuf_char(b, '\n');
}

void irix_text(struct textbuf *b, const struct irix_report *r,
	       const struct irix_line *line, const struct irix_stat *stat,
	       unsigned nstats)
{
	if (r->scope == IRIX_PERIOD) {
		put_period(b, r);
		return;
	}
	if (r->heading)
		put_line(b, r->heading);
	if (r->costs) {
		textbuf_str(b, "\nSummary for execution of ");
		put_line(b, r->command);
		put_machine(b, r->costs);
		textbuf_char(b, '\n');
		put_titles(b);
	}
	for (unsigned i = 0; i < r->n; i++)
		put_event(b, &line[i], r->costs != NULL);
	put_statistics(b, stat, nstats);
}
