/*
 * A writer is one format of the reports about files of records (report.h): it takes the
 * runs of the files, one after the other, and makes text of them.
 */
#ifndef SUITE_REPORT_WRITER_H
#define SUITE_REPORT_WRITER_H

#include "suite/record/sink.h"
#include "suite/saved/run.h"
#include "suite/series/saved.h"

/* A comparison that the run has made: the numbers of two of its series. */
struct report_comparison {
	uint64_t reference, candidate;
	double alpha; /* the probability of a false alarm */
};

/* A run with repeated runs of commands, complete as the file has it. */
struct report_run {
	const char *path; /* the file */
	struct saved_run facts;
	unsigned nseries;
	struct saved_series *series; /* in their order in the file */
	unsigned ncomparisons;
	struct report_comparison *comparison;
	int has_ended; /* it has its last record */
};

/* The first four members are the caller's; the others start as zeros. */
struct report {
	const struct report_writer *writer;
	struct sink_output out; /* takes the text */
	int grouped;		/* counts have commas between thousands, for a terminal */
	/* Takes a note about what is shown, a line without its end. */
	void (*note)(void *arg, const char *text);
	struct textbuf text; /* that has not been written yet */
	unsigned shown;	     /* runs that were shown */
	unsigned incomplete; /* of these, the ones without a last record */
	int failed;	     /* errno of the output, or 0: no more is written */
};

/* A format. The operations append to r->text, and return 0, or -1 with ENOMEM. */
struct report_writer {
	const char *name; /* of --format */
	/* Before the first run, and after the last; NULL: nothing to do. */
	int (*begin)(struct report *r);
	int (*end)(struct report *r);
	/* A run with at least one series. */
	int (*runs)(struct report *r, const struct report_run *run);
};

/* Returns the series with this number, or NULL. */
const struct saved_series *report_series(const struct report_run *run, uint64_t number);

/*
 * Append two lines about a run: the file and the command; the tool, the host, the time,
 * and what has counted.
 */
void report_put_facts(struct textbuf *b, const char *path, const struct saved_run *facts);

#endif
