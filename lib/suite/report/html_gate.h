/* The limits of a run in a page of HTML: their results, and where they are drawn. */
#ifndef SUITE_REPORT_HTML_GATE_H
#define SUITE_REPORT_HTML_GATE_H

#include "suite/report/writer.h"

/*
 * Fill *g with the limits that are drawn for a run: those of r if they were judged, or
 * those that the run itself has judged. The caller frees *g with gate_free(). Returns -1
 * with ENOMEM.
 */
int html_gate_limits(struct gate *g, const struct report *r,
		     const struct report_run *run);

/* Append the results of these limits, if there are any. Returns -1 with ENOMEM. */
int html_gate(struct report *r, const struct report_run *run);

#endif
