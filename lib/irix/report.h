/*
 * What perfex prints of counts: reports, as text, CSV or JSON. Numbers and decimal points do
 * not follow the locale.
 *
 * Text is what perfex(1) of IRIX prints: an event's number, its label, its count; with costs
 * (-y) also the time that the events take, most first, and the statistics that can be
 * computed. A value that there is none of is "-", and so is the time of an event whose cost
 * is not known.
 *
 * CSV has a header and these columns, quoted as in RFC 4180:
 *     time_s, scope, pid, tid, number, name, label, value, count, enabled_ns, running_ns,
 *     class, note, typical_s, minimum_s, maximum_s
 * with a line for each event, and one for each statistic, whose class is "statistic". What
 * there is none of is empty. JSON is one object for a report:
 *     {"schema":1,"time_ns":,"scope":,"pid":,"tid":,"command":,
 *      "events":[{"number":,"name":,"label":,"value":,"count":,"enabled_ns":,"running_ns":,
 *                 "class":,"note":,"typical_s":,"minimum_s":,"maximum_s":},...],
 *      "statistics":[{"label":,"value":},...]}
 * with null for what there is none of. The events come in the order of text.
 */
#ifndef IRIX_REPORT_H
#define IRIX_REPORT_H

#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>
#include "base/text.h"
#include "irix/costs.h"

struct irix_row {
	int number;	   /* of perfex(1), or -1 */
	const char *name;  /* of the event, as CSV and JSON have it */
	const char *label; /* as text has it */
	const char *note;  /* how it is counted, or why not; NULL: as asked */
	cpc_value_t value;
};

enum irix_scope {
	IRIX_TOTAL,  /* of the whole run */
	IRIX_THREAD, /* of one thread */
	IRIX_PERIOD  /* since the report before; a line of text, without costs */
};

struct irix_report {
	enum text_format format;
	enum irix_scope scope;
	int64_t ns;	     /* since the run began */
	pid_t pid, tid;	     /* tid 0: there is none */
	const char *heading; /* a line above text, or NULL */
	const char *command;
	const struct costs *costs; /* -y, or NULL */
	unsigned n;
	const struct irix_row *row; /* those with numbers first, in their order */
};

/*
 * What comes before reports of this kind, once: the header of CSV, the title of text's
 * periods, or "". It and the report are malloc'ed. NULL: ENOMEM.
 */
char *irix_report_title(const struct irix_report *r);
char *irix_report(const struct irix_report *r);

#endif
