/* The counts of a recording as text: a summary and a table of processes, or a chart. */
#ifndef SUITE_REPORT_COUNTS_H
#define SUITE_REPORT_COUNTS_H

#include "suite/report/writer.h"

/*
 * Return a sink that appends to r->text at the end of the run, or NULL with ENOMEM. The
 * caller frees the sink.
 */
struct sink *counts_sink(struct report *r, const struct report_run *run,
			 enum row_scope scope);

/* Append an empty line between two runs, and the facts about a run. */
void counts_put_head(struct report *r, const struct report_run *run);

/* Append that a run has no last record, if that is so. */
void counts_put_incomplete(struct report *r, const struct report_run *run);

#endif
