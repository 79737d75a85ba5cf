/*
 * A check of -mp that no thread was missed: inherited counters count the whole tree of
 * processes, and must not count more than the threads. They count the events that take
 * none of the processor's counters, and for all events the time on a processor.
 */
#ifndef PERFEX_TREE_H
#define PERFEX_TREE_H

#include <libpctx.h>
#include "set_list.h"

struct tree {
	struct set_list *s;
	cpc_set_t **set;     /* [s->n + 1], the last counts the time; NULL: no check */
	unsigned long lwps;  /* threads that were attached */
	uint64_t unattached; /* ns that they ran before that */
};

/*
 * Starts the check on the first thread of a program that has not run yet. What cannot be
 * counted is not checked.
 */
void tree_start(struct tree *t, struct set_list *s, pctx_t *pctx, id_t lwpid);

/* Tells the check of a thread that is attached and has not run in user mode yet. */
void tree_birth(struct tree *t, pid_t tid);

/*
 * When all processes have ended: returns whether the tree has counted more than the
 * threads. sum[i] has the counts of event i in all threads.
 */
int tree_missed(const struct tree *t, cpc_buf_t *const *sum);

void tree_end(struct tree *t);

#endif
