/* The difference of two profiles, function by function. */
#ifndef SUITE_PROFILE_DIFF_H
#define SUITE_PROFILE_DIFF_H

#include "base/text.h"
#include "suite/profile/profile.h"

/*
 * Append a table for each event that both profiles have: the values of each function
 * before and after, the largest changes first. Functions are the same if they have the
 * same name, and their modules the same name without its folders. top: rows of each
 * table, 0: all. Returns the number of events that both have, or -1 with ENOMEM.
 */
int diff_put(struct textbuf *b, const struct profile *before, const struct profile *after,
	     size_t top, enum text_format format);

#endif
