/*
 * The reports of counts that perfex prints, as text, CSV or JSON. The locale has no effect.
 *
 * Text has the layout of perfex(1) of IRIX: each event's number, label and count. With costs
 * (-y) the events that take most time come first, with their times, and the statistics that
 * can be computed follow. An unavailable value is "-", and so is the time of an event whose
 * cost is not known.
 *
 * CSV has a header and these columns, quoted as in RFC 4180:
 *     time_s, scope, pid, tid, number, name, label, value, count, enabled_ns, running_ns,
 *     class, note, typical_s, minimum_s, maximum_s
 * with a line for each event, and a line of class "statistic" for each statistic. Unknown
 * values are empty. JSON is one object for a report:
 *     {"schema":1,"time_ns":,"scope":,"pid":,"tid":,"command":,
 *      "events":[{"number":,"name":,"label":,"value":,"count":,"enabled_ns":,"running_ns":,
 *                 "class":,"note":,"typical_s":,"minimum_s":,"maximum_s":},...],
 *      "statistics":[{"label":,"value":},...]}
 * with null for unknown values; a provisional report has "provisional":true before "events".
 * CSV and JSON have the events in the order of text.
 */
#ifndef IRIX_PERFEX_H
#define IRIX_PERFEX_H

#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>
#include "base/text.h"
#include "irix/costs.h"

/* The caller owns all strings of rows and reports. */
struct irix_row {
	int number;	   /* of perfex(1), or -1 */
	const char *name;  /* of the event, for CSV and JSON */
	const char *label; /* of the event, for text */
	const char *note;  /* how it is counted instead, or why it is not; or NULL */
	cpc_value_t value;
};

enum irix_scope {
	IRIX_TOTAL,  /* the whole run */
	IRIX_THREAD, /* one thread */
	IRIX_PERIOD  /* the time since the last report; in text one line without costs */
};

struct irix_report {
	enum text_format format;
	enum irix_scope scope;
	int64_t ns;	     /* since the run began */
	pid_t pid, tid;	     /* tid 0: the report is not of one thread */
	const char *heading; /* a line above the text, or NULL */
	const char *command;
	const struct costs *costs; /* -y, or NULL */
	unsigned n;
	const struct irix_row *row; /* n rows, first the rows with numbers, ascending */
	int provisional;	    /* of the counts so far, to be replaced */
};

/*
 * Return what is printed once before reports of this format and scope: the header of CSV,
 * the title of text for IRIX_PERIOD, or "". The caller frees the string. Returns NULL with
 * ENOMEM.
 */
char *irix_report_title(const struct irix_report *r);

/* Return the report, which the caller frees, or NULL with ENOMEM. */
char *irix_report(const struct irix_report *r);

#endif
