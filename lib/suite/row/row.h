/*
 * Rows: a sample as a line of text, CSV or JSON. All lines of measurements that cputrack
 * and cpustat print are made here. The locale has no effect.
 *
 * Text is byte for byte what Solaris' cputrack(1) and cpustat(1M) print, except: an
 * unavailable value or unknown id is "-"; in a command line or specification each control
 * character, and each byte that is not UTF-8, is "?". Rows of cores, sockets and bins
 * have their id in place of the CPU under "COR", "SOC" or "BIN", and the number of their
 * CPUs after the values under "sze", as in Solaris' mpstat(1M). Rows of cgroups have the
 * path before the id, and no id if they stand for all CPUs.
 *
 * CSV and JSON contain more than text (thread ids, times, classes). Bytes that are not
 * UTF-8 become U+FFFD; a control character is "?" in CSV and an escape such as "\u001b"
 * in JSON. An unavailable value or count, an unknown id and a tick that was not requested
 * are an empty field in CSV and null in JSON.
 *
 * CSV has a header, and the options do not change its columns. Fields are quoted as in
 * RFC 4180; lines end with "\n". The columns of rows of LWPs are
 *     time_s (9 decimals), pid, lwp, tid, event, set, tick, pic, name, value, count,
 *     enabled_ns, running_ns, class, note, child, command, host, rank, mode, thread
 * and the columns of rows of CPUs, cores, sockets and bins are
 *     time_s, unix_s (9 decimals both), event, scope (cpu, core, socket, bin; all), id,
 *     cpus, set, tick, pic, name, value, count, enabled_ns, running_ns, class, note,
 *     host, rank, mode
 * Rows of cgroups have these columns too, with the scope "cgroup" and the path as id, and
 * after them
 *     cpu, core, socket
 * of which a row has the number of the CPU, core or socket that it is limited to. There
 * is a line for each value of a set, and a line with empty fields for an empty set. In
 * the line of a fork or exec the fields from set to note are empty. A total has the scope
 * "all" and no id, except the total of a cgroup. The field thread is the name of the LWP.
 *
 * JSON has one object in each line, a record as opencpc-records(5) describes it, and no
 * header: rows are records of the kinds "sample", "total", "event" and "statistic".
 */
#ifndef SUITE_ROW_ROW_H
#define SUITE_ROW_ROW_H

#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>
#include "base/text.h"

/* The texts and numbers that rows show for a set. Each array has n elements. */
struct row_set {
	const char *spec;	  /* the specification as it was typed, or NULL */
	unsigned n;		  /* number of requests */
	const char *const *event; /* names */
	const unsigned *pic; /* numbers of counters; NULL: no request has a counter */
	/* texts that say how an event is counted instead, or NULLs; or NULL: no notes */
	const char *const *note;
	/*
	 * words for the modes in which the events are counted: "user", "sys", "user+sys",
	 * or "" for none; or NULL: not known
	 */
	const char *const *mode;
	/* texts of the attributes ("cmask=2,inv=1"), "" for none; or NULL: not known */
	const char *const *attrs;
	const char *const *unit; /* "1", "ns" or "cycles"; NULL: not known */
	/* NULL, or the numbers of perfex(1), -1 for none, and the labels of its events */
	const int *number;
	const char *const *label;
};

/* The kind of thing that the rows of a run count. */
enum row_scope { ROW_LWPS, ROW_CPUS, ROW_CORES, ROW_SOCKETS, ROW_BINS, ROW_CGROUPS };

/* The time stamp in a line of its own before each row of text, except totals. */
enum row_stamp {
	ROW_STAMP_NONE,
	ROW_STAMP_UNIX, /* seconds since 1970 */
	ROW_STAMP_DATE	/* as of date(1) in the C locale; local time (tzset(3)) */
};

/* The facts about a run that are repeated in rows of CSV and JSON. */
struct row_run {
	const char *id;	  /* HOST:PID:START, of which START is unix_ns in decimal */
	const char *host; /* or NULL */
	const char *rank; /* a number, or NULL: no launcher has given a rank */
	int64_t unix_ns;  /* when the run began, in ns since 1970 */
};

