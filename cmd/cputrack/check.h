/*
 * A check that no LWP was missed: inherited counters count the whole tree of processes,
 * and what they count more than the LWPs of the rows is reported. They count the events
 * that take none of the processor's counters; without such events they count the time on
 * a processor, of which each LWP has some.
 */
#ifndef CPUTRACK_CHECK_H
#define CPUTRACK_CHECK_H

#include "state.h"

/*
 * Starts the check on the first LWP of a program that has not run yet. If that fails,
 * there is no check.
 */
void check_start(struct track *t, pctx_t *pctx, id_t lwpid);

/* Tells the check of a new LWP that is attached and has not run in user mode yet. */
void check_birth(struct track *t, pid_t tid);

/* Adds the totals of an LWP that has ended. */
void check_add(struct track *t, const struct counted_lwp *l);

/* Ends the check without a report, because some process is not followed. */
void check_cancel(struct track *t);

/*
 * Stores what the tree has counted and the ended LWPs have not, for a set of the command
 * line; an event that is not checked is unavailable. Returns whether there is a value.
 */
int check_rest(const struct track *t, unsigned set, cpc_value_t *value);

/*
 * When all processes have ended: reports on standard error what was missed, and ends the
 * check. Returns whether something was missed.
 */
int check_end(struct track *t);

#endif
