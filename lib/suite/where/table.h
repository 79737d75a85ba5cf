/* The functions that have changed, and those of one run, as lines of text. */
#ifndef SUITE_WHERE_TABLE_H
#define SUITE_WHERE_TABLE_H

#include "base/text.h"
#include "suite/where/change.h"

/*
 * Append the name of the event and the totals of both runs, a line for each function that
 * has changed, the largest change first, and a line for the others. The changes are parts
 * of the total of A: the lines add up to the change of the total. grouped: counts have
 * commas between thousands. Returns 0, or -1 with ENOMEM.
 */
int where_put_changes(struct textbuf *b, const char *event, const struct where_changes *c,
		      int grouped);

/* As where_put_changes(), for a run: the functions with the most counts of event n. */
int where_put_shares(struct textbuf *b, const char *event, const struct where *w,
		     unsigned n, int grouped);

#endif
