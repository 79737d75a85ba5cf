/* What is to be said at the end of the values that are not exact. */
#ifndef NOTES_H
#define NOTES_H

#include "session.h"

/* Say it on stderr. Nonzero: some value was not exact (nor simulated). */
int notes_print(const struct session *s);

#endif
