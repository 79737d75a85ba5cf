/*
 * Repeated runs of a command (--repeat), and comparisons with other commands (--vs). The
 * commands are counted as a whole (whole.h), run after run.
 */
#ifndef COMMON_REPEAT_H
#define COMMON_REPEAT_H

#include "options.h"
#include "out.h"
#include "suite/request/choose_engine.h"

/*
 * How perfex calls the events, one in each set: names, numbers and labels, as in struct
 * row_set. The arrays have an element for each specification.
 */
struct repeat_names {
	const char *const *event;
	const int *number;
	const char *const *label;
};

/*
 * Run and count the command argv, and those of --vs, as often as the options say, and
 * write the tables, or the records of JSON. names is NULL if the events have the names of
 * the specifications. Exits if the events cannot be counted. Returns the exit status.
 */
int repeat_run(const struct options_shared *s, const struct engine_choice *choice,
	       const struct repeat_names *names, char *const *argv, struct out *out);

#endif
