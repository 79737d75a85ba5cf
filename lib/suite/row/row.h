/*
 * Rows: a sample as a line of text, CSV or JSON. Every line that cputrack and cpustat
 * print of a measurement is made here. Numbers, decimal points and dates do not follow the
 * locale.
 *
 * Text is byte for byte what Solaris' cputrack(1) and cpustat(1M) print. Ours: a value or
 * an id that there is none of is "-", and control characters of a command line or
 * specification are "?". Rows of cores, sockets and bins have these in place of the CPU,
 * under "COR", "SOC" and "BIN", and how many CPUs they are of behind the values, under
 * "sze", as Solaris' mpstat(1M) has them.
 *
 * CSV and JSON carry what the text has no room for (thread ids, times, classes). Bytes
 * that are not UTF-8 become U+FFFD in both. Where there is no number (a value or count
 * that is unavailable, an id that is not known, cycles without the tick column) CSV has an
 * empty field and JSON null.
 *
 * CSV has a header and columns that the options do not change, quoted as in RFC 4180, with
 * lines ended by "\n". Of LWPs:
 *     time_s (9 decimals), pid, lwp, tid, event, set, tick, pic, name, value, count,
 *     enabled_ns, running_ns, class, note, child, command
 * of CPUs and what they are merged into:
 *     time_s, unix_s (9 decimals both), event, scope (cpu, core, socket, bin; all), id,
 *     cpus, set, tick, pic, name, value, count, enabled_ns, running_ns, class, note
 * There is a line for each value of a set, or one with empty fields for an empty set.
 * Lines of a fork, or of an exec's new command, have the fields from set to note empty.
 * A total has the scope "all" and no id.
 *
 * JSON is one object a line and has no header. Of LWPs, and of CPUs:
 *     {"schema":1,"time_ns":,"pid":,"lwp":,"tid":,"event":, then one of the three below
 *     {"schema":1,"time_ns":,"unix_ns":,"event":,"scope":,"id":,"cpus":, then the first
 *      "set":,"spec":,"tsc":,"values":[{"name":,"pic":,"value":,"count":,"enabled_ns":,
 *                                       "running_ns":,"class":,"note":},...]}
 *      "child":}
 *      "command":}
 * Counts are integers up to 2^64-1; spec, note and command can be null.
 */
#ifndef SUITE_ROW_ROW_H
#define SUITE_ROW_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>
#include "base/text.h"

/* A set as rows show it. */
struct row_set {
	const char *spec;	  /* as typed */
	unsigned n;		  /* requests */
	const char *const *event; /* n names */
	const unsigned *pic;	  /* n counter numbers */
	const char *const *note;  /* n texts or NULLs: how it is counted, if not as asked;
				     or NULL: no notes */
};

/* What a row is of. */
enum row_scope { ROW_LWPS, ROW_CPUS, ROW_CORES, ROW_SOCKETS, ROW_BINS };

/* A line of its own before each row of text that is of an interval: when, by the clock. */
enum row_stamp {
	ROW_STAMP_NONE,
	ROW_STAMP_UNIX, /* seconds since 1970 */
	ROW_STAMP_DATE	/* as date(1) has it in the C locale; local time (tzset(3)) */
};

/* How rows are laid out, the same for a whole run. */
struct row_style {
	enum text_format format;
	enum row_scope scope;
	int pid;	      /* text: show the pid column (-f); ROW_LWPS */
	int tick;	      /* show the tick column (-t) */
	int nsets;	      /* more than one: text rows end with " # SPEC" */
	enum row_stamp stamp; /* text (-T); not ROW_LWPS */
};

/* What a row says. */
enum row_kind {
	ROW_VALUES, /* a word and the values of a set */
	ROW_FORK,   /* "fork", and the child's pid; ROW_LWPS */
	ROW_EXEC,   /* "exec", and the new command line; ROW_LWPS */
	ROW_TOTAL   /* "total", and the values of a set; not ROW_LWPS */
};

struct row {
	enum row_kind kind;
	int64_t ns; /* since the run began, not negative */
	/* ROW_LWPS */
	pid_t pid, tid; /* tid: not positive if not known */
	id_t lwp;
	/* any other scope */
	int id; /* of the CPU, core, socket or bin; -1: not known. ROW_TOTAL: unused */
	unsigned cpus;	  /* how many the values are of */
	int64_t unix_ns;  /* since 1970, not negative */
	const char *word; /* "tick", "lwp_exit", ...; ROW_VALUES */
	uint64_t tick;
	unsigned index;		   /* of the set, from 0 */
	const struct row_set *set; /* NULL: as a set of no requests */
	const cpc_value_t *value;  /* set->n values */
	pid_t child;		   /* ROW_FORK */
	const char *cmd;	   /* ROW_EXEC; NULL: unknown */
};

/*
 * Each returns a malloc'ed string that ends with a newline (or "" where the format has no
 * such line), or NULL with ENOMEM. The caller frees it. A row can be several lines: of CSV,
 * or with its stamp.
 * first: the set whose counters a title of text names; NULL: as a set of no requests.
 */
char *row_title(const struct row_style *style, const struct row_set *first);
char *row_line(const struct row_style *style, const struct row *row);

#endif