/* The layout of rows, which is the same for a whole run. */
struct row_style {
	enum text_format format; /* not TEXT_MARKDOWN */
	enum row_scope scope;
	int pid;   /* text of ROW_LWPS: print the pid column (-f) */
	int names; /* text of ROW_LWPS: print the columns tid and name */
	/*
	 * The rows are of cgroups, whose paths have a column of this width; 0: they are
	 * not. The scope is ROW_CGROUPS, or ROW_CPUS, ROW_CORES or ROW_SOCKETS if the
	 * rows are those of each cgroup there.
	 */
	unsigned cgroups;
	int tick;	      /* print the tick column (-t) */
	int nsets;	      /* if above 1, rows of text end with " # SPEC" */
	enum row_stamp stamp; /* text (-T); not with ROW_LWPS */
	/* CSV and JSON; NULL: no host, no rank, id "", since 1970 */
	const struct row_run *run;
};

/* The content of a row. */
enum row_kind {
	ROW_VALUES,   /* a word and the values of a set */
	ROW_FORK,     /* "fork" and the child's pid; only with ROW_LWPS */
	ROW_EXEC,     /* "exec" and the new command line; only with ROW_LWPS */
	ROW_TOTAL,    /* "total" and the values of a set; not with ROW_LWPS */
	ROW_STATISTIC /* a number that was computed from values; only with ROW_LWPS */
};

/* The seconds that the events of a value took; negative: not known. */
struct row_times {
	double typical, minimum, maximum;
};

/* A number that was computed from the values of a run (perfex -y). */
struct row_statistic {
	const char *name, *unit;
	double value; /* its absolute value is below 1e12 */
	cpc_class_t quality;
	unsigned n;
	const char *const *of; /* the n names of the events that it was computed from */
};

struct row {
	enum row_kind kind;
	int64_t ns; /* since the run began, not negative */
	/* with ROW_LWPS: */
	pid_t pid, tid;	  /* tid is not positive if it is not known */
	id_t lwp;	  /* 0: not known */
	const char *name; /* of the LWP; NULL: not known */
	int tree; /* JSON: the row is of the process and of all that it has started */
	/* with other scopes: */
	int id; /* of the CPU, core, socket or bin, or -1; not used with ROW_TOTAL */
	const char *cgroup; /* the path; not NULL if the rows are of cgroups */
	int core, socket;   /* of the CPU of a row of one CPU, or -1: JSON shows them */
	unsigned cpus;	    /* number of CPUs in this row */
	uint64_t interval;  /* its number, from 1; not used with ROW_TOTAL */
	int64_t unix_ns;    /* since 1970, not negative */
	const char *word;   /* "tick", "lwp_exit", ...; with ROW_VALUES */
	uint64_t tick;
	unsigned index;			       /* of the set, from 0 */
	const struct row_set *set;	       /* NULL: an empty set */
	const cpc_value_t *value;	       /* set->n values */
	const struct row_times *times;	       /* NULL, or of each value; only in JSON */
	const struct row_statistic *statistic; /* with ROW_STATISTIC */
	pid_t child;			       /* with ROW_FORK */
	const char *cmd;		       /* with ROW_EXEC; NULL: not known */
};

/* Append the title as row_title() returns it. */
void row_put_title(struct textbuf *b, const struct row_style *style,
		   const struct row_set *first);

/*
 * Return the title line, or "" for JSON. The title of text has the counters of the set
 * first; NULL is an empty set. The caller frees the string. Returns NULL with ENOMEM.
 */
char *row_title(const struct row_style *style, const struct row_set *first);

/* Append the row as row_line() returns it. */
void row_put(struct textbuf *b, const struct row_style *style, const struct row *row);

/*
 * Return the row as text that ends with a newline; CSV and a time stamp can make it
 * several lines. The caller frees the string. Returns NULL with ENOMEM.
 */
char *row_line(const struct row_style *style, const struct row *row);

/*
 * Append the name of an event for the tables that people read: "page-faults (user)" if
 * only one mode of the processor was counted. mode is as in struct row_set, or NULL.
 */
void row_put_event(struct textbuf *b, const char *name, const char *mode);

#endif
