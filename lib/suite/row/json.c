#include "suite/row/json.h"

#include "base/quote.h"
#include "suite/row/csv.h"

static void json_value(struct textbuf *b, const struct row_set *set, unsigned i,
		       const cpc_value_t *val)
{
	const int known = val->quality != CPC_UNAVAILABLE;

	textbuf_char(b, '{');
	quote_json_text(b, "name", set->event[i]);
	quote_json_number(b, "pic", 1, set->pic[i]);
	quote_json_number(b, "value", known, val->value);
	quote_json_number(b, "count", known, val->count);
	quote_json_number(b, "enabled_ns", 1, val->enabled);
	quote_json_number(b, "running_ns", 1, val->running);
	quote_json_text(b, "class", cpc_class_name(val->quality));
	quote_json_text(b, "note", set->note ? set->note[i] : NULL);
	textbuf_char(b, '}');
}

static void json_values(struct textbuf *b, int tick, const struct row *row)
{
	quote_json_number(b, "set", 1, row->index);
	quote_json_text(b, "spec", row->set->spec);
	quote_json_number(b, "tsc", tick, row->tick);
	quote_json_key(b, "values");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < row->set->n; i++) {
		if (i)
			textbuf_char(b, ',');
		json_value(b, row->set, i, &row->value[i]);
	}
	textbuf_char(b, ']');
}

static void json_lwp(struct textbuf *b, const struct row *row)
{
	quote_json_number(b, "pid", 1, (uint64_t)row->pid);
	quote_json_number(b, "lwp", 1, row->lwp);
	quote_json_number(b, "tid", row->tid > 0, (uint64_t)row->tid);
	quote_json_text(b, "event", row->word);
}

static void json_cpu(struct textbuf *b, const struct row_style *style,
		     const struct row *row)
{
	const int known = row->kind != ROW_TOTAL && row->id >= 0;

	quote_json_number(b, "unix_ns", 1, (uint64_t)row->unix_ns);
	quote_json_text(b, "event", row->word);
	quote_json_text(b, "scope", row_scope_name(style, row));
	quote_json_number(b, "id", known, (uint64_t)row->id);
	quote_json_number(b, "cpus", 1, row->cpus);
}

/* jansson cannot write these rows: counts can exceed INT64_MAX, its largest integer. */
void row_json(struct textbuf *b, const struct row_style *style, const struct row *row)
{
	textbuf_str(b, "{\"schema\":1");
	quote_json_number(b, "time_ns", 1, (uint64_t)row->ns);
	if (style->scope == ROW_LWPS)
		json_lwp(b, row);
	else
		json_cpu(b, style, row);
	switch (row->kind) {
	case ROW_VALUES:
	case ROW_TOTAL:
		json_values(b, style->tick, row);
		if (row->provisional) {
			quote_json_key(b, "provisional");
			textbuf_str(b, "true");
		}
		break;
	case ROW_FORK:
		quote_json_number(b, "child", 1, (uint64_t)row->child);
		break;
	case ROW_EXEC:
		quote_json_text(b, "command", row->cmd);
		break;
	}
	textbuf_str(b, "}\n");
}
