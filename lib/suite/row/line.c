#include "suite/row/row.h"

#include <locale.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "suite/row/csv.h"
#include "suite/row/json.h"

/* Widths of text cells. Source: cputrack(1) and cpustat(1M); for W_SIZE mpstat(1M) */
enum { W_TIME = 7, W_PID = 6, W_LWP = 3, W_WORD = 10, W_VALUE = 9 };
enum { W_TID = 7, W_NAME = 15 }; /* the largest tid is 4194304; TASK_COMM_LEN - 1 */
enum { W_CPU = 3, W_CPU_WORD = 5, W_SIZE = 5 };

/* The title of the id column. Source: cpustat(1M), mpstat(1M) */
static const char *const id_title[] = {
	[ROW_CPUS] = "cpu",
	[ROW_CORES] = "COR",
	[ROW_SOCKETS] = "SOC",
	[ROW_BINS] = "BIN",
};

#if defined(__x86_64__) || defined(__i386__)
static const char tick_title[] = "tsc";
#else
static const char tick_title[] = "tick";
#endif

static void text_str(struct textbuf *b, const char *s, size_t width)
{
	textbuf_cell(b, s, strlen(s), width);
	textbuf_char(b, ' ');
}

static void text_num(struct textbuf *b, uint64_t v, size_t width)
{
	textbuf_num(b, v, width);
	textbuf_char(b, ' ');
}

/* Return the length of a text of printable ASCII characters, or -1. */
static ssize_t plain_length(const char *s)
{
	ssize_t n = 0;

	while (s[n] >= ' ' && s[n] <= '~')
		n++;
	return s[n] ? -1 : n;
}

/*
 * Names are on the left of their column, and are cleaned. Most are plain: with hundreds
 * of cgroups the cleaning would take a tenth of the time of an interval.
 */
static void text_name(struct textbuf *b, const char *name, size_t width)
{
	const ssize_t plain = plain_length(name);

	if (plain >= 0)
		textbuf_put(b, name, (size_t)plain);
	else
		textbuf_clean(b, name);
	const size_t n = plain >= 0 ? (size_t)plain : text_width(name);
	textbuf_cell(b, "", 0, n < width ? width - n + 1 : 1);
}

/* Rows of cores, sockets and bins have a column with the number of their CPUs. */
static int has_size(const struct row_style *style)
{
	return style->scope > ROW_CPUS && style->scope < ROW_CGROUPS;
}

static int has_id(const struct row_style *style)
{
	return style->scope != ROW_CGROUPS;
}

static void text_title_source(struct textbuf *b, const struct row_style *style)
{
	text_str(b, "time", W_TIME);
	if (style->scope != ROW_LWPS) {
		if (style->cgroups) {
			textbuf_char(b, ' ');
			text_name(b, "cgroup", style->cgroups);
		}
		if (has_id(style))
			text_str(b, id_title[style->scope], W_CPU);
		text_str(b, "event", W_CPU_WORD);
		return;
	}
	if (style->pid)
		text_str(b, "pid", W_PID);
	text_str(b, "lwp", W_LWP);
	if (style->names) {
		text_str(b, "tid", W_TID);
		text_name(b, "name", W_NAME);
	}
	text_str(b, "event", W_WORD);
}

/* Titles have the numbers of counters, never names of events. Source: cputrack(1) */
static void text_title(struct textbuf *b, const struct row_style *style,
		       const struct row_set *first)
{
	text_title_source(b, style);
	if (style->tick)
		text_str(b, tick_title, W_VALUE);
	for (unsigned i = 0; i < first->n; i++) {
		textbuf_cell(b, "pic", 3, W_VALUE - (first->pic[i] < 100 ? 1 : 2));
		textbuf_num(b, first->pic[i], 0);
		if (first->pic[i] < 10)
			textbuf_char(b, ' ');
	}
	if (has_size(style))
		text_str(b, "sze", W_SIZE);
	textbuf_char(b, '\n');
}

static void text_set(struct textbuf *b, const struct row_style *style,
		     const struct row *r)
{
	if (style->tick)
		text_num(b, r->tick, W_VALUE);
	for (unsigned i = 0; i < r->set->n; i++)
		if (r->value[i].quality == CPC_UNAVAILABLE)
			text_str(b, "-", W_VALUE);
		else
			text_num(b, r->value[i].value, W_VALUE);
	if (has_size(style))
		text_num(b, r->cpus, W_SIZE);
	if (style->nsets > 1 && r->set->spec) {
		textbuf_str(b, " # ");
		textbuf_clean(b, r->set->spec);
	}
}

/*
 * The remark follows two empty cells, whatever the number of counters. Source:
 * cputrack(1)
 */
static void text_remark(struct textbuf *b, int tick, const struct row *r)
{
	for (int cells = tick ? 3 : 2; cells > 0; cells--)
		text_str(b, "", W_VALUE);
	textbuf_str(b, "# ");
	if (r->kind == ROW_FORK) {
		textbuf_num(b, (uint64_t)r->child, 0);
		return;
	}
	textbuf_char(b, '\'');
	textbuf_clean(b, r->cmd ? r->cmd : "(unknown)");
	textbuf_char(b, '\'');
}

