#include "suite/row/json.h"

#include <string.h>

#include "base/quote.h"
#include "suite/row/csv.h"

/*
 * The record and the scope of rows of LWPs with these words; all other words are totals.
 */
static const struct word {
	const char *word, *record, *scope;
} words[] = {
	{"tick", "sample", "lwp"},	   {"exit", "total", "process"},
	{"lwp_exit", "total", "lwp"},	   {"lwp_create", "event", "lwp"},
	{"init_lwp", "event", "lwp"},	   {"fork", "event", "lwp"},
	{"statistic", "statistic", "lwp"}, {"rest", "total", "tree"},
};
static const struct word others = {"", "total", "lwp"};

/* A row of kind ROW_VALUES with the word "exec" has the totals of the old program. */
static const struct word executed[] = {
	[ROW_VALUES] = {"exec", "total", "process"},
	[ROW_EXEC] = {"exec", "event", "process"},
};

static const struct word *find_word(const struct row *row)
{
	if (strcmp(row->word, "exec") == 0)
		return &executed[row->kind == ROW_EXEC ? ROW_EXEC : ROW_VALUES];
	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i].word, row->word) == 0)
			return &words[i];
	return &others;
}

static void json_seconds(struct textbuf *b, const char *key, double s)
{
	quote_json_key(b, key);
	if (s < 0)
		textbuf_str(b, "null");
	else
		textbuf_decimal(b, s, 9, 0);
}

static void json_times(struct textbuf *b, const struct row_times *t)
{
	json_seconds(b, "typical_s", t->typical);
	json_seconds(b, "minimum_s", t->minimum);
	json_seconds(b, "maximum_s", t->maximum);
}

static void json_value(struct textbuf *b, const struct row *row, unsigned i)
{
	const struct row_set *set = row->set;
	const cpc_value_t *val = &row->value[i];
	const int known = val->quality != CPC_UNAVAILABLE;

	textbuf_char(b, '{');
	row_json_request(b, set, i);
	quote_json_number(b, "value", known, val->value);
	quote_json_number(b, "count", known, val->count);
	quote_json_number(b, "enabled_ns", 1, val->enabled);
	quote_json_number(b, "running_ns", 1, val->running);
	quote_json_text(b, "class", cpc_class_name(val->quality));
	quote_json_text(b, "note", set->note ? set->note[i] : NULL);
	if (row->times)
		json_times(b, &row->times[i]);
	textbuf_char(b, '}');
}

void row_json_request(struct textbuf *b, const struct row_set *set, unsigned i)
{
	quote_json_number(b, "pic", set->pic != NULL, set->pic ? set->pic[i] : 0);
	if (set->number)
		quote_json_number(b, "number", set->number[i] >= 0,
				  (uint64_t)set->number[i]);
	quote_json_text(b, "name", set->event[i]);
	quote_json_text(b, "mode", row_mode(set, i));
	quote_json_text(b, "unit", set->unit ? set->unit[i] : NULL);
}

static void json_values(struct textbuf *b, int tick, const struct row *row)
{
	quote_json_number(b, "set", 1, row->index);
	quote_json_number(b, "tsc", tick, row->tick);
	quote_json_key(b, "values");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < row->set->n; i++) {
		if (i)
			textbuf_char(b, ',');
		json_value(b, row, i);
	}
	textbuf_char(b, ']');
}

static void json_statistic(struct textbuf *b, const struct row_statistic *s)
{
	quote_json_text(b, "name", s->name);
	quote_json_key(b, "value");
	textbuf_decimal(b, s->value, 6, 0);
	quote_json_text(b, "unit", s->unit);
	quote_json_text(b, "class", cpc_class_name(s->quality));
	quote_json_key(b, "of");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < s->n; i++) {
		if (i)
			textbuf_char(b, ',');
		quote_json(b, s->of[i]);
	}
	textbuf_char(b, ']');
}

void row_json_begin(struct textbuf *b, const struct row_run *run, const char *record)
{
	textbuf_str(b, "{\"schema\":2,\"record\":\"");
	textbuf_str(b, record);
	textbuf_char(b, '"');
	quote_json_text(b, "run", run ? run->id : "");
}

void row_json_time(struct textbuf *b, const struct row_run *run, int64_t ns)
{
	quote_json_number(b, "time_ns", 1, (uint64_t)ns);
	quote_json_number(b, "unix_ns", 1, (uint64_t)((run ? run->unix_ns : 0) + ns));
}

static void json_lwp(struct textbuf *b, const struct row_style *style,
		     const struct row *row)
{
	const struct word *w = find_word(row);

	row_json_begin(b, style->run, w->record);
	row_json_time(b, style->run, row->ns);
	quote_json_text(b, "scope", row->tree ? "tree" : w->scope);
	quote_json_number(b, "pid", 1, (uint64_t)row->pid);
	quote_json_number(b, "lwp", row->lwp > 0, row->lwp);
	quote_json_number(b, "tid", row->tid > 0, (uint64_t)row->tid);
	if (row->kind != ROW_STATISTIC) /* which has a name of its own */
		quote_json_text(b, "name", row->name);
}

static void json_cpu(struct textbuf *b, const struct row_style *style,
		     const struct row *row)
{
	const int divided = row->kind != ROW_TOTAL && style->scope != ROW_CGROUPS;
	const int known = divided && row->id >= 0;

	row_json_begin(b, style->run, row->kind == ROW_TOTAL ? "total" : "sample");
	quote_json_number(b, "time_ns", 1, (uint64_t)row->ns);
	quote_json_number(b, "unix_ns", 1, (uint64_t)row->unix_ns);
	quote_json_text(b, "scope", row_scope_name(style, row));
	if (style->cgroups)
		quote_json_text(b, "id", row->cgroup);
	else
		quote_json_number(b, "id", known, (uint64_t)row->id);
	if (style->cgroups && divided)
		quote_json_number(b, row_division(style->scope), known,
				  (uint64_t)row->id);
	if (style->scope == ROW_CPUS && divided) {
		quote_json_number(b, "core", row->core >= 0, (uint64_t)row->core);
		quote_json_number(b, "socket", row->socket >= 0, (uint64_t)row->socket);
	}
	quote_json_number(b, "cpus", 1, row->cpus);
	if (row->kind != ROW_TOTAL)
		quote_json_number(b, "interval", 1, row->interval);
}

/* Counts can exceed INT64_MAX, the largest integer of many libraries for JSON. */
void row_json(struct textbuf *b, const struct row_style *style, const struct row *row)
{
	if (style->scope == ROW_LWPS)
		json_lwp(b, style, row);
	else
		json_cpu(b, style, row);
	if (row->kind != ROW_STATISTIC)
		quote_json_text(b, "what", row->word);
	switch (row->kind) {
	case ROW_VALUES:
	case ROW_TOTAL:
		json_values(b, style->tick, row);
		break;
	case ROW_FORK:
		quote_json_number(b, "child", 1, (uint64_t)row->child);
		break;
	case ROW_EXEC:
		quote_json_text(b, "command", row->cmd);
		break;
	case ROW_STATISTIC:
		json_statistic(b, row->statistic);
		break;
	}
	textbuf_str(b, "}\n");
}
