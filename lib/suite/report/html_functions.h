/* The functions of a run in a page of HTML (--where). */
#ifndef SUITE_REPORT_HTML_FUNCTIONS_H
#define SUITE_REPORT_HTML_FUNCTIONS_H

#include "suite/report/writer.h"

/*
 * Append the functions that have changed, or those of a run that is compared with none:
 * a table for each event. Nothing is appended if there are none. Returns -1 with ENOMEM.
 */
int html_functions(struct report *r, const struct report_run *run);

/* Append the same functions as CSV has them, all of them. Returns -1 with ENOMEM. */
int html_functions_numbers(struct report *r, const struct report_run *run);

#endif
