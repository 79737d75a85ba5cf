/* The sections of a page of HTML: one for each run, which ends with its facts. */
#ifndef SUITE_REPORT_HTML_SECTION_H
#define SUITE_REPORT_HTML_SECTION_H

#include "suite/report/writer.h"

/* Begin the page if no run was shown yet; run is the first one, or NULL. */
void html_page(struct report *r, const struct report_run *run);

/* Begin the section of a run, and the page if this run is the first. */
void html_begin(struct report *r, const struct report_run *run);

/* Append the facts about the run, and end its section. */
void html_end(struct report *r, const struct report_run *run);

#endif
