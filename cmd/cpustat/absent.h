/* Events that some of the CPUs do not have: of another kind of core, or counted elsewhere. */
#ifndef ABSENT_H
#define ABSENT_H

#include "suite/row/row.h"

struct absent;

/* NULL: ENOMEM. set, nsets of them, must outlive it. */
struct absent *absent_new(const struct row_set *const *set, unsigned nsets);

/* NULL is allowed. */
void absent_free(struct absent *a);

/* A CPU does not have request i of a set. -1: ENOMEM. */
int absent_add(struct absent *a, unsigned set, unsigned i, int cpu);

/* Say it on stderr. Nonzero: there were some. */
int absent_print(const struct absent *a);

#endif
