/*
 * The events of a run as its engine counts them: a set for each, since the kernel lets sets
 * take turns, but does not cut them.
 */
#ifndef PERFEX_SET_LIST_H
#define PERFEX_SET_LIST_H

#include <libcpc.h>
#include "events.h"
#include "irix/perfex.h"
#include "set_list.h"
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

/* With -a: event i cannot be counted after all, the last message told why. */
void set_list_drop(struct set_list *s, unsigned i);

/* Let the next message be kept, not printed, if an event may be left out. */
void set_list_hold(const struct set_list *s);

/* Print what was held and was no reason to drop an event. */
void set_list_release(void);

/* None can be counted. */
int set_list_empty(const struct set_list *s);

/* Say it on stderr. Nonzero: some value was not exact (nor simulated). */
int set_list_notes(const struct set_list *s);

#endif
