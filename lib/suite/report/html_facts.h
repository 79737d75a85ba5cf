/* The facts of a run in a page of HTML: its machine, its labels, and its commands. */
#ifndef SUITE_REPORT_HTML_FACTS_H
#define SUITE_REPORT_HTML_FACTS_H

#include "suite/report/writer.h"

/* Append the facts that the record of the run has; unknown ones are left out. */
void html_facts(struct textbuf *b, const struct report_run *run);

/* Append, a paragraph each, what makes the values of the run doubtful. */
void html_facts_warnings(struct textbuf *b, const struct report_run *run);

#endif
