/*
 * Rows: a sample as a line of text, CSV or JSON. All lines of measurements that cputrack and
 * cpustat print are made here. The locale has no effect.
 *
 * Text is byte for byte what Solaris' cputrack(1) and cpustat(1M) print, except: an
 * unavailable value or unknown id is "-"; in a command line or specification each control
 * character, and each byte that is not UTF-8, is "?". Rows of cores, sockets and bins have
 * their id in place of the CPU under "COR", "SOC" or "BIN", and the number of their CPUs
 * after the values under "sze", as in Solaris' mpstat(1M).
 *
 * CSV and JSON contain more than text (thread ids, times, classes). Bytes that are not UTF-8
 * become U+FFFD; a control character is "?" in CSV and an escape such as "\u001b" in JSON.
 * An unavailable value or count, an unknown id and a tick that was not requested are an
 * empty field in CSV and null in JSON.
 *
 * CSV has a header, and the options do not change its columns. Fields are quoted as in
 * RFC 4180; lines end with "\n". The columns of rows of LWPs are
 *     time_s (9 decimals), pid, lwp, tid, event, set, tick, pic, name, value, count,
 *     enabled_ns, running_ns, class, note, child, command
 * and the columns of rows of CPUs, cores, sockets and bins are
 *     time_s, unix_s (9 decimals both), event, scope (cpu, core, socket, bin; all), id,
 *     cpus, set, tick, pic, name, value, count, enabled_ns, running_ns, class, note
 * There is a line for each value of a set, and a line with empty fields for an empty set. In
 * the line of a fork or exec the fields from set to note are empty. A total has the scope
 * "all" and no id.
 *
 * JSON has one object in each line and no header. Here the first line is the beginning of rows
 * of LWPs, the second that of rows of CPUs; then comes one of the three endings, of which rows
 * of CPUs have only the first:
 *     {"schema":1,"time_ns":,"pid":,"lwp":,"tid":,"event":,
 *     {"schema":1,"time_ns":,"unix_ns":,"event":,"scope":,"id":,"cpus":,
 *      "set":,"spec":,"tsc":,"values":[{"name":,"pic":,"value":,"count":,"enabled_ns":,
 *                                       "running_ns":,"class":,"note":},...]}
 *      "child":}
 *      "command":}
 * Counts are integers up to 2^64-1; spec, note and command can be null. The values of a
 * provisional row end with "provisional":true.
 */
#ifndef SUITE_ROW_ROW_H
#define SUITE_ROW_ROW_H

#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>
#include "base/text.h"

/* How rows show a set. */
struct row_set {
	const char *spec;	  /* the specification as it was typed */
	unsigned n;		  /* number of requests */
	const char *const *event; /* n names */
	const unsigned *pic;	  /* n counter numbers */
	/* n texts that say how an event is counted instead, or NULLs; or NULL: no notes */
	const char *const *note;
	/*
	 * n words for the modes in which the events are counted: "user", "sys", "user+sys",
	 * or "" for none; or NULL: not known
	 */
	const char *const *mode;
	/* n texts of the attributes ("cmask=2,inv=1"), "" for none; or NULL: not known */
	const char *const *attrs;
};

/* The kind of thing that the rows of a run count. */
enum row_scope { ROW_LWPS, ROW_CPUS, ROW_CORES, ROW_SOCKETS, ROW_BINS };

/* The time stamp in a line of its own before each row of text, except totals. */
enum row_stamp {
	ROW_STAMP_NONE,
	ROW_STAMP_UNIX, /* seconds since 1970 */
	ROW_STAMP_DATE	/* as of date(1) in the C locale; local time (tzset(3)) */
};

/* The layout of rows, which is the same for a whole run. */
struct row_style {
	enum text_format format;
	enum row_scope scope;
	int pid;	      /* text of ROW_LWPS: print the pid column (-f) */
	int tick;	      /* print the tick column (-t) */
	int nsets;	      /* if above 1, rows of text end with " # SPEC" */
	enum row_stamp stamp; /* text (-T); not with ROW_LWPS */
};

/* The content of a row. */
enum row_kind {
	ROW_VALUES, /* a word and the values of a set */
	ROW_FORK,   /* "fork" and the child's pid; only with ROW_LWPS */
	ROW_EXEC,   /* "exec" and the new command line; only with ROW_LWPS */
	ROW_TOTAL   /* "total" and the values of a set; not with ROW_LWPS */
};

struct row {
	enum row_kind kind;
	int64_t ns; /* since the run began, not negative */
	/* with ROW_LWPS: */
	pid_t pid, tid; /* tid is not positive if it is not known */
	id_t lwp;
	/* with other scopes: */
	int id; /* of the CPU, core, socket or bin, or -1; not used with ROW_TOTAL */
	unsigned cpus;	  /* number of CPUs in this row */
	int64_t unix_ns;  /* since 1970, not negative */
	const char *word; /* "tick", "lwp_exit", ...; with ROW_VALUES */
	uint64_t tick;
	unsigned index;		   /* of the set, from 0 */
	const struct row_set *set; /* NULL: an empty set */
	const cpc_value_t *value;  /* set->n values */
	pid_t child;		   /* with ROW_FORK */
	int provisional;	   /* totals so far, to be replaced; with ROW_VALUES */
	const char *cmd;	   /* with ROW_EXEC; NULL: not known */
};

/*
 * Return the title line, or "" for JSON. The title of text has the counters of the set first;
 * NULL is an empty set. The caller frees the string. Returns NULL with ENOMEM.
 */
char *row_title(const struct row_style *style, const struct row_set *first);

/*
 * Return the row as text that ends with a newline; CSV and a time stamp can make it several
 * lines. The caller frees the string. Returns NULL with ENOMEM.
 */
char *row_line(const struct row_style *style, const struct row *row);

#endif
