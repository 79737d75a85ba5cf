/* The list of events (--list), and how each is counted on this machine. */
#ifndef SUITE_TELL_LIST_H
#define SUITE_TELL_LIST_H

#include <libcpc.h>

struct list_entry {
	const char *name;
	const char *source; /* its table, or "host", or "model" for the simulation */
	const char *title;  /* or NULL */
	const char *engine; /* the engine that counts the event, or NULL */
	cpc_class_t class;  /* the best class that its values can have */
	/*
	 * how it is counted, or NULL if as named; without an engine: why it is not
	 * counted
	 */
	const char *how;
};

/*
 * Call fn for each event whose name matches pattern (a part of the name, or a pattern of
 * fnmatch(3); case is ignored), or, if pattern is NULL, for each event that can be
 * counted here: in the caller, or, if cpus is not 0, on a CPU, and for each one for whose
 * trial memory or file descriptors did not suffice. The entry is valid during the call.
 * Returns the number of calls.
 */
unsigned list_walk(cpc_t *cpc, const char *pattern, int cpus, void *arg,
		   void (*fn)(void *arg, const struct list_entry *e));

#endif
