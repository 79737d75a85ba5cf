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

/* Append the functions of a run with the most counts, which where_shares() has found. */
void where_put_shares(struct textbuf *b, const char *event, const struct where_changes *c,
		      int grouped);

/*
 * The parts of a line: the name of a function, with its file and source file as far as
 * needed; a count, rounded; and a change as a part of the total of A, or as a count if
 * that is 0.
 */
void where_put_name(struct textbuf *b, const struct where_change *c);
void where_put_count(struct textbuf *b, double v, int grouped);
void where_put_part(struct textbuf *b, double change, double total);

/* Append how many functions have no line: "3 others". */
void where_put_others(struct textbuf *b, const struct where_changes *c);

/* Returns what the functions without a line have changed in all. */
double where_rest(const struct where_changes *c);

#endif
