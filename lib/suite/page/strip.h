/* The samples of a run over time as charts: for each event one of each LWP or CPU. */
#ifndef SUITE_PAGE_STRIP_H
#define SUITE_PAGE_STRIP_H

#include "base/text.h"
#include "suite/screen/chart.h"

/* So many LWPs or CPUs of an event are drawn, those with the largest sums. */
enum { STRIP_MOST = 64 };

/* Append the charts of all events; nothing if the run has no samples. */
void strip_put(struct textbuf *b, const struct chart *c);

#endif
