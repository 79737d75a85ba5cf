/* What is to be said at the end of the values that are not exact. */
#ifndef SESSION_NOTES_H
#define SESSION_NOTES_H

#include "session.h"

/* Say it on stderr. Nonzero: some value was not exact (nor simulated). */
int session_notes(const struct session *s);

#endif
