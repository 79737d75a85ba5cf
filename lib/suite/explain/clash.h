/* Why the events of a specification cannot be counted together, in a sentence. */
#ifndef SUITE_EXPLAIN_CLASH_H
#define SUITE_EXPLAIN_CLASH_H

#include <stddef.h>

#include <libcpc.h>
#include "suite/request/spec.h"

/*
 * Of a specification that the rules of counters alone forbid: its requests, whatever
 * counters they have, for the caller to free with spec_free(); why says which of them
 * clash, and by what rule. NULL: it is wrong otherwise, or could be written so that it can
 * be counted.
 */
struct spec *explain_clash(cpc_t *cpc, const char *text, char *why, size_t size);

#endif
