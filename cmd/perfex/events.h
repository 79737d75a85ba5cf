/* The events that perfex counts: all (-a), those of -e or the environment, or cycles. */
#ifndef PERFEX_EVENTS_H
#define PERFEX_EVENTS_H

#include "options.h"

struct chosen {
	int number;	    /* of perfex(1), or -1 */
	const char *name;   /* in the table, or as the user wrote it */
	const char *label;  /* for reports */
	char *spec;	    /* for sets_add(), malloc'ed */
	const char *source; /* the option or environment variable that has the event */
};

struct events {
	unsigned n;
	struct chosen *event; /* events with numbers first, in ascending order */
	int by_default;	      /* neither options nor environment name an event */
};

/*
 * Fill *e from the options and the environment. Exits with EXIT_USAGE, after a message,
 * if a number is out of range or two events need the same counter.
 */
void events_choose(struct events *e, const struct options *o);
void events_free(struct events *e);

#endif
