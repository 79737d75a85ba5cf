/* A run of the command; the part that does not depend on how it is counted. */
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
	char *command;		   /* its arguments, joined by spaces; malloc'ed */
	char *const *argv;	   /* to execute: the command, or the simulator's */
	int64_t start;		   /* ns of clock_ns(), or 0: nothing was counted */
};

/* Prepare a run. Returns -1 after a message, with the exit status in *status. */
int run_open(struct run *r, const struct options *o, struct set_list *s, struct out *out,
	     const struct costs *costs, int *status);
void run_close(struct run *r);

/*
 * A report of the values in s->row at the time now, ns of clock_ns(), in the format of
 * the options. The caller prints it.
 */
struct irix_report run_report(const struct run *r, enum irix_scope scope, int64_t now,
			      pid_t pid);

/* Print that the command could not be executed. Returns the exit status for the errno. */
int run_not_executed(const struct run *r, int error);

#endif
