/* The rows that cputrack prints. */
#ifndef CPUTRACK_ROWS_H
#define CPUTRACK_ROWS_H

#include "state.h"

/* Prints a row. If the output fails, the run is stopped. */
void rows_print(struct track *t, const struct row *row);

/* Prints the values of buf, a sample of this set, with the word of the event. */
void rows_print_values(struct track *t, const char *word, pctx_t *pctx, pid_t pid,
		       id_t lwp, unsigned set, cpc_buf_t *buf);

/*
 * Prints a row "tick" of t->delta, the counts of a set since its previous sample, and has
 * the table of --threads drawn if it is due.
 */
void rows_print_tick(struct track *t, pctx_t *pctx, pid_t pid, id_t lwp, unsigned set);

/*
 * These print a row of totals for each set that was sampled; rows_print_proc() prints
 * rows without values for the other sets.
 */
void rows_print_lwp(struct track *t, const char *word, pctx_t *pctx, pid_t pid, id_t id,
		    const struct counted_lwp *l);
void rows_print_proc(const struct counted_proc *p, const char *word, pctx_t *pctx,
		     id_t id);

/* Print that an LWP has created a process, or that a process has executed a program. */
void rows_print_fork(const struct counted_proc *parent, id_t lwp, pid_t child);
void rows_print_exec(const struct counted_proc *p, id_t lwp, const char *cmd);

/*
 * Prints rows of what the whole tree of processes has counted and no LWP of another row.
 */
void rows_print_rest(struct track *t);

/*
 * Prints notes on standard error about the sets that got no turn, in the whole run or in
 * some processes. Returns whether there are such sets.
 */
int rows_print_turns(const struct track *t);

#endif
