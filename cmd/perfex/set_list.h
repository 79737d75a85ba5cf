/*
 * The sets of a run, one for each event: if there are too few counters, the kernel lets
 * sets take turns, but it does not split a set.
 */
#ifndef PERFEX_SET_LIST_H
#define PERFEX_SET_LIST_H

#include <libcpc.h>
#include "common/uncounted.h"
#include "events.h"
#include "irix/perfex.h"
#include "suite/request/sets.h"

struct set_list {
	cpc_t *cpc;
	struct sets *sets;
	unsigned n;
	cpc_set_t **set;      /* [n]; NULL: cannot be counted, row[].note says why */
	struct irix_row *row; /* [n]; values are unavailable until a sample is read */
	char **why;    /* [n]; malloc'ed notes of events that were not counted, or NULL */
	int uncounted; /* the notes of unavailable values say why nothing was counted */
	struct row_set
		show; /* how rows show the events, as one set; arrays are malloc'ed */
	const struct row_set *shown; /* &show */
	int partly;		     /* -a: events that cannot be counted are left out */
};

/* Exits with a message if an event is malformed, or if none can be counted. */
void set_list_open(struct set_list *s, const struct options *o, const struct events *e);
void set_list_close(struct set_list *s);

/*
 * Call after the bind of event i, which returned rc and set errno while messages were
 * captured (message.h). Ends the capture. With -a a droppable event that failed is left
 * out if other events remain; otherwise the messages are printed. Returns 0 if counting
 * can go on, or -1 and keeps errno.
 */
int set_list_bound(struct set_list *s, unsigned i, int rc, int droppable);

/* Some counts are missing: make the values approximate, with words in their notes. */
void set_list_incomplete(struct set_list *s, const char *words);

/* Nothing was counted, for the reason in words: make all values unavailable. */
void set_list_uncounted(struct set_list *s, const char *words);

/* Do one of these, or nothing, for the part of the run that was not counted. */
void set_list_lacks(struct set_list *s, enum uncounted_part part, const char *words);

/* Add words, the reason, to the note of each event whose value is unavailable. */
void set_list_absent(struct set_list *s, const char *words);

/* Return an event that is a breakpoint at a name, or NULL if there is none. */
const char *set_list_named(const struct set_list *s);

/*
 * Return the address of a pointer to the set as rows show it, with the present notes.
 * Both live until set_list_close().
 */
const struct row_set *const *set_list_show(struct set_list *s);

/*
 * Print on standard error how the values were counted. Returns nonzero if some value was
 * neither exact nor simulated.
 */
int set_list_notes(const struct set_list *s);

#endif
