/* A run of the command: what it has in common, however it is counted. */
#ifndef PERFEX_RUN_H
#define PERFEX_RUN_H

#include <stdint.h>

#include "common/out.h"
#include "irix/costs.h"
#include "options.h"
#include "set_list.h"

struct run {
	const struct options *o;
	struct set_list *s;
	struct out *out;
	const struct costs *costs; /* -y, or NULL */
	char *command;		   /* its words, with blanks between them */
	char *const *argv;	   /* what to execute */
	int64_t start;		   /* ns of clock_ns(); 0: nothing was counted */
};

/* -1: the exit status is in *status, and why was told. */
int run_open(struct run *r, const struct options *o, struct set_list *s, struct out *out,
	     const struct costs *costs, int *status);
void run_close(struct run *r);

/* A report as the options want it, of the values in s->row. */
struct irix_report run_report(const struct run *r, enum irix_scope scope, int64_t now,
			      pid_t pid);

/* Tells that the command could not be executed; returns the exit status for that. */
int run_not_executed(const struct run *r, int error);

#endif
