/* A run of the command; the part that does not depend on how it is counted. */
#ifndef PERFEX_RUN_H
#define PERFEX_RUN_H

#include <stdint.h>

#include "common/out.h"
#include "common/recording.h"
#include "irix/costs.h"
#include "options.h"
#include "set_list.h"

struct run {
	const struct options *o;
	struct set_list *s;
	struct out *out;
	struct sink_output output; /* where the rows go: *out, or the file of a thread */
	struct recording recording;
	const struct costs *costs; /* -y, or NULL */
	char *command;		   /* its arguments, joined by spaces; malloc'ed */
	char *const *argv;	   /* to execute: the command, or the simulator's */
	int64_t start;		   /* ns of clock_ns(), or 0: nothing was counted */
	unsigned unnamed;	   /* events at names that some programs do not have */
	int signal;		   /* that has ended the command or the run, or 0 */
};

/* Prepare a run. Returns -1 after a message, with the exit status in *status. */
int run_open(struct run *r, const struct options *o, struct set_list *s, struct out *out,
	     const struct costs *costs, int *status);
void run_close(struct run *r);

/*
 * The run begins at a time in ns of clock_ns(), which was unix_ns ns after 1970: set
 * r->start and write the title.
 */
void run_begin(struct run *r, int64_t ns, int64_t unix_ns);

/*
 * Write a report of the values in s->row at the time now, ns of clock_ns(): of process
 * pid and all that it has started, or, if tid is not 0, of one thread.
 */
void run_report(struct run *r, enum irix_scope scope, int64_t now, pid_t pid, pid_t tid);

/* Write the end of the recording, if the run has begun. */
void run_end(struct run *r, int status);

#endif
