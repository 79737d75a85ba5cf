/*
 * The repeated runs of a file, compared with those of another file (--baseline), and
 * judged by limits (--limit), which also apply to the pairs of --vs in the file.
 */
#ifndef SUITE_REPORT_COMPARE_H
#define SUITE_REPORT_COMPARE_H

#include "suite/report/writer.h"
#include "suite/series/functions.h"
#include "suite/series/limits.h"

/*
 * Check whether a run can be compared as r wants: fill run->compared and run->judged, and
 * in r what the result means for the exit status. Reasons against it, and facts that may
 * have changed counts, go to r->warn() and r->note(). Returns -1 with ENOMEM.
 */
int compare_run(struct report *r, struct report_run *run);

/*
 * Fill *l with the limits of a run; reference has room for run->ncomparisons. The last
 * series is the candidate.
 */
void compare_limits(struct limits *l, struct limits_reference *reference,
		    const struct report *r, const struct report_run *run);

/*
 * Fill *s with what the candidate is compared with, for the calls of functions.h; side
 * has room for run->ncomparisons + 1.
 */
void compare_sides(struct functions_sides *s, struct functions_side *side,
		   const struct report *r, const struct report_run *run);

/*
 * Judge the candidate and the file of --baseline, if the run can be compared with it, and
 * hand the comparison over. Returns what put returns, 0 if there is none, or -1 with
 * ENOMEM.
 */
int compare_saved(const struct report *r, const struct report_run *run,
		  const struct report_taker *taker);

/*
 * Make the table of CSV of repeated runs: the rows of each command, then those of each
 * comparison, which stand in the place of the candidate's own. Returns -1 with ENOMEM.
 * The caller frees the cells in each case.
 */
int compare_numbers(struct cells *c, const struct report *r,
		    const struct report_run *run);

/*
 * Append the comparison and the limits of a run as text: what compare_run() has allowed,
 * or the limits that the run itself has judged; and the functions that differ. Returns -1
 * with ENOMEM.
 */
int compare_put(struct report *r, const struct report_run *run);

#endif
