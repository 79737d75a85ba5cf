/* The facts about a run that was saved: its record of the kind "run". */
#ifndef SUITE_SAVED_RUN_H
#define SUITE_SAVED_RUN_H

#include "suite/record/run.h"

/* The strings live as long as the structure. */
struct saved_run {
	/* Without argv, label, host, launcher and sets. Unknown facts are NULL. */
	struct record_run run;
	const char *cpu_model;
	char rank[24]; /* to which run.row.rank points */
	struct json_t *record;
};

/*
 * Fill *r from a record, which *r keeps. Returns 0; or -1 with EINVAL if the record is
 * malformed, or with ENOMEM. saved_run_free() is called in each case.
 */
int saved_run_read(struct saved_run *r, struct json_t *record);
void saved_run_free(struct saved_run *r);

#endif
