/* A set of --explain as text for people. */
#ifndef SUITE_EXPLAIN_TEXT_H
#define SUITE_EXPLAIN_TEXT_H

#include "base/text.h"
#include "suite/explain/set.h"

/* Appends the lines to b. */
void explain_text(struct textbuf *b, const struct explain_set *s);

#endif
