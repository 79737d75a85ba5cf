/* What --explain tells, for programs: the form is in explain.h. */
#ifndef EXPLAIN_JSON_H
#define EXPLAIN_JSON_H

#include "base/text.h"
#include "suite/explain/set.h"

void explain_json(struct rowbuf *b, const struct explain_set *s);

#endif
