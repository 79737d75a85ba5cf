/* The reports of perfex as a sink of rows: text in the layout of IRIX, or CSV. */
#ifndef PERFEX_REPORT_H
#define PERFEX_REPORT_H

#include "irix/costs.h"
#include "options.h"
#include "suite/record/sink.h"

/*
 * Return a sink that writes a report for each row of values; it computes statistics
 * itself and takes no rows of them. command is the measured command; costs is NULL
 * without -y. The arguments must live as long as the sink. Exits with a message without
 * memory.
 */
struct sink *report_sink(const struct options *o, const char *command,
			 const struct costs *costs, struct sink_output out);

/*
 * Return the title of the reports of threads, which the caller frees: "" except for CSV.
 * NULL with ENOMEM.
 */
char *report_thread_title(const struct options *o);

#endif
