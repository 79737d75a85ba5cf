/*
 * The events of a run as its engine counts them: a set for each, since the kernel lets sets
 * take turns, but does not cut them.
 */
#ifndef PERFEX_SET_LIST_H
#define PERFEX_SET_LIST_H

#include <libcpc.h>
#include "events.h"
#include "irix/perfex.h"
#include "suite/request/sets.h"

struct set_list {
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
void set_list_open(struct set_list *s, const struct options *o, const struct events *e);
void set_list_close(struct set_list *s);

/*
 * Binding event i returned rc and set errno, while messages were captured (message.h); ends
 * the capture. A droppable event that failed is left out if there was -a and other events
 * remain; else the messages are printed. Returns 0 if counting can go on, or -1 and keeps
 * errno.
 */
int set_list_bound(struct set_list *s, unsigned i, int rc, int droppable);

/* Say it on stderr. Nonzero: some value was not exact (nor simulated). */
int set_list_notes(const struct set_list *s);

#endif
