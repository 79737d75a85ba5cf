/* A report as a page of HTML with drawings, which needs no other file and no script. */
#ifndef SUITE_PROFILE_HTML_H
#define SUITE_PROFILE_HTML_H

#include "suite/profile/report.h"

/*
 * Append the page: for each metric a bar chart and a treemap of the functions; of data
 * cache misses a heat map of pages over time, if the profile has PROFILE_TIME; and the
 * tables of the views of r. Returns 0, or -1 with ENOMEM.
 */
int html_put(struct textbuf *b, const struct profile *p, const struct report *r);

#endif
