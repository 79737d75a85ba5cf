/*
 * A run as a chart: for each event a strip for each LWP, CPU, core, socket or bin over
 * time. Depends on the rows only.
 *
 * Time is in cells as long as an interval of the run, or a turn of all its sets. When the
 * cells of a timeline (timeline.h) are full, they become twice as long, so that the whole
 * run stays visible in bounded memory. At most CHART_LINES LWPs or CPUs are kept: a new
 * one takes the place of an LWP that has ended, the one with the smallest counts.
 */
#ifndef SUITE_SCREEN_CHART_H
#define SUITE_SCREEN_CHART_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "suite/record/sink.h"
#include "suite/screen/timeline.h"

enum { CHART_LINES = 1024 };

/* A line of the chart: an LWP, or a CPU, core, socket or bin. */
struct chart_line {
	pid_t pid;
	long long id;  /* of the LWP, CPU, core, socket or bin */
	char name[16]; /* of an LWP, as in comm of proc(5); "": not known */
	int ended;
	uint64_t tick;		    /* the number of the latest interval with a row */
	struct timeline **timeline; /* of each event; NULL: no value yet */
};

struct chart {
	struct sink sink; /* first: its address is that of the chart */
	enum row_scope scope;
	int pids; /* processes have several pids, which lines show */
	const struct record_run *run;
	unsigned nevents; /* of all sets */
	unsigned *first;  /* [nsets] the first event of a set among them */
	unsigned nlines;
	struct chart_line *line; /* [nlines], in the order of their first rows */
	unsigned alive;		 /* of these, the ones that have not ended */
	unsigned last;		 /* the line of the latest row */
	int64_t ns;		 /* time of the latest row */
	uint64_t tick;		 /* number of the latest interval, from 1; 0: none */
	unsigned ncells;	 /* cells up to the latest row */
	unsigned shift;		 /* a cell is as long as 1 << shift turns of the sets */
	unsigned reported;	 /* lines with a row in the latest interval */
	unsigned dropped;	 /* lines whose place others have, or that found none */
	int64_t drawn_ns;	 /* time of the latest row that was drawn, or 0 */
	int drawn;		 /* nothing has come since the chart was drawn */
	int ended;		 /* the last chart is drawn */
	int failed;		 /* memory ran out: the chart is not complete */
	struct chart_output {
		void *arg;
		/*
		 * Draw the chart, or report that it has failed; after the last one
		 * nothing more comes. Returns 0, or -1 with errno ENOMEM or that of the
		 * output.
		 */
		int (*draw)(void *arg, const struct chart *c, int last);
	} out;
};

/*
 * Return a sink that draws a chart of its rows: at the beginning, when all LWPs or CPUs
 * have had their rows of an interval, at most 25 times a second, and at the end. pids:
 * lines of LWPs show their process. The free() of the sink frees the chart. Returns NULL
 * with ENOMEM.
 */
struct sink *chart_new(enum row_scope scope, int pids, struct chart_output out);

/*
 * Draw the chart of such a sink as it is, if the run has begun and has not ended. Returns
 * what the drawing returns, or 0.
 */
int chart_redraw(struct sink *chart);

#endif
