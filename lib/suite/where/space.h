/* The files that a recording has seen mapped, for the names of its addresses. */
#ifndef SUITE_WHERE_SPACE_H
#define SUITE_WHERE_SPACE_H

#include "lwp/recording.h"
#include "symbols/symbols.h"

/*
 * Returns the symbols of all mappings, which the caller frees, or NULL with ENOMEM. The
 * paths of the mappings must live as long.
 */
struct symbols *space_symbols(const struct recording *r, const struct symbols_options *o);

#endif
