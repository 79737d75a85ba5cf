/*
 * The reports of counts that perfex prints, as text or CSV. The locale has no effect.
 *
 * Text has the layout of perfex(1) of IRIX: each event's number, label and count. With
 * costs (-y) the events that take most time come first, with their times, and the
 * statistics that can be computed follow. An unavailable value is "-", and so is the time
 * of an event whose cost is not known.
 *
 * CSV has a header and these columns, quoted as in RFC 4180:
 *     time_s, scope, pid, tid, number, name, label, value, count, enabled_ns, running_ns,
 *     class, note, typical_s, minimum_s, maximum_s, host, rank, mode
 * with a line for each event, and a line of class "statistic" for each statistic, in the
 * order of text. Unknown values are empty.
 */
#ifndef IRIX_PERFEX_H
#define IRIX_PERFEX_H

#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>
#include "base/text.h"
#include "irix/costs.h"
#include "irix/stats.h"

/* The caller owns all strings of rows and reports. */
struct irix_row {
	int number;	   /* of perfex(1), or -1 */
	const char *name;  /* of the event, for CSV */
	const char *label; /* of the event, for text */
	const char *note;  /* how it is counted instead, or why it is not; or NULL */
	cpc_value_t value;
	const char *mode; /* in which it is counted ("user+sys"), or NULL; for CSV */
};

enum irix_scope {
	IRIX_TOTAL,  /* the whole run */
	IRIX_THREAD, /* one thread */
	IRIX_PERIOD  /* the time since the last report; in text one line without costs */
};

/* The seconds that the events of a value took; negative: not known. */
struct irix_times {
	double typical, minimum, maximum;
};

struct irix_report {
	enum text_format format; /* TEXT_PLAIN or TEXT_CSV */
	enum irix_scope scope;
	int64_t ns;	     /* since the run began */
	pid_t pid, tid;	     /* tid 0: the report is not of one thread */
	const char *heading; /* a line above the text, or NULL */
	const char *command;
	const char *host, *rank;   /* for CSV; or NULL */
	const struct costs *costs; /* -y, or NULL */
	unsigned n;
	const struct irix_row *row; /* n rows, first the rows with numbers, ascending */
};

/*
 * Return what is printed once before reports of this format and scope: the header of CSV,
 * the title of text for IRIX_PERIOD, or "". The caller frees the string. Returns NULL
 * with ENOMEM.
 */
char *irix_report_title(const struct irix_report *r);

/*
 * Return the times of the event with this number of perfex(1). They are not known without
 * costs, or if number is -1.
 */
struct irix_times irix_times(const struct costs *costs, int number, const cpc_value_t *v);

/*
 * Compute the statistics of a report, in the order of text, into stat, which has room for
 * IRIX_NSTATS. Returns how many there are: 0 without costs.
 */
unsigned irix_report_stats(const struct irix_report *r, struct irix_stat *stat);

/* Return the report, which the caller frees, or NULL with ENOMEM. */
char *irix_report(const struct irix_report *r);

#endif
