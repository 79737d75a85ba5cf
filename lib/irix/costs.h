/*
 * Cost tables: how many clocks each event takes on a processor (perfex -y). The built-in
 * tables are made from events/NAME.costs; a user's file has the same syntax:
 *
 *     cpu r10000              the processor whose events these are
 *     system IP27             the machine, in one word
 *     mhz 196                 the processor's clock rate
 *     synthetic TEXT          where the costs were not measured: their origin
 *     0 1 1 1                 event 0-31 and its typical, minimum and maximum clocks
 *     4 - - -                 an event whose costs are not known
 *
 * Each event has one line. A word that begins with "#" starts a comment. Numbers have up
 * to six decimals and are below 1,000,000. The locale has no effect.
 */
#ifndef IRIX_COSTS_H
#define IRIX_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { COSTS_NEVENTS = 32 };

#define COST_UNKNOWN UINT64_MAX

/*
 * The costs of one event, in millionths of a clock. All three or none are COST_UNKNOWN.
 */
struct cost {
	uint64_t typical, minimum, maximum;
};

struct costs {
	const char *name; /* "r10000_196"; NULL in a table from costs_parse() */
	const char *cpu, *system;
	uint64_t hz;
	const char *synthetic; /* the origin of costs that were not measured, or NULL */
	struct cost cost[COSTS_NEVENTS];
};

/* The built-in tables, a processor's default table first; the last has a NULL name. */
extern const struct costs costs_tables[];

/* Return the default table of a processor, or NULL if there is none. */
const struct costs *costs_of(const char *cpu);

struct costs_error {
	unsigned line; /* from 1; 0: the file could not be read */
	char text[160];
};

/*
 * Parse a table from a text of len bytes. The caller frees it with costs_free(). Returns
 * NULL with EINVAL and *err filled, or with ENOMEM.
 */
struct costs *costs_parse(const char *text, size_t len, struct costs_error *err);

/*
 * Return the table in the file of this name or, if no such file can be opened, the
 * built-in table of this name. The caller frees it with costs_free(). Returns NULL with
 * *err filled and errno: EINVAL if a line is wrong, of open(2) or read(2), EFBIG for a
 * file of 1 MiB or more, or ENOMEM.
 */
const struct costs *costs_load(const char *name, struct costs_error *err);

/* Free a table, or do nothing for NULL or a built-in table. */
void costs_free(const struct costs *c);

/*
 * Return the table as text that costs_parse() reads. The caller frees it. Returns NULL
 * with ENOMEM.
 */
char *costs_text(const struct costs *c);

/* Append v millionths as a decimal number without zeros at its end: "196", "196.608". */
void costs_put_millionths(struct textbuf *b, uint64_t v);

#endif
