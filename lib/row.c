#include "row.h"

#include <string.h>

#include "row_csv.h"
#include "row_json.h"
#include "rowbuf.h"

/* Widths of text cells, and the titles of the columns. Source: cputrack(1) */
enum { W_TIME = 7, W_PID = 6, W_LWP = 3, W_WORD = 10, W_VALUE = 9 };

#if defined(__x86_64__) || defined(__i386__)
static const char tick_title[] = "tsc";
#else
static const char tick_title[] = "tick";
#endif

static void text_str(struct rowbuf *b, const char *s, size_t width)
{
	rowbuf_cell(b, s, strlen(s), width);
	rowbuf_char(b, ' ');
}

static void text_num(struct rowbuf *b, uint64_t v, size_t width)
{
	rowbuf_num(b, v, width);
	rowbuf_char(b, ' ');
}

/* Control characters as '?': a line stays a line, and a terminal is told nothing. */
static void text_clean(struct rowbuf *b, const char *s)
{
	for (; *s; s++) {
		const unsigned char c = (unsigned char)s[0], next = (unsigned char)s[1];
		/* U+0080 to U+009F, which begin so in UTF-8, are controls too. */
		const int c1 = c == 0xc2 && next >= 0x80 && next < 0xa0;
		rowbuf_char(b, c < 0x20 || c == 0x7f || c1 ? '?' : (char)c);
		s += c1;
	}
}

/* Titles carry counter numbers, never names of events. Source: cputrack(1) */
static void text_title(struct rowbuf *b, const struct row_style *style,
		       const struct row_set *first)
{
	text_str(b, "time", W_TIME);
	if (style->pid)
		text_str(b, "pid", W_PID);
	text_str(b, "lwp", W_LWP);
	text_str(b, "event", W_WORD);
	if (style->tick)
		text_str(b, tick_title, W_VALUE);
	for (unsigned i = 0; i < first->n; i++) {
		rowbuf_cell(b, "pic", 3, W_VALUE - 1);
		rowbuf_num(b, first->pic[i], 0);
		if (first->pic[i] < 10)
			rowbuf_char(b, ' ');
	}
	rowbuf_char(b, '\n');
}

static void text_set(struct rowbuf *b, const struct row_style *style, const struct row *r)
{
	if (style->tick)
		text_num(b, r->tick, W_VALUE);
	for (unsigned i = 0; i < r->set->n; i++)
		if (r->value[i].quality == CPC_UNAVAILABLE)
			text_str(b, "-", W_VALUE);
		else
			text_num(b, r->value[i].value, W_VALUE);
	if (style->nsets > 1 && r->set->spec) {
		rowbuf_str(b, " # ");
		text_clean(b, r->set->spec);
	}
}

/* Two empty cells, however many counters there are. Source: cputrack(1) */
static void text_remark(struct rowbuf *b, int tick, const struct row *r)
{
	for (int cells = tick ? 3 : 2; cells > 0; cells--)
		text_str(b, "", W_VALUE);
	rowbuf_str(b, "# ");
	if (r->kind == ROW_FORK) {
		rowbuf_num(b, (uint64_t)r->child, 0);
		return;
	}
	rowbuf_char(b, '\'');
	text_clean(b, r->cmd ? r->cmd : "(unknown)");
	rowbuf_char(b, '\'');
}

static void text_row(struct rowbuf *b, const struct row_style *style, const struct row *r)
{
	rowbuf_fixed(b, ((uint64_t)r->ns + 500000) / 1000000, 3, W_TIME);
	rowbuf_char(b, ' ');
	if (style->pid)
		text_num(b, (uint64_t)r->pid, W_PID);
	text_num(b, r->lwp, W_LWP);
	text_str(b, r->word, W_WORD);
	if (r->kind == ROW_VALUES)
		text_set(b, style, r);
	else
		text_remark(b, style->tick, r);
	rowbuf_char(b, '\n');
}

static const struct row_set no_set;

char *row_title(const struct row_style *style, const struct row_set *first)
{
	struct rowbuf b = {0};

	switch (style->format) {
	case ROW_TEXT:
		text_title(&b, style, first ? first : &no_set);
		break;
	case ROW_CSV:
		row_csv_title(&b);
		break;
	case ROW_JSON:
		break;
	}
	return rowbuf_end(&b);
}

char *row_line(const struct row_style *style, const struct row *row)
{
	struct rowbuf b = {0};
	struct row full = *row;

	if (row->kind != ROW_VALUES)
		full.word = row->kind == ROW_FORK ? "fork" : "exec";
	if (!row->set)
		full.set = &no_set;
	switch (style->format) {
	case ROW_TEXT:
		text_row(&b, style, &full);
		break;
	case ROW_CSV:
		row_csv(&b, style, &full);
		break;
	case ROW_JSON:
		row_json(&b, style, &full);
		break;
	}
	return rowbuf_end(&b);
}
