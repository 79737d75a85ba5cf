/*
 * A writer is one format of the reports about files of records (report.h): it takes the
 * runs of the files, one after the other, and makes text of them.
 */
#ifndef SUITE_REPORT_WRITER_H
#define SUITE_REPORT_WRITER_H

#include "suite/record/sink.h"
#include "suite/saved/lines.h"
#include "suite/saved/run.h"
#include "suite/screen/frame.h"
#include "suite/series/cells.h"
#include "suite/series/gate.h"
#include "suite/series/saved.h"

/* A comparison that the run has made: the numbers of two of its series. */
struct report_comparison {
	uint64_t reference, candidate;
	double alpha; /* the probability of a false alarm */
};

/* A run: its facts, and the series of repeated runs so far. */
struct report_run {
	const char *path; /* the file */
	struct saved_run facts;
	int is_guess; /* the record of the run is not in the file */
	unsigned nseries;
	struct saved_series *series; /* in their order in the file */
	unsigned ncomparisons;
	struct report_comparison *comparison;
	int has_cgroups; /* its rows are of cgroups */
	int has_tick;	 /* its latest row has cycles of the time-stamp counter */
	int has_ended;	 /* it has its last record */
	int signal;	 /* that ended the command or the measurement, or 0 */
	struct saved_node
		*gate; /* the record of the limits that it has judged, or NULL */
	int compared;  /* it can be compared with the file of --baseline */
	int judged;    /* the limits have results */
};

/* The members up to warn() are the caller's; the others start as zeros. */
struct report {
	const struct report_writer *writer;
	struct sink_output out; /* takes the text */
	int grouped;		/* counts have commas between thousands, for a terminal */
	int chart;		/* text: samples are shown as a chart */
	struct frame frame;	/* the room for a chart */
	int utf8;		/* a chart has block characters */
	int strict;		/* an unsure result of a limit is not accepted */
	const struct gate *gate;      /* the limits of --limit */
	const struct saved *baseline; /* the file of --baseline, or NULL */
	const char *baseline_name;
	/* Take a note, or a failure, about what is shown: a line without its end. */
	void (*note)(void *arg, const char *text);
	void (*warn)(void *arg, const char *text);
	struct textbuf text; /* that has not been written yet */
	int titled;	     /* CSV: the columns that have a title, 0: none */
	unsigned added; /* JSON: records that the run has besides those of the file */
	unsigned shown; /* runs that were shown */
	unsigned incomplete; /* of these, the ones without a last record */
	int exceeded;	     /* a limit is exceeded */
	int refused;	     /* a limit cannot be judged with these events */
	int unknown;	     /* runs cannot be compared, or a limit has no result */
	int failed;	     /* errno of the output, or 0: no more is written */
};

/*
 * A format. The operations append to r->text; those that return an int return 0, or -1
 * with ENOMEM. An operation that is NULL does nothing.
 */
struct report_writer {
	const char *name; /* of --format */
	int lacks_rows;	  /* a recording cannot be shown */
	/* Before the first run, and after the last. */
	int (*begin)(struct report *r);
	int (*end)(struct report *r);
	/* Each record, as it comes; the last one of a run after runs(). */
	int (*record)(struct report *r, const struct saved_line *line);
	/* A run with at least one series, when its last record has come. */
	int (*runs)(struct report *r, const struct report_run *run);
	/*
	 * Return a sink for the rows of a run, whose first one has come and has this
	 * scope, or NULL with ENOMEM. run outlives the sink, which report_output() lets
	 * append to r->text.
	 */
	struct sink *(*rows)(struct report *r, const struct report_run *run,
			     enum row_scope scope);
};

/* Returns the output of a sink that appends to r->text. */
struct sink_output report_output(struct report *r);

/* Returns the series with this number, or NULL. */
const struct saved_series *report_series(const struct report_run *run, uint64_t number);

/* Hand a judged comparison of a run over. Returns what put returns, or -1 with ENOMEM. */
struct report_taker {
	void *arg;
	int (*put)(void *arg, const struct judge_comparison *c);
};
int report_judge(const struct report_run *run, const struct report_comparison *c,
		 const struct report_taker *taker);

/* Append a time in UTC, which does not depend on the zone of the reader. */
void report_put_time(struct textbuf *b, int64_t unix_ns);

/*
 * Append two lines about a run: the file and the command; the tool, the host, the time,
 * and what has counted.
 */
void report_put_facts(struct textbuf *b, const struct report_run *run);

#endif
