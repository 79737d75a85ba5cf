/* The output of cpustat: rows, totals, and notes about the values. */
#ifndef CPUSTAT_REPORT_H
#define CPUSTAT_REPORT_H

#include "common/notes.h"
#include "common/out.h"
#include "common/recording.h"
#include "common/screen.h"
#include "options.h"
#include "suite/cpus/interval.h"
#include "suite/cpus/view.h"
#include "suite/row/row.h"

struct report {
	unsigned nsets;
	const struct row_set *const *set;
	struct recording recording; /* takes the rows */
	struct cpu_view *view;
	struct notes *notes;
	struct absent *absent;
	char *counted;	  /* [nsets]; the set had a turn */
	unsigned cgroups; /* width of the column of cgroups, or 0 */
	struct out out;
	struct screen screen; /* of out, for a chart */
};

/*
 * Prepare a report, without printing. set, of nsets elements, must outlive the report.
 * cpc is NULL if the samples are read from a file, whose run is then put into the
 * recording by the caller. unix_ns is the start of the run. Exits with a message if the
 * options are wrong for these sets.
 */
void report_open(struct report *r, const struct options *o, cpc_t *cpc,
		 const struct row_set *const *set, unsigned nsets, int64_t unix_ns);

/* Before report_open(), in *r that is all zero: the paths of cgroups have this width. */
void report_cgroups(struct report *r, unsigned width);

/*
 * Print the title. The run began at ns of clock_ns() and at unix_ns, with samples at this
 * interval.
 */
void report_begin(struct report *r, int64_t ns, int64_t unix_ns, int64_t interval_ns);

/* Print the rows of an interval. Returns -1, with r->out.error set, if writing failed. */
int report_interval(struct report *r, const struct cpu_interval *i);

/* The cgroup with this path is gone: print its totals. */
void report_ended(struct report *r, const char *cgroup);

/* Print the totals of all intervals, those of each cgroup if cgroups are counted. */
void report_totals(struct report *r);

/* Print on standard error how many intervals were left out, if any were. */
void report_skipped(uint64_t n);

/*
 * Print the notes on standard error. Returns the exit status: EXIT_TOOL if --strict needs
 * it.
 */
int report_notes(const struct report *r, const struct options *o);

/*
 * Print the end of the recording, with the exit status. signal has ended the run, or 0;
 * skipped intervals were left out.
 */
void report_end(struct report *r, int status, int signal, uint64_t skipped);

/* Free the report. Returns -1 after a message if some output could not be written. */
int report_close(struct report *r);

/* The CPUs that lack an event, for each event of a run. */
struct absent;

/* Returns NULL with ENOMEM. set, of nsets elements, must outlive the result. */
struct absent *absent_new(const struct row_set *const *set, unsigned nsets);

/* NULL is allowed. */
void absent_free(struct absent *a);

/* Add a CPU that lacks the event of request i of a set. Returns -1 with ENOMEM. */
int absent_add(struct absent *a, unsigned set, unsigned i, int cpu);

/*
 * Print the events with their CPUs on standard error. Returns nonzero if there are any.
 */
int absent_print(const struct absent *a);

#endif
