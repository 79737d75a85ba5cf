#include "row_csv.h"

#include <string.h>

static const char title[] = "time_s,pid,lwp,tid,event,set,tick,pic,name,value,count,"
			    "enabled_ns,running_ns,class,note,child,command\n";

void row_csv_title(struct rowbuf *b)
{
	rowbuf_str(b, title);
}

/* Source: RFC 4180, 2, rules 5 to 7 */
void row_csv_quoted(struct rowbuf *b, const char *s)
{
	const int quoted = s[strcspn(s, ",\"\r\n")] != '\0';

	if (quoted)
		rowbuf_char(b, '"');
	while (*s) {
		if (*s == '"')
			rowbuf_char(b, '"');
		s += rowbuf_utf8(b, s);
	}
	if (quoted)
		rowbuf_char(b, '"');
}

/* A column and the comma after it; empty if there is no number. */
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

/* The columns time_s to event. */
static void csv_who(struct rowbuf *b, const struct row *row)
{
	rowbuf_fixed(b, (uint64_t)row->ns, 9, 0);
	rowbuf_char(b, ',');
	csv_num(b, 1, (uint64_t)row->pid);
	csv_num(b, 1, row->lwp);
	csv_num(b, row->tid > 0, (uint64_t)row->tid);
	csv_str(b, row->word);
}

/* The columns pic to note. */
static void csv_value(struct rowbuf *b, const struct row_set *set, unsigned i,
		      const cpc_value_t *val)
{
	const int known = val->quality != CPC_UNAVAILABLE;

	csv_num(b, 1, set->pic[i]);
	csv_str(b, set->event[i]);
	csv_num(b, known, val->value);
	csv_num(b, known, val->count);
	csv_num(b, 1, val->enabled);
	csv_num(b, 1, val->running);
	csv_str(b, cpc_class_name(val->quality));
	csv_str(b, set->note ? set->note[i] : NULL);
}

/* Long form: a line a value, so that the columns do not depend on the set. */
static void csv_values(struct rowbuf *b, int tick, const struct row *row)
{
	unsigned i = 0;
	do {
		csv_who(b, row);
		csv_num(b, 1, row->index);
		csv_num(b, tick, row->tick);
		if (i < row->set->n)
			csv_value(b, row->set, i, &row->value[i]);
		else
			rowbuf_str(b, ",,,,,,,,");
		rowbuf_str(b, ",\n");
	} while (++i < row->set->n);
}

void row_csv(struct rowbuf *b, const struct row_style *style, const struct row *row)
{
	if (row->kind == ROW_VALUES) {
		csv_values(b, style->tick, row);
		return;
	}
	csv_who(b, row);
	rowbuf_str(b, ",,,,,,,,,,");
	csv_num(b, row->kind == ROW_FORK, (uint64_t)row->child);
	row_csv_quoted(b, row->kind == ROW_EXEC && row->cmd ? row->cmd : "");
	rowbuf_char(b, '\n');
}
