/* The facts about a run that was saved: its record of the kind "run". */
#ifndef SUITE_SAVED_RUN_H
#define SUITE_SAVED_RUN_H

#include "suite/record/run.h"
#include "suite/saved/sets.h"

/* The strings live as long as the structure. */
struct saved_run {
	/* Without argv, label, host and launcher. Unknown facts are NULL. */
	struct record_run run;
	struct saved_sets sets; /* to which run.set points */
	const char *cpu_model;
	/* The run counts cgroups; the longest path at its beginning has this width. */
	int has_cgroups;
	unsigned cgroup_width;
	char rank[24]; /* to which run.row.rank points */
	struct saved_node *record;
};

/*
 * Fill *r from a copy of a record, which *r keeps. Returns 0; or -1 with EINVAL if the
 * record is malformed, or with ENOMEM. saved_run_free() is called in each case.
 */
int saved_run_read(struct saved_run *r, const struct saved_node *record);
void saved_run_free(struct saved_run *r);

/*
 * Fill *r for a row of a run whose own record is not in the file, as in the files of
 * threads of perfex -mp: only its id and its set are known. *r keeps a copy of the
 * row. Returns as saved_run_read().
 */
int saved_run_guess(struct saved_run *r, const struct saved_node *row);

/* Fill *end, and *use if it is known, from the record of the kind "end". */
void saved_run_end(struct record_end *end, struct record_use *use,
		   const struct saved_node *record);

#endif