/* The names of days and months are English in every locale. */
static void text_date(struct textbuf *b, time_t t)
{
	char text[256]; /* names of time zones can be long */
	struct tm tm;
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	if (!c) {
		b->failed = 1;
		return;
	}
	localtime_r(&t,
		    &tm); /* cannot fail: t is from 64 bits of ns, at most year 2262 */
	textbuf_put(b, text, strftime_l(text, sizeof text, "%a %b %e %T %Z %Y", &tm, c));
	freelocale(c);
}

/* Append the time stamp line, except before totals. Source: cpustat(1M), -T */
static void text_stamp(struct textbuf *b, const struct row_style *style,
		       const struct row *r)
{
	const int64_t s = r->unix_ns / 1000000000;

	if (style->stamp == ROW_STAMP_NONE || r->kind == ROW_TOTAL)
		return;
	if (style->stamp == ROW_STAMP_UNIX)
		textbuf_num(b, (uint64_t)s, 0);
	else
		text_date(b, s);
	textbuf_char(b, '\n');
}

static void text_time(struct textbuf *b, const struct row *r)
{
	textbuf_fixed(b, ((uint64_t)r->ns + 500000) / 1000000, 3, W_TIME);
	textbuf_char(b, ' ');
}

/* A total has the number of CPUs in the id column. Source: cpustat(1M) */
static void text_id(struct textbuf *b, const struct row *r)
{
	if (r->kind == ROW_TOTAL)
		text_num(b, r->cpus, W_CPU);
	else if (r->id < 0)
		text_str(b, "-", W_CPU);
	else
		text_num(b, (uint64_t)r->id, W_CPU);
}

static void text_cpu(struct textbuf *b, const struct row_style *style,
		     const struct row *r)
{
	text_stamp(b, style, r);
	text_time(b, r);
	if (style->cgroups) {
		textbuf_char(b, ' ');
		text_name(b, r->cgroup, style->cgroups);
	}
	if (has_id(style))
		text_id(b, r);
	text_str(b, r->word, W_CPU_WORD);
}

static void text_thread(struct textbuf *b, const struct row *r)
{
	if (r->tid > 0)
		text_num(b, (uint64_t)r->tid, W_TID);
	else
		text_str(b, "-", W_TID);
	text_name(b, r->name ? r->name : "-", W_NAME);
}

static void text_lwp(struct textbuf *b, const struct row_style *style,
		     const struct row *r)
{
	text_time(b, r);
	if (style->pid)
		text_num(b, (uint64_t)r->pid, W_PID);
	text_num(b, r->lwp, W_LWP);
	if (style->names)
		text_thread(b, r);
	text_str(b, r->word, W_WORD);
}

static void text_row(struct textbuf *b, const struct row_style *style,
		     const struct row *r)
{
	if (style->scope == ROW_LWPS)
		text_lwp(b, style, r);
	else
		text_cpu(b, style, r);
	if (r->kind == ROW_FORK || r->kind == ROW_EXEC)
		text_remark(b, style->tick, r);
	else
		text_set(b, style, r);
	textbuf_char(b, '\n');
}

static const struct row_set no_set;

void row_put_title(struct textbuf *b, const struct row_style *style,
		   const struct row_set *first)
{
	switch (style->format) {
	case TEXT_PLAIN:
		text_title(b, style, first ? first : &no_set);
		break;
	case TEXT_CSV:
		row_csv_title(b, style);
		break;
	case TEXT_JSON:
	case TEXT_MARKDOWN:
		break;
	}
}

char *row_title(const struct row_style *style, const struct row_set *first)
{
	struct textbuf b = {0};

	row_put_title(&b, style, first);
	return textbuf_end(&b);
}

/* Append a row that has a word and a set. */
static void put_full(struct textbuf *b, const struct row_style *style,
		     const struct row *row)
{
	switch (style->format) {
	case TEXT_PLAIN:
		text_row(b, style, row);
		break;
	case TEXT_CSV:
		row_csv(b, style, row);
		break;
	case TEXT_JSON:
		row_json(b, style, row);
		break;
	case TEXT_MARKDOWN:
		break;
	}
}

/* Most rows are full: they are not copied. */
void row_put(struct textbuf *b, const struct row_style *style, const struct row *row)
{
	static const char *const words[] = {
		[ROW_FORK] = "fork",
		[ROW_EXEC] = "exec",
		[ROW_TOTAL] = "total",
		[ROW_STATISTIC] = "statistic",
	};

	if (row->kind == ROW_VALUES && row->set) {
		put_full(b, style, row);
		return;
	}
	struct row full = *row;
	if (row->kind != ROW_VALUES)
		full.word = words[row->kind];
	if (!row->set)
		full.set = &no_set;
	put_full(b, style, &full);
}

char *row_line(const struct row_style *style, const struct row *row)
{
	struct textbuf b = {0};

	row_put(&b, style, row);
	return textbuf_end(&b);
}

void row_put_event(struct textbuf *b, const char *name, const char *mode)
{
	textbuf_clean(b, name);
	if (!mode || (strcmp(mode, "user") != 0 && strcmp(mode, "sys") != 0))
		return;
	textbuf_str(b, " (");
	textbuf_str(b, mode);
	textbuf_char(b, ')');
}
