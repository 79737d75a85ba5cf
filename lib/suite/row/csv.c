#include "suite/row/csv.h"

#include <string.h>

#include "base/quote.h"

/* The columns that rows of LWPs and of CPUs have in common. */
#define VALUES "set,tick,pic,name,value,count,enabled_ns,running_ns,class,note"
#define LAST   ",host,rank,mode"

static const char lwp_title[] =
	"time_s,pid,lwp,tid,event," VALUES ",child,command" LAST ",thread\n";
#define CPUS "time_s,unix_s,event,scope,id,cpus," VALUES LAST
static const char cpu_title[] = CPUS "\n";
static const char cgroup_title[] = CPUS ",cpu,core,socket\n";

const char *row_mode(const struct row_set *set, unsigned i)
{
	const char *mode = set->mode ? set->mode[i] : NULL;

	return mode && !*mode ? "none" : mode;
}

void row_csv_title(struct textbuf *b, const struct row_style *style)
{
	textbuf_str(b, style->scope == ROW_LWPS ? lwp_title
		       : style->cgroups		? cgroup_title
						: cpu_title);
}

static void csv_time(struct textbuf *b, int64_t ns)
{
	textbuf_fixed(b, (uint64_t)ns, 9, 0);
	textbuf_char(b, ',');
}

static void csv_lwp(struct textbuf *b, const struct row *row)
{
	csv_time(b, row->ns);
	quote_csv_number(b, 1, (uint64_t)row->pid);
	quote_csv_number(b, 1, row->lwp);
	quote_csv_number(b, row->tid > 0, (uint64_t)row->tid);
	quote_csv_text(b, row->word);
}

static void csv_cpu(struct textbuf *b, const struct row_style *style,
		    const struct row *row)
{
	csv_time(b, row->ns);
	csv_time(b, row->unix_ns);
	quote_csv_text(b, row->word);
	quote_csv_text(b, row_scope_name(style, row));
	if (style->cgroups)
		quote_csv_text(b, row->cgroup);
	else
		quote_csv_number(b, row->kind != ROW_TOTAL && row->id >= 0,
				 (uint64_t)row->id);
	quote_csv_number(b, 1, row->cpus);
}

/* Append the columns before "set". */
static void csv_source(struct textbuf *b, const struct row_style *style,
		       const struct row *row)
{
	if (style->scope == ROW_LWPS)
		csv_lwp(b, row);
	else
		csv_cpu(b, style, row);
}

/* Append the columns "pic" to "note", without a comma at the end. */
static void csv_value(struct textbuf *b, const struct row_set *set, unsigned i,
		      const cpc_value_t *val)
{
	const int known = val->quality != CPC_UNAVAILABLE;
	const char *note = set->note ? set->note[i] : NULL;

	quote_csv_number(b, set->pic != NULL, set->pic ? set->pic[i] : 0);
	quote_csv_text(b, set->event[i]);
	quote_csv_number(b, known, val->value);
	quote_csv_number(b, known, val->count);
	quote_csv_number(b, 1, val->enabled);
	quote_csv_number(b, 1, val->running);
	quote_csv_text(b, cpc_class_name(val->quality));
	quote_csv(b, note ? note : "");
}

/* Append the columns cpu, core and socket, of which the scope's has the id. */
static void csv_division(struct textbuf *b, const struct row_style *style,
			 const struct row *row)
{
	for (enum row_scope s = ROW_CPUS; s <= ROW_SOCKETS; s++) {
		textbuf_char(b, ',');
		if (s == style->scope && row->kind != ROW_TOTAL && row->id >= 0)
			textbuf_num(b, (uint64_t)row->id, 0);
	}
}

/* Append the columns from host on. */
static void csv_last(struct textbuf *b, const struct row_style *style,
		     const struct row *row, const char *mode)
{
	textbuf_char(b, ',');
	quote_csv_text(b, style->run ? style->run->host : NULL);
	quote_csv_text(b, style->run ? style->run->rank : NULL);
	quote_csv(b, mode ? mode : "");
	if (style->scope == ROW_LWPS) {
		textbuf_char(b, ',');
		quote_csv(b, row->name ? row->name : "");
	}
	if (style->cgroups)
		csv_division(b, style, row);
	textbuf_char(b, '\n');
}

/* Append n bytes of the text itself. */
static void put_again(struct textbuf *b, size_t at, size_t n)
{
	char *p = textbuf_room(b, n);

	if (p)
		memcpy(p, b->s + at, n);
}

/* Append a line for each value, so that the columns do not depend on the set. */
static void csv_values(struct textbuf *b, const struct row_style *style,
		       const struct row *row)
{
	const size_t begin = b->len;
	unsigned i = 0;

	csv_source(b, style, row);
	quote_csv_number(b, 1, row->index);
	quote_csv_number(b, style->tick, row->tick);
	const size_t n = b->len - begin;
	do {
		if (i > 0)
			put_again(b, begin, n);
		if (i < row->set->n)
			csv_value(b, row->set, i, &row->value[i]);
		else
			textbuf_str(b, ",,,,,,,");
		if (style->scope == ROW_LWPS)
			textbuf_str(b, ",,");
		csv_last(b, style, row, row->set->n ? row_mode(row->set, i) : NULL);
	} while (++i < row->set->n);
}

void row_csv(struct textbuf *b, const struct row_style *style, const struct row *row)
{
	if (row->kind == ROW_VALUES || row->kind == ROW_TOTAL) {
		csv_values(b, style, row);
		return;
	}
	csv_source(b, style, row);
	textbuf_str(b, ",,,,,,,,,,");
	quote_csv_number(b, row->kind == ROW_FORK, (uint64_t)row->child);
	quote_csv(b, row->kind == ROW_EXEC && row->cmd ? row->cmd : "");
	csv_last(b, style, row, NULL);
}

const char *row_division(enum row_scope scope)
{
	static const char *const names[] = {
		[ROW_CPUS] = "cpu",
		[ROW_CORES] = "core",
		[ROW_SOCKETS] = "socket",
		[ROW_BINS] = "bin",
	};

	return names[scope];
}

const char *row_scope_name(const struct row_style *style, const struct row *row)
{
	if (style->cgroups)
		return "cgroup";
	return row->kind == ROW_TOTAL ? "all" : row_division(style->scope);
}
