/* The rows of a recording in a page of HTML: sums, and charts over time. */
#ifndef SUITE_REPORT_HTML_ROWS_H
#define SUITE_REPORT_HTML_ROWS_H

#include "suite/report/writer.h"

/*
 * Return a sink that appends a section at the end of the run, or NULL with ENOMEM. The
 * caller frees the sink.
 */
struct sink *html_rows(struct report *r, const struct report_run *run,
		       enum row_scope scope);

#endif
