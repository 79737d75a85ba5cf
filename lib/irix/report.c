#include "irix/perfex.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "irix/stats.h"
#include "irix/text.h"
#include "suite/row/csv.h"
#include "suite/row/json.h"

/* Source: the columns of perfex_report.h */
static const char csv_title[] =
	"time_s,scope,pid,tid,number,name,label,value,count,enabled_ns,running_ns,class,"
	"note,typical_s,minimum_s,maximum_s\n";

static const char *const scope_name[] = {
	[PERFEX_TOTAL] = "total", [PERFEX_THREAD] = "thread", [PERFEX_PERIOD] = "period"};

/* More than three centuries: costs, or a clock, that make no sense. */
static const double too_long_s = 1e10;

/* Of the row's costs, in seconds; -1: not known. */
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

static void take_times(struct perfex_line *l, const struct costs *costs)
{
	l->typical = l->minimum = l->maximum = -1;
	if (!costs || l->row->number < 0)
		return;
	const struct cost *c = &costs->cost[l->row->number];
	l->typical = seconds(costs, &l->row->value, c->typical);
	l->minimum = seconds(costs, &l->row->value, c->minimum);
	l->maximum = seconds(costs, &l->row->value, c->maximum);
}

/* Most time first, then as they are, which is by number. */
static int by_time(const void *a, const void *b)
{
	const struct perfex_line *x = a, *y = b;

	if (x->typical != y->typical)
		return x->typical < y->typical ? 1 : -1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* The lines of a report, malloc'ed, in the order in which they are shown. NULL: ENOMEM. */
static struct perfex_line *lines_of(const struct perfex_report *r)
{
	struct perfex_line *line = calloc(r->n + 1, sizeof *line);

	for (unsigned i = 0; line && i < r->n; i++) {
		line[i].row = &r->row[i];
		take_times(&line[i], r->costs);
	}
	if (line && r->costs)
		qsort(line, r->n, sizeof *line, by_time);
	return line;
}

static unsigned stats_of(const struct perfex_report *r, struct perfex_stat *stat)
{
	struct perfex_counts counts = {0};

	if (!r->costs)
		return 0;
	for (unsigned i = 0; i < r->n; i++)
		if (r->row[i].number >= 0 && r->row[i].value.quality != CPC_UNAVAILABLE) {
			counts.known |= UINT32_C(1) << r->row[i].number;
			counts.value[r->row[i].number] = r->row[i].value.value;
		}
	return perfex_stats(r->costs, &counts, stat);
}

/* Nothing if it is negative, which is how what is not known is kept. */
static void put_seconds(struct rowbuf *b, double s, const char *none)
{
	if (s >= 0)
		perfex_decimal(b, s, 9, 0);
	else
		rowbuf_str(b, none);
}

static void csv_who(struct rowbuf *b, const struct perfex_report *r)
{
	rowbuf_fixed(b, (uint64_t)r->ns, 9, 0);
	rowbuf_char(b, ',');
	rowbuf_str(b, scope_name[r->scope]);
	rowbuf_char(b, ',');
	rowbuf_num(b, (uint64_t)r->pid, 0);
	rowbuf_char(b, ',');
	if (r->tid)
		rowbuf_num(b, (uint64_t)r->tid, 0);
	rowbuf_char(b, ',');
}

static void csv_num(struct rowbuf *b, int known, uint64_t v)
{
	if (known)
		rowbuf_num(b, v, 0);
	rowbuf_char(b, ',');
}

static void csv_str(struct rowbuf *b, const char *s)
{
	row_csv_quoted(b, s ? s : "");
	rowbuf_char(b, ',');
}

static void csv_event(struct rowbuf *b, const struct perfex_line *l)
{
	const struct perfex_row *row = l->row;
	const cpc_value_t *v = &row->value;
	const int known = v->quality != CPC_UNAVAILABLE;

	csv_num(b, row->number >= 0, (uint64_t)row->number);
	csv_str(b, row->name);
	csv_str(b, row->label);
	csv_num(b, known, v->value);
	csv_num(b, known, v->count);
	csv_num(b, 1, v->enabled);
	csv_num(b, 1, v->running);
	csv_str(b, cpc_class_name(v->quality));
	csv_str(b, row->note);
	put_seconds(b, l->typical, "");
	rowbuf_char(b, ',');
	put_seconds(b, l->minimum, "");
	rowbuf_char(b, ',');
	put_seconds(b, l->maximum, "");
	rowbuf_char(b, '\n');
}

static void csv(struct rowbuf *b, const struct perfex_report *r,
		const struct perfex_line *line, const struct perfex_stat *stat,
		unsigned nstats)
{
	for (unsigned i = 0; i < r->n; i++) {
		csv_who(b, r);
		csv_event(b, &line[i]);
	}
	for (unsigned i = 0; i < nstats; i++) {
		csv_who(b, r);
		rowbuf_str(b, ",,");
		csv_str(b, stat[i].label);
		perfex_decimal(b, stat[i].value, 6, 0);
		rowbuf_str(b, ",,,,statistic,,,,\n");
	}
}

static void json_key(struct rowbuf *b, const char *key)
{
	rowbuf_str(b, ",\"");
	rowbuf_str(b, key);
	rowbuf_str(b, "\":");
}

static void json_num(struct rowbuf *b, const char *key, int known, uint64_t v)
{
	json_key(b, key);
	if (known)
		rowbuf_num(b, v, 0);
	else
		rowbuf_str(b, "null");
}

static void json_str(struct rowbuf *b, const char *key, const char *s)
{
	json_key(b, key);
	row_json_quoted(b, s);
}

static void json_seconds(struct rowbuf *b, const char *key, double s)
{
	json_key(b, key);
	put_seconds(b, s, "null");
}

static void json_event(struct rowbuf *b, const struct perfex_line *l)
{
	const struct perfex_row *row = l->row;
	const cpc_value_t *v = &row->value;
	const int known = v->quality != CPC_UNAVAILABLE;

	rowbuf_str(b, "{\"number\":");
	if (row->number >= 0)
		rowbuf_num(b, (uint64_t)row->number, 0);
	else
		rowbuf_str(b, "null");
	json_str(b, "name", row->name);
	json_str(b, "label", row->label);
	json_num(b, "value", known, v->value);
	json_num(b, "count", known, v->count);
	json_num(b, "enabled_ns", 1, v->enabled);
	json_num(b, "running_ns", 1, v->running);
	json_str(b, "class", cpc_class_name(v->quality));
	json_str(b, "note", row->note);
	json_seconds(b, "typical_s", l->typical);
	json_seconds(b, "minimum_s", l->minimum);
	json_seconds(b, "maximum_s", l->maximum);
	rowbuf_char(b, '}');
}

static void json(struct rowbuf *b, const struct perfex_report *r,
		 const struct perfex_line *line, const struct perfex_stat *stat,
		 unsigned nstats)
{
	rowbuf_str(b, "{\"schema\":1");
	json_num(b, "time_ns", 1, (uint64_t)r->ns);
	json_str(b, "scope", scope_name[r->scope]);
	json_num(b, "pid", 1, (uint64_t)r->pid);
	json_num(b, "tid", r->tid != 0, (uint64_t)r->tid);
	json_str(b, "command", r->command);
	json_key(b, "events");
	rowbuf_char(b, '[');
	for (unsigned i = 0; i < r->n; i++) {
		if (i)
			rowbuf_char(b, ',');
		json_event(b, &line[i]);
	}
	rowbuf_char(b, ']');
	json_key(b, "statistics");
	rowbuf_char(b, '[');
	for (unsigned i = 0; i < nstats; i++) {
		rowbuf_str(b, i ? ",{\"label\":" : "{\"label\":");
		row_json_quoted(b, stat[i].label);
		json_key(b, "value");
		perfex_decimal(b, stat[i].value, 6, 0);
		rowbuf_char(b, '}');
	}
	rowbuf_str(b, "]}\n");
}

char *perfex_report_title(const struct perfex_report *r)
{
	struct rowbuf b = {0};

	if (r->format == ROW_CSV)
		rowbuf_str(&b, csv_title);
	else if (r->format == ROW_TEXT && r->scope == PERFEX_PERIOD)
		perfex_text_periods(&b, r);
	return rowbuf_end(&b);
}

char *perfex_report(const struct perfex_report *r)
{
	struct perfex_stat stat[PERFEX_NSTATS];
	struct rowbuf b = {0};
	struct perfex_line *line = lines_of(r);

	if (!line)
		return NULL;
	const unsigned nstats = stats_of(r, stat);
	switch (r->format) {
	case ROW_TEXT:
		perfex_text(&b, r, line, stat, nstats);
		break;
	case ROW_CSV:
		csv(&b, r, line, stat, nstats);
		break;
	case ROW_JSON:
		json(&b, r, line, stat, nstats);
		break;
	}
	free(line);
	return rowbuf_end(&b);
}
