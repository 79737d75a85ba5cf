/*
 * A sink takes the rows of a run and decides what becomes of them: lines of text, CSV or
 * JSON, a report. A command hands each row over once.
 */
#ifndef SUITE_RECORD_SINK_H
#define SUITE_RECORD_SINK_H

#include <stddef.h>

#include "suite/record/run.h"
#include "suite/row/row.h"

/*
 * The operations return 0; or -1 with errno ENOMEM, or the errno of the output, after
 * which the sink writes no more.
 */
struct sink {
	/* The run begins. *run must live until end(). */
	int (*begin)(struct sink *s, const struct record_run *run);
	int (*row)(struct sink *s, const struct row *row);
	/* Write what row() has not written yet. */
	int (*flush)(struct sink *s);
	/*
	 * A provisional report begins, which ends with an end() of a provisional end.
	 * What is written then is not part of the run: the caller removes it before the
	 * next row.
	 */
	void (*provisional)(struct sink *s);
	/*
	 * All rows have come: notes on standard error follow, before end(). NULL: nothing
	 * to do.
	 */
	int (*complete)(struct sink *s);
	/* The run has ended, or a provisional report of the run is complete. */
	int (*end)(struct sink *s, const struct record_end *end);
	void (*free)(struct sink *s);
};

/* Writes n bytes of text; text is NULL if memory ran out. Returns 0, or -1 with errno. */
struct sink_output {
	void *arg;
	int (*write)(void *arg, const char *text, size_t n);
};

/*
 * Return a sink that writes rows as row_line() makes them. JSON is written with the first
 * and the last record of the run, each record by one call of out.write; text and CSV are
 * written by flush(), and with the title only if title is not 0. The caller frees the
 * result. Returns NULL with ENOMEM.
 */
struct sink *sink_lines(const struct row_style *style, int title, struct sink_output out);

#endif
