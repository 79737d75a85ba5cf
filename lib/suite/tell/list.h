/* The names of events, and what each is on this machine. */
#ifndef SUITE_TELL_LIST_H
#define SUITE_TELL_LIST_H

#include <libcpc.h>

struct list_entry {
	const char *name;
	/* the table that has it, or "host" for this machine's own names */
	const char *source;
	const char *title;  /* or NULL */
	const char *engine; /* that counts it; NULL: none can */
	/* best class of its values; CPC_UNAVAILABLE: none can count it */
	cpc_class_t class;
	const char *how; /* countable: how, or NULL if as named; else why not */
};

/*
 * Call fn for the names that match pattern (a part of the name, or a pattern of
 * fnmatch(3); case does not count). NULL: all names that can be counted here. The entry
 * lives for the call only. Returns how many there were.
 */
unsigned list_walk(cpc_t *cpc, const char *pattern, void *arg,
		   void (*fn)(void *arg, const struct list_entry *e));

#endif
