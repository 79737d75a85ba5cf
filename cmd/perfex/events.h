/* Which events perfex is to count: those of -a, of -e, of the environment, or cycles. */
#ifndef PERFEX_EVENTS_H
#define PERFEX_EVENTS_H

#include "options.h"

struct chosen {
	int number;	  /* of perfex(1), or -1 */
	const char *name; /* in its table, or as typed */
	const char *label;
	char *spec; /* as of sets_add() */
};

struct events {
	unsigned n;
	struct chosen *event; /* those with numbers first, in their order */
};

/* Exits with EXIT_USAGE if they make no sense. */
void events_choose(struct events *e, const struct options *o);
void events_free(struct events *e);

#endif
