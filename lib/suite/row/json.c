#include "suite/row/json.h"

#include "suite/row/scope.h"

/* Source: RFC 8259, 7 */
void row_json_quoted(struct rowbuf *b, const char *s)
{
	static const char hex[] = "0123456789abcdef";

	if (!s) {
		rowbuf_str(b, "null");
		return;
	}
	rowbuf_char(b, '"');
	while (*s) {
		const unsigned char c = (unsigned char)*s;
		if (c < 0x20) {
			rowbuf_str(b, "\\u00");
			rowbuf_char(b, hex[c >> 4]);
			rowbuf_char(b, hex[c & 15]);
			s++;
			continue;
		}
		if (c == '"' || c == '\\')
			rowbuf_char(b, '\\');
		s += rowbuf_utf8(b, s);
	}
	rowbuf_char(b, '"');
}

static void json_key(struct rowbuf *b, const char *key)
{
	rowbuf_str(b, ",\"");
	rowbuf_str(b, key);
	rowbuf_str(b, "\":");
}

static void json_str(struct rowbuf *b, const char *key, const char *s)
{
	json_key(b, key);
	row_json_quoted(b, s);
}

static void json_num(struct rowbuf *b, const char *key, uint64_t v)
{
	json_key(b, key);
	rowbuf_num(b, v, 0);
}

static void json_num_if(struct rowbuf *b, int known, const char *key, uint64_t v)
{
	json_key(b, key);
	if (known)
		rowbuf_num(b, v, 0);
	else
		rowbuf_str(b, "null");
}

static void json_value(struct rowbuf *b, const struct row_set *set, unsigned i,
		       const cpc_value_t *val)
{
	const int known = val->quality != CPC_UNAVAILABLE;

	rowbuf_str(b, "{\"name\":");
	row_json_quoted(b, set->event[i]);
	json_num(b, "pic", set->pic[i]);
	json_num_if(b, known, "value", val->value);
	json_num_if(b, known, "count", val->count);
	json_num(b, "enabled_ns", val->enabled);
	json_num(b, "running_ns", val->running);
	json_str(b, "class", cpc_class_name(val->quality));
	json_str(b, "note", set->note ? set->note[i] : NULL);
	rowbuf_char(b, '}');
}

static void json_values(struct rowbuf *b, int tick, const struct row *row)
{
	json_num(b, "set", row->index);
	json_str(b, "spec", row->set->spec);
	json_num_if(b, tick, "tsc", row->tick);
	json_key(b, "values");
	rowbuf_char(b, '[');
	for (unsigned i = 0; i < row->set->n; i++) {
		if (i)
			rowbuf_char(b, ',');
		json_value(b, row->set, i, &row->value[i]);
	}
	rowbuf_char(b, ']');
}

static void json_lwp(struct rowbuf *b, const struct row *row)
{
	json_num(b, "pid", (uint64_t)row->pid);
	json_num(b, "lwp", row->lwp);
	json_num_if(b, row->tid > 0, "tid", (uint64_t)row->tid);
	json_str(b, "event", row->word);
}

static void json_cpu(struct rowbuf *b, const struct row_style *style,
		     const struct row *row)
{
	const int known = row->kind != ROW_TOTAL && row->id >= 0;

	json_num(b, "unix_ns", (uint64_t)row->unix_ns);
	json_str(b, "event", row->word);
	json_str(b, "scope", row_scope_name(style, row));
	json_num_if(b, known, "id", (uint64_t)row->id);
	json_num(b, "cpus", row->cpus);
}

/* Written here, not with jansson: its integers end at INT64_MAX, and counts do not. */
void row_json(struct rowbuf *b, const struct row_style *style, const struct row *row)
{
	rowbuf_str(b, "{\"schema\":1");
	json_num(b, "time_ns", (uint64_t)row->ns);
	if (style->scope == ROW_LWPS)
		json_lwp(b, row);
	else
		json_cpu(b, style, row);
	switch (row->kind) {
	case ROW_VALUES:
	case ROW_TOTAL:
		json_values(b, style->tick, row);
		break;
	case ROW_FORK:
		json_num(b, "child", (uint64_t)row->child);
		break;
	case ROW_EXEC:
		json_str(b, "command", row->cmd);
		break;
	}
	rowbuf_str(b, "}\n");
}
