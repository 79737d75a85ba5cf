/*
 * What each process, CPU or cgroup of a run has counted in all, as a table. At most
 * FINALS_MOST are kept: a new one takes the place of the one with the smallest count.
 */
#ifndef SUITE_REPORT_FINALS_H
#define SUITE_REPORT_FINALS_H

#include "suite/record/run.h"
#include "suite/row/row.h"

enum { FINALS_MOST = 1024, FINALS_SHOWN = 20 };

/* A process, a cgroup, or a CPU, core, socket or bin. */
struct final {
	char *cgroup;	    /* its path, or NULL */
	int id;		    /* 0 with a cgroup */
	char name[16];	    /* of a process, as in comm of proc(5); "": not known */
	cpc_value_t *value; /* [events]; CPC_UNAVAILABLE without a value */
	/*
	 * [events] of a cgroup: the samples since its last total, which includes them. A
	 * new cgroup of the same path can follow a total.
	 */
	cpc_value_t *since;
};

/* Starts as zeros, but for scope and run, which lives as long. */
struct finals {
	enum row_scope scope;
	const struct record_run *run;
	unsigned events; /* of all sets */
	unsigned n;
	struct final *final;
	unsigned last;	  /* the one of the latest row */
	uint64_t dropped; /* that are not kept */
};

/*
 * Take a row: the totals of a process, a sample of a CPU, or both of a cgroup; others are
 * left out. Returns -1 with ENOMEM.
 */
int finals_add(struct finals *f, const struct row *row);

/*
 * Append the table, if there are at least two processes or CPUs, or one cgroup: CPUs by
 * their numbers; cgroups by their paths; of processes the
 * FINALS_SHOWN with the largest counts of the first event, and how many more there are.
 */
void finals_put(struct textbuf *b, struct finals *f, int grouped);

/* Call this when all rows have come, before the counts are read; finals_put() does. */
void finals_settle(struct finals *f);
void finals_free(struct finals *f);

#endif
