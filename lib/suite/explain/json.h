/* What --explain tells, for programs: the form is in explain.h. */
#ifndef SUITE_EXPLAIN_JSON_H
#define SUITE_EXPLAIN_JSON_H

#include "base/text.h"
#include "suite/explain/set.h"

void explain_json(struct textbuf *b, const struct explain_set *s);

#endif
