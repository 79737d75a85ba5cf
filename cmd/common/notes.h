/* Notes, printed at the end of a run, about values that are not exact counts. */
#ifndef COMMON_NOTES_H
#define COMMON_NOTES_H

#include <sys/types.h>

#include <libcpc.h>
#include "suite/row/row.h"

/* The values of one request. */
struct note {
	unsigned long rows, missing; /* rows printed; rows without a value */
	cpc_value_t all; /* the other rows: the worst quality, and sums of the times */
};

struct notes {
	unsigned nsets;
	const struct row_set *const *set;
	struct note **note;    /* [nsets][set[]->n] */
	const char *uncounted; /* why the kernel has counted nothing, or NULL */
	const char *absent;    /* why rows have no values, or NULL: not known */
};

/* Returns NULL with ENOMEM. set, of nsets elements, must outlive the notes. */
struct notes *notes_new(const struct row_set *const *set, unsigned nsets);

/* NULL is allowed. */
void notes_free(struct notes *n);

/* A row with a value of a request was printed: record the value. */
static inline void note_add(struct note *note, const cpc_value_t *value)
{
	note->rows++;
	if (value->quality == CPC_UNAVAILABLE) {
		note->missing++;
		return;
	}
	note->all.enabled += value->enabled;
	note->all.running += value->running;
	if (value->quality > note->all.quality)
		note->all.quality = value->quality;
}

/*
 * A row of a set was printed: record the value of request i, or with notes_add() the
 * values of all its requests.
 */
static inline void notes_add_one(struct notes *n, unsigned set, unsigned i,
				 const cpc_value_t *value)
{
	note_add(&n->note[set][i], value);
}
void notes_add(struct notes *n, unsigned set, const cpc_value_t *value);

/*
 * Print the notes on standard error. simulated: a simulator counted. Returns
 * nonzero if some value was neither exact nor simulated.
 */
int notes_print(const struct notes *n, int simulated);

/* Print how a value was counted, if that is not exactly as requested; how may be NULL. */
void notes_words(const char *name, const cpc_value_t *value, const char *how);

/* Print which events the columns of rows have: the default events have no -c. */
void notes_columns(const struct row_set *set);

/*
 * If program, a command that was counted, starts the ranks of a parallel program, print
 * which of them are counted.
 */
void notes_launcher(const char *program);

/* Print that the kernel never found counters for an event of a set of n events. */
void notes_no_counters(const char *name, const char *how, unsigned n);

/* Print a note about ticks that were skipped because they were late, if any were. */
void notes_skipped(unsigned long ticks);

/*
 * Report that the command has ended, and for which of its processes the run waits: the
 * first, and so many more.
 */
void notes_waiting(pid_t first, unsigned more);

/* Returns whether standard input is a pipe from which something may still come. */
int notes_is_pipe(void);

/*
 * After repeated runs: print a note if all was read from standard input, which was such a
 * pipe before: only one run can have read it.
 */
void notes_pipe(int was_pipe);

#endif
