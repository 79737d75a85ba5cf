#include "irix/text.h"

#include <ctype.h>
#include <string.h>

/*
 * Widths of cells. Source: the outputs of perfex(1) in guide 007-3430, chapter 4, whose
 * blanks are not all known
 */
enum {
	W_NUMBER = 2,
	W_LABEL = 60,
	W_COUNT = 14,
	W_TIME = 13,
	W_STAT = 76,
	W_SECONDS = 10
};

void perfex_decimal(struct rowbuf *b, double v, unsigned decimals, size_t width)
{
	char text[48];
	struct rowbuf digits = {.s = text, .size = sizeof text};
	double scaled = v < 0 ? -v : v;

	for (unsigned i = 0; i < decimals; i++)
		scaled *= 10;
	const uint64_t n = (uint64_t)(scaled + 0.5);
	if (v < 0 && n > 0)
		rowbuf_char(&digits, '-');
	rowbuf_fixed(&digits, n, decimals, 0);
	rowbuf_cell(b, text, digits.len, width);
}

/* Dots up to the next cell; control characters as '?': a line stays a line. */
static void put_label(struct rowbuf *b, const char *label, size_t width)
{
	size_t len = 0;

	for (; label[len]; len++)
		rowbuf_char(b, iscntrl((unsigned char)label[len]) ? '?' : label[len]);
	for (; len < width; len++)
		rowbuf_char(b, '.');
}

static void put_count(struct rowbuf *b, const cpc_value_t *v, size_t width)
{
	if (v->quality == CPC_UNAVAILABLE)
		rowbuf_cell(b, "-", 1, width);
	else
		rowbuf_num(b, v->value, width);
}

static void put_time(struct rowbuf *b, double s)
{
	if (s < 0)
		rowbuf_cell(b, "-", 1, W_TIME);
	else
		perfex_decimal(b, s, 6, W_TIME);
}

static void put_event(struct rowbuf *b, const struct perfex_line *l, int times)
{
	const struct perfex_row *row = l->row;

	if (row->number >= 0)
		rowbuf_num(b, (uint64_t)row->number, W_NUMBER);
	else
		rowbuf_cell(b, "", 0, W_NUMBER);
	rowbuf_char(b, ' ');
	put_label(b, row->label, W_LABEL);
	put_count(b, &row->value, W_COUNT);
	if (times) {
		put_time(b, l->typical);
		put_time(b, l->minimum);
		put_time(b, l->maximum);
	}
	rowbuf_char(b, '\n');
}

static void put_line(struct rowbuf *b, const char *s)
{
	put_label(b, s, 0);
	rowbuf_char(b, '\n');
}

static void put_rule(struct rowbuf *b, size_t width)
{
	for (size_t i = 0; i < width; i++)
		rowbuf_char(b, '=');
	rowbuf_char(b, '\n');
}

static void put_cell(struct rowbuf *b, const char *s, size_t width)
{
	rowbuf_cell(b, s, strlen(s), width);
}

/* "196", "196.608" */
static void put_mhz(struct rowbuf *b, uint64_t hz)
{
	unsigned decimals = 6;

	for (; decimals > 0 && hz % 10 == 0; hz /= 10)
		decimals--;
	if (decimals)
		rowbuf_fixed(b, hz, decimals, 0);
	else
		rowbuf_num(b, hz, 0);
}

static void put_machine(struct rowbuf *b, const struct costs *c)
{
	rowbuf_str(b, "Based on ");
	put_mhz(b, c->hz);
	rowbuf_str(b, " MHz ");
	rowbuf_str(b, c->system);
	if (c->synthetic)
		rowbuf_str(b, " (synthetic costs)");
	rowbuf_str(b, "\nMIPS ");
	for (const char *p = c->cpu; *p; p++)
		rowbuf_char(b, (char)toupper((unsigned char)*p));
	rowbuf_str(b, " CPU\n");
}

static void put_titles(struct rowbuf *b)
{
	const size_t counts = W_NUMBER + 1 + W_LABEL + W_COUNT;

	put_cell(b, "Typical", counts + W_TIME);
	put_cell(b, "Minimum", W_TIME);
	put_cell(b, "Maximum", W_TIME);
	rowbuf_str(b, "\n   Event Counter Name");
	put_cell(b, "Counter Value", counts - strlen("   Event Counter Name"));
	for (int i = 0; i < 3; i++)
		put_cell(b, "Time (sec)", W_TIME);
	rowbuf_char(b, '\n');
	put_rule(b, counts + 3 * W_TIME);
}

static void put_statistics(struct rowbuf *b, const struct perfex_stat *stat,
			   unsigned nstats)
{
	if (nstats == 0)
		return;
	rowbuf_str(b, "\nStatistics\n");
	put_rule(b, W_STAT + W_TIME);
	for (unsigned i = 0; i < nstats; i++) {
		put_label(b, stat[i].label, W_STAT);
		perfex_decimal(b, stat[i].value, 6, W_TIME);
		rowbuf_char(b, '\n');
	}
}

static void put_period(struct rowbuf *b, const struct perfex_report *r)
{
	rowbuf_fixed(b, ((uint64_t)r->ns + 500000) / 1000000, 3, W_SECONDS);
	for (unsigned i = 0; i < r->n; i++) {
		rowbuf_char(b, ' ');
		put_count(b, &r->row[i].value, W_COUNT);
	}
	rowbuf_char(b, '\n');
}

void perfex_text_periods(struct rowbuf *b, const struct perfex_report *r)
{
	put_cell(b, "Time (sec)", W_SECONDS);
	for (unsigned i = 0; i < r->n; i++) {
		rowbuf_char(b, ' ');
		if (r->row[i].number >= 0)
			rowbuf_num(b, (uint64_t)r->row[i].number, W_COUNT);
		else
			put_cell(b, r->row[i].name, W_COUNT);
	}
	rowbuf_char(b, '\n');
}

void perfex_text(struct rowbuf *b, const struct perfex_report *r,
		 const struct perfex_line *line, const struct perfex_stat *stat,
		 unsigned nstats)
{
	if (r->scope == PERFEX_PERIOD) {
		put_period(b, r);
		return;
	}
	if (r->heading)
		put_line(b, r->heading);
	if (r->costs) {
		rowbuf_str(b, "\nSummary for execution of ");
		put_line(b, r->command);
		put_machine(b, r->costs);
		rowbuf_char(b, '\n');
		put_titles(b);
	}
	for (unsigned i = 0; i < r->n; i++)
		put_event(b, &line[i], r->costs != NULL);
	put_statistics(b, stat, nstats);
}
