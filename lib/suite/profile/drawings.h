/* The drawings of the page of a report. */
#ifndef SUITE_PROFILE_DRAWINGS_H
#define SUITE_PROFILE_DRAWINGS_H

#include "base/text.h"
#include "suite/profile/profile.h"

/* Append a bar chart and a treemap of the functions. Returns 0, or -1 with ENOMEM. */
int drawings_functions(struct textbuf *b, const struct profile *p, unsigned metric);

/*
 * Append a heat map of the pages of data over time; nothing if there are no data
 * addresses. Returns 0, or -1 with ENOMEM.
 */
int drawings_heat(struct textbuf *b, const struct profile *p, unsigned metric);

#endif
