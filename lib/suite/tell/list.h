/* The list of events (--list), and how each is counted on this machine. */
#ifndef SUITE_TELL_LIST_H
#define SUITE_TELL_LIST_H

#include <stdint.h>

#include <libcpc.h>
#include "suite/tell/words.h"

/* How well an event can be counted, the best first. */
enum list_rank {
	LIST_EXACT,
	LIST_APPROXIMATE,
	LIST_SIMULATED,
	LIST_ZERO,    /* the model always has the value 0 */
	LIST_UNKNOWN, /* there was no memory, or no descriptor, to try the event */
	LIST_NOT
};

struct list_entry {
	char *name;
	/* The table of the event; or "host", or "model" for the simulation. */
	const char *source;
	char *title;	    /* or NULL */
	const char *engine; /* the engine that counts the event, or NULL */
	cpc_class_t class;  /* the best class that values of the event can have */
	/*
	 * How the event is counted, or NULL if as its name says; without an engine, why
	 * it is not counted.
	 */
	char *how;
	int is_first; /* found by a query with first */
	int is_named; /* the only word is the name */
	int is_shown; /* list_end() keeps the entry */
	enum list_rank rank;
	uint64_t place; /* the key by which entries are sorted */
};

/* Starts as zeros; list_free() frees it. */
struct list {
	unsigned n;
	struct list_entry *entry; /* at first as found, after list_end() in order */
	unsigned more; /* after list_end(): events that have the words and are left out */
	unsigned tracepoints; /* the tracepoints among these events */
	int failed;	      /* memory ran out */
};

struct list_query {
	const struct words *words;
	int all;  /* also list what cannot be counted, and all tracepoints */
	int cpus; /* try events on CPUs, not on the caller */
	/*
	 * Find only the events of the session's table, and let them come before those of
	 * other sessions; without words all of them are listed, in the order of the
	 * table.
	 */
	int first;
	/*
	 * NULL, or called for each list of names that cannot be read: a sentence says
	 * which one, why, and what would help.
	 */
	void (*unread)(void *arg, const char *text);
	void *arg;
};

/* Add the events of a session that have the words, and try each of them. */
void list_find(struct list *l, cpc_t *cpc, const struct list_query *q);

/*
 * Keep one entry for each name, the one that -c would count. The event whose name was
 * given comes first, if it is counted. The order of the others is: events that count
 * exactly, then approximately, then simulated, then those that always are 0 or cannot be
 * counted. Within these the names come first that are alike on all machines, then the
 * machine's own events, then those of tables; and names that have the words come before
 * titles.
 *
 * Events that cannot be counted, and tracepoints whose group no word names, are left out
 * without all. An event for whose trial memory or descriptors did not suffice is in the
 * list, as is one whose name is the only word; and if no event with the words can be
 * counted, all of them are. Returns 0, or -1 with ENOMEM if the list is not complete.
 */
int list_end(struct list *l, const struct list_query *q);

void list_free(struct list *l);

#endif
