/* What --explain tells, for people. */
#ifndef EXPLAIN_TEXT_H
#define EXPLAIN_TEXT_H

#include "base/text.h"
#include "suite/explain/set.h"

void explain_text(struct rowbuf *b, const struct explain_set *s);

#endif
