/*
 * The events of a run as its engine counts them: a set for each, since the kernel lets sets
 * take turns, but does not cut them.
 */
#ifndef PERFEX_SESSION_H
#define PERFEX_SESSION_H

#include <libcpc.h>
#include "events.h"
#include "irix/perfex.h"
#include "session.h"
#include "suite/request/sets.h"

struct session {
	cpc_t *cpc;
	struct sets *sets;
	unsigned n;
	cpc_set_t **set; /* [n]; NULL: the event cannot be counted, row[].note says why */
	struct irix_row
		*row; /* [n]; values are unavailable as long as nobody sets them */
	char **why;   /* [n]; owned, or NULL */
	int partly;   /* -a: what cannot be counted is left out */
};

/* Exits where events make no sense, or none can be counted. */
void session_open(struct session *s, const struct options *o, const struct events *e);
void session_close(struct session *s);

/* With -a: event i cannot be counted after all, the last message told why. */
void session_drop(struct session *s, unsigned i);

/* Let the next message be kept, not printed, if an event may be left out. */
void session_hold(const struct session *s);

/* Print what was held and was no reason to drop an event. */
void session_release(void);

/* None can be counted. */
int session_empty(const struct session *s);

/* Say it on stderr. Nonzero: some value was not exact (nor simulated). */
int session_notes(const struct session *s);

#endif
