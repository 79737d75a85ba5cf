/*
 * Can runs be compared with runs of another moment, that were saved? And if they can,
 * what besides the program may have changed their counts?
 */
#ifndef SUITE_SERIES_COMPARABLE_H
#define SUITE_SERIES_COMPARABLE_H

#include "base/text.h"
#include "suite/series/facts.h"
#include "suite/series/runs.h"

/* What runs were made with. Strings that are not known are NULL. */
struct comparable {
	const char *engine, *model, *reproducible;
	const char *version;   /* of this software */
	const char *processor; /* of the machine */
	const struct runs *runs;
	struct facts facts;
};

/*
 * Returns 0 if the runs now can be compared with what was saved: both have the same
 * engine, machine, command and events, and the saved runs did not fail. Else it returns
 * -1 and appends the reason, which is a sentence about the saved runs without the first
 * words, such as "its model is ...".
 */
int comparable_check(const struct comparable *was, const struct comparable *now,
		     struct textbuf *why);

/*
 * Append a line for each fact that differs and can move counts although the program is
 * the same, and how far. name is that of what was saved. gated: limits judge another
 * build, so that a program file that differs is no news.
 */
void comparable_notes(const struct comparable *was, const struct comparable *now,
		      const char *name, int gated, struct textbuf *b);

#endif
