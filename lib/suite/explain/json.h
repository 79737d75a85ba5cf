/* A set of --explain as a line of JSON, whose members explain.h describes. */
#ifndef SUITE_EXPLAIN_JSON_H
#define SUITE_EXPLAIN_JSON_H

#include "base/text.h"
#include "suite/explain/set.h"

/* Appends the line to b. */
void explain_json(struct textbuf *b, const struct explain_set *s);

#endif
