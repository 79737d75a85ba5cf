#include "irix/perfex.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "irix/stats.h"
#include "irix/text.h"

/* Source: irix/perfex.h */
static const char csv_title[] =
	"time_s,scope,pid,tid,number,name,label,value,count,enabled_ns,running_ns,class,"
	"note,typical_s,minimum_s,maximum_s,host,rank,mode\n";

static const char *const scope_name[] = {
	[IRIX_TOTAL] = "total", [IRIX_THREAD] = "thread", [IRIX_PERIOD] = "period"};

/* A time of three centuries or more comes from a nonsensical cost or clock rate. */
static const double too_long_s = 1e10;

/* The time that events of this cost take, in seconds, or -1 if it is not known. */
static double seconds(const struct costs *costs, const cpc_value_t *v, uint64_t cost)
{
	if (v->quality == CPC_UNAVAILABLE)
		return -1;
	if (v->value == 0)
		return 0;
	if (cost == COST_UNKNOWN)
		return -1;
	const double s = (double)v->value * ((double)cost / 1e6) / (double)costs->hz;
	return s < too_long_s ? s : -1;
}

struct irix_times irix_times(const struct costs *costs, int number, const cpc_value_t *v)
{
	if (!costs || number < 0)
		return (struct irix_times){-1, -1, -1};
	const struct cost *c = &costs->cost[number];
	return (struct irix_times){seconds(costs, v, c->typical),
				   seconds(costs, v, c->minimum),
				   seconds(costs, v, c->maximum)};
}

/* The longest typical time first; equal times in the order of the rows. */
static int by_time(const void *a, const void *b)
{
	const struct irix_line *x = a, *y = b;

	if (x->time.typical != y->time.typical)
		return x->time.typical < y->time.typical ? 1 : -1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Return the lines of a report in the order of printing, which the caller frees. */
static struct irix_line *lines_of(const struct irix_report *r)
{
	struct irix_line *line = calloc(r->n + 1, sizeof *line);

	for (unsigned i = 0; line && i < r->n; i++) {
		line[i].row = &r->row[i];
		line[i].time = irix_times(r->costs, r->row[i].number, &r->row[i].value);
	}
	if (line && r->costs)
		qsort(line, r->n, sizeof *line, by_time);
	return line;
}

unsigned irix_report_stats(const struct irix_report *r, struct irix_stat *stat)
{
	struct irix_counts counts = {0};

	if (!r->costs)
		return 0;
	for (unsigned i = 0; i < r->n; i++)
		if (r->row[i].number >= 0 && r->row[i].value.quality != CPC_UNAVAILABLE) {
			counts.known |= UINT32_C(1) << r->row[i].number;
			counts.value[r->row[i].number] = r->row[i].value.value;
		}
	return irix_stats(r->costs, &counts, stat);
}

/* Append a time in seconds, or unknown if it is negative. */
static void put_seconds(struct textbuf *b, double s, const char *unknown)
{
	if (s >= 0)
		textbuf_decimal(b, s, 9, 0);
	else
		textbuf_str(b, unknown);
}

/* Append the columns time_s to tid. */
static void csv_scope(struct textbuf *b, const struct irix_report *r)
{
	textbuf_fixed(b, (uint64_t)r->ns, 9, 0);
	textbuf_char(b, ',');
	textbuf_str(b, scope_name[r->scope]);
	textbuf_char(b, ',');
	quote_csv_number(b, 1, (uint64_t)r->pid);
	quote_csv_number(b, r->tid != 0, (uint64_t)r->tid);
}

/* Append the columns from host on. */
static void csv_last(struct textbuf *b, const struct irix_report *r, const char *mode)
{
	textbuf_char(b, ',');
	quote_csv_text(b, r->host);
	quote_csv_text(b, r->rank);
	quote_csv(b, !mode ? "" : *mode ? mode : "none");
	textbuf_char(b, '\n');
}

static void csv_event(struct textbuf *b, const struct irix_report *r,
		      const struct irix_line *l)
{
	const struct irix_row *row = l->row;
	const cpc_value_t *v = &row->value;
	const int known = v->quality != CPC_UNAVAILABLE;

	quote_csv_number(b, row->number >= 0, (uint64_t)row->number);
	quote_csv_text(b, row->name);
	quote_csv_text(b, row->label);
	quote_csv_number(b, known, v->value);
	quote_csv_number(b, known, v->count);
	quote_csv_number(b, 1, v->enabled);
	quote_csv_number(b, 1, v->running);
	quote_csv_text(b, cpc_class_name(v->quality));
	quote_csv_text(b, row->note);
	put_seconds(b, l->time.typical, "");
	textbuf_char(b, ',');
	put_seconds(b, l->time.minimum, "");
	textbuf_char(b, ',');
	put_seconds(b, l->time.maximum, "");
	csv_last(b, r, row->mode);
}

static void csv(struct textbuf *b, const struct irix_report *r,
		const struct irix_line *line, const struct irix_stat *stat,
		unsigned nstats)
{
	for (unsigned i = 0; i < r->n; i++) {
		csv_scope(b, r);
		csv_event(b, r, &line[i]);
	}
	for (unsigned i = 0; i < nstats; i++) {
		csv_scope(b, r);
		textbuf_str(b, ",,");
		quote_csv_text(b, stat[i].label);
		textbuf_decimal(b, stat[i].value, 6, 0);
		textbuf_str(b, ",,,,statistic,,,,");
		csv_last(b, r, NULL);
	}
}

char *irix_report_title(const struct irix_report *r)
{
	struct textbuf b = {0};

	if (r->format == TEXT_CSV)
		textbuf_str(&b, csv_title);
	else if (r->format == TEXT_PLAIN && r->scope == IRIX_PERIOD)
		irix_text_periods(&b, r);
	return textbuf_end(&b);
}

char *irix_report(const struct irix_report *r)
{
	struct irix_stat stat[IRIX_NSTATS];
	struct textbuf b = {0};
	struct irix_line *line = lines_of(r);

	if (!line)
		return NULL;
	const unsigned nstats = irix_report_stats(r, stat);
	if (r->format == TEXT_CSV)
		csv(&b, r, line, stat, nstats);
	else
		irix_text(&b, r, line, stat, nstats);
	free(line);
	return textbuf_end(&b);
}
