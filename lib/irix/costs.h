/*
 * Costs: how many clocks an event takes on a processor, as perfex -y has them. Tables of
 * events/NAME.costs, or text of a user's file in the same language:
 *
 *     cpu r10000              of which processor's events
 *     system IP27             the machine, a word
 *     mhz 196                 the processor's clock
 *     synthetic of ...        where the figures are not those of a machine: what they are
 *     0 1 1 1                 event 0-31, clocks: typical, minimum, maximum; each event once
 *     4 - - -                 what it costs is not known
 *
 * What follows "#" at the beginning of a word is a comment. Numbers have up to six decimals
 * and are below 1,000,000; nothing depends on the locale.
 */
#ifndef IRIX_COSTS_H
#define IRIX_COSTS_H

#include <stddef.h>
#include <stdint.h>

enum { COSTS_NEVENTS = 32 };

#define COST_UNKNOWN UINT64_MAX

/* Of one event, in millionths of a clock; all three are COST_UNKNOWN or none is. */
struct cost {
	uint64_t typical, minimum, maximum;
};

struct costs {
	const char *name; /* "r10000_196"; NULL: of a text */
	const char *cpu, *system;
	uint64_t hz;
	const char *synthetic; /* how the figures were made; NULL: a machine's */
	struct cost cost[COSTS_NEVENTS];
};

/* Those of the suite: of each processor the one to use first; ends with .name NULL. */
extern const struct costs costs_tables[];

/* The table to use for a processor, NULL if there is none. */
const struct costs *costs_of(const char *cpu);

struct costs_error {
	unsigned line; /* from 1 */
	char text[160];
};

/*
 * The table in a text of len bytes, for costs_free(). NULL: EINVAL with *err filled, or
 * ENOMEM.
 */
struct costs *costs_parse(const char *text, size_t len, struct costs_error *err);

/* What costs_parse() made. NULL is allowed. */
void costs_free(struct costs *c);

/* The table as text that costs_parse() reads, malloc'ed. NULL: ENOMEM. */
char *costs_text(const struct costs *c);

#endif
