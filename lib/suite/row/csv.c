#include "suite/row/csv.h"

#include <string.h>

#include "suite/row/scope.h"

/* What both have in the middle. */
#define VALUES "set,tick,pic,name,value,count,enabled_ns,running_ns,class,note"

static const char lwp_title[] = "time_s,pid,lwp,tid,event," VALUES ",child,command\n";
static const char cpu_title[] = "time_s,unix_s,event,scope,id,cpus," VALUES "\n";

void row_csv_title(struct rowbuf *b, const struct row_style *style)
{
	rowbuf_str(b, style->scope == ROW_LWPS ? lwp_title : cpu_title);
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

static void csv_time(struct rowbuf *b, int64_t ns)
{
	rowbuf_fixed(b, (uint64_t)ns, 9, 0);
	rowbuf_char(b, ',');
}

static void csv_lwp(struct rowbuf *b, const struct row *row)
{
	csv_time(b, row->ns);
	csv_num(b, 1, (uint64_t)row->pid);
	csv_num(b, 1, row->lwp);
	csv_num(b, row->tid > 0, (uint64_t)row->tid);
	csv_str(b, row->word);
}

static void csv_cpu(struct rowbuf *b, const struct row_style *style,
		    const struct row *row)
{
	csv_time(b, row->ns);
	csv_time(b, row->unix_ns);
	csv_str(b, row->word);
	csv_str(b, row_scope_name(style, row));
	csv_num(b, row->kind != ROW_TOTAL && row->id >= 0, (uint64_t)row->id);
	csv_num(b, 1, row->cpus);
}

/* The columns before set. */
static void csv_who(struct rowbuf *b, const struct row_style *style,
		    const struct row *row)
{
	if (style->scope == ROW_LWPS)
		csv_lwp(b, row);
	else
		csv_cpu(b, style, row);
}

/* The columns pic to note, which no comma follows. */
static void csv_value(struct rowbuf *b, const struct row_set *set, unsigned i,
		      const cpc_value_t *val)
{
	const int known = val->quality != CPC_UNAVAILABLE;
	const char *note = set->note ? set->note[i] : NULL;

	csv_num(b, 1, set->pic[i]);
	csv_str(b, set->event[i]);
	csv_num(b, known, val->value);
	csv_num(b, known, val->count);
	csv_num(b, 1, val->enabled);
	csv_num(b, 1, val->running);
	csv_str(b, cpc_class_name(val->quality));
	row_csv_quoted(b, note ? note : "");
}

/* Long form: a line a value, so that the columns do not depend on the set. */
static void csv_values(struct rowbuf *b, const struct row_style *style,
		       const struct row *row)
{
	unsigned i = 0;
	do {
		csv_who(b, style, row);
		csv_num(b, 1, row->index);
		csv_num(b, style->tick, row->tick);
		if (i < row->set->n)
			csv_value(b, row->set, i, &row->value[i]);
		else
			rowbuf_str(b, ",,,,,,,");
		rowbuf_str(b, style->scope == ROW_LWPS ? ",,\n" : "\n");
	} while (++i < row->set->n);
}

void row_csv(struct rowbuf *b, const struct row_style *style, const struct row *row)
{
	if (row->kind == ROW_VALUES || row->kind == ROW_TOTAL) {
		csv_values(b, style, row);
		return;
	}
	csv_who(b, style, row);
	rowbuf_str(b, ",,,,,,,,,,");
	csv_num(b, row->kind == ROW_FORK, (uint64_t)row->child);
	row_csv_quoted(b, row->kind == ROW_EXEC && row->cmd ? row->cmd : "");
	rowbuf_char(b, '\n');
}
