/* Says why the events of a specification cannot be counted together, in a sentence. */
#ifndef SUITE_EXPLAIN_CLASH_H
#define SUITE_EXPLAIN_CLASH_H

#include <stddef.h>

#include <libcpc.h>
#include "spec/spec.h"

/*
 * Finds the events that clash because too few counters can count them. Returns the
 * requests of the specification, whose counters mean nothing; the caller frees them with
 * spec_free(). why, of size bytes, names the events and their counters. Returns NULL if
 * the specification has another fault, or can be counted if it is written in another way.
 */
struct spec *explain_clash(cpc_t *cpc, const char *text, char *why, size_t size);

#endif
