/*
 * The text of breakpoints as events, by the names of perf(1): mem:PLACE[/LEN][:x|r|w|rw].
 * PLACE is an address, which begins with a digit, or the name of a function or variable.
 */
#ifndef ENGINE_BREAKPOINT_H
#define ENGINE_BREAKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

struct breakpoint {
	const char *symbol; /* in the text; NULL: the place is an address */
	size_t symbol_size;
	uint64_t address;
	uint64_t length; /* if has_length is set */
	int has_length;
	enum engine_access access; /* ENGINE_ANY: not given */
};

/* Returns 1 if the name begins with "mem:", else 0. */
int breakpoint_is(const char *name);

/* Returns 1 if the name is of a breakpoint at the name of a function or variable. */
int breakpoint_is_named(const char *name);

/*
 * Parse a name that begins with "mem:". Returns 0, or -1 with EINVAL if the name is
 * malformed; *why says what is wrong.
 */
int breakpoint_parse(const char *name, struct breakpoint *b, struct why *why);

#endif
