/* Repeated runs and comparisons as the JSON records of opencpc-records(5). */
#ifndef SUITE_SERIES_JSON_H
#define SUITE_SERIES_JSON_H

#include "base/text.h"
#include "suite/row/row.h"
#include "suite/series/facts.h"
#include "suite/series/gate.h"
#include "suite/series/judge.h"
#include "suite/series/warnings.h"

/*
 * Append the record of the runs of one command, which has this number in the run of the
 * tool; facts are those about its runs, and w the warnings, or NULL. Returns
 * -1 with ENOMEM.
 */
int series_json_runs(struct textbuf *b, const struct row_run *run, unsigned number,
		     const struct runs *s, const struct facts *facts,
		     const struct warnings *w);

/*
 * Append the record of a comparison of the commands with the numbers reference and
 * candidate; the order of the runs was drawn from seed.
 */
void series_json_comparison(struct textbuf *b, const struct row_run *run,
			    unsigned reference, unsigned candidate,
			    const struct judge_comparison *c, uint64_t seed);

/*
 * Append an object about a limit that was judged: with the series of this number, or with
 * saved runs if reference is negative.
 */
void series_json_limit(struct textbuf *b, const struct gate_limit *limit,
		       enum gate_result result, int reference);

#endif
