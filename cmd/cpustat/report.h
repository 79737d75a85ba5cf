/* What is shown of intervals: rows, totals, and what is to be said of the values. */
#ifndef CPUSTAT_REPORT_H
#define CPUSTAT_REPORT_H

#include "common/notes.h"
#include "common/out.h"
#include "options.h"
#include "report.h"
#include "suite/cpus/interval.h"
#include "suite/cpus/view.h"
#include "suite/row/row.h"

struct report {
	unsigned nsets;
	const struct row_set *const *set;
	struct row_style style;
	int no_title;
	struct cpu_view *view;
	struct notes *notes;
	struct absent *absent;
	struct out out;
};

/*
 * Prints nothing yet. set, nsets of them, must outlive it; unix_ns: when the run began. Exits
 * if the options do not make sense for these sets.
 */
void report_open(struct report *r, const struct options *o,
		 const struct row_set *const *set, unsigned nsets, int64_t unix_ns);

void report_title(struct report *r);

/* The rows of an interval. -1: they could not be written; r->out.error is set. */
int report_interval(struct report *r, const struct cpu_interval *i);

/* The totals of all intervals. */
void report_totals(struct report *r);

/* Say on stderr how many intervals were left out, if any were. */
void report_skipped(uint64_t n);

/* Say on stderr what is to be said of the values. Returns the exit status that this gives. */
int report_notes(const struct report *r, const struct options *o);

/* Frees; says what could not be written. -1: something could not. */
int report_close(struct report *r);

struct absent;

/* NULL: ENOMEM. set, nsets of them, must outlive it. */
struct absent *absent_new(const struct row_set *const *set, unsigned nsets);

/* NULL is allowed. */
void absent_free(struct absent *a);

/* A CPU does not have request i of a set. -1: ENOMEM. */
int absent_add(struct absent *a, unsigned set, unsigned i, int cpu);

/* Say it on stderr. Nonzero: there were some. */
int absent_print(const struct absent *a);

#endif
