/* The recording of a run: the facts about the run, and the sink that takes its rows. */
#ifndef COMMON_RECORDING_H
#define COMMON_RECORDING_H

#include <libcpc.h>
#include "child.h"
#include "options.h"
#include "out.h"
#include "suite/record/host.h"
#include "suite/record/run.h"
#include "suite/record/sink.h"

struct recording {
	struct record_run run;
	struct record_host host;
	struct launcher launcher;
	struct labels labels; /* of CPC_LABEL and --label */
	struct sink *sink;
	/*
	 * A second sink, which also takes the beginning and the end of the run, or
	 * NULL. The caller writes rows to it, and frees it.
	 */
	struct sink *file;
	char id[HOST_NAME_MAX + 48], rank[24];
	pid_t pid;
	int64_t start; /* ns of clock_ns(), or 0 before recording_begin() */
	/* ns since the start; 0: the run ends when recording_end() is called */
	int64_t end;
	int has_ended, status; /* the command has ended, with this status */
	int has_use;
	struct record_use use;
};

/* Return a sink that writes lines to out (sink_lines()); exits if memory runs out. */
struct sink *recording_lines(const struct row_style *style, int title, struct out *out);

/*
 * Add the labels of CPC_LABEL and --label. Exits with EXIT_USAGE, after a message, if one
 * is malformed.
 */
void recording_labels(struct labels *l, const struct options_shared *s);

/*
 * Fill *r with the facts about this process, its machine and the session, which can be
 * NULL. *r owns the sink, which is NULL if the caller writes the records. The caller then
 * adds the command, the interval and the sets to r->run. Exits with EXIT_USAGE, after a
 * message, if a label is malformed.
 */
void recording_open(struct recording *r, const struct options_shared *s, cpc_t *cpc,
		    struct sink *sink);

/* Free the sink and what *r owns: all of *r can be 0. */
void recording_close(struct recording *r);

/*
 * The run begins at a time in ns of clock_ns(), which was unix_ns ns after 1970: fill in
 * its start and its id. recording_begin() does this too.
 */
void recording_identify(struct recording *r, int64_t ns, int64_t unix_ns);

/*
 * The run begins at a time in ns of clock_ns(), which was unix_ns ns after 1970: write
 * its title or its first record. Returns what begin() of struct sink returns.
 */
int recording_begin(struct recording *r, int64_t ns, int64_t unix_ns);

/*
 * Write a row, which recording_flush() completes, or at once. They return what row() and
 * flush() of struct sink return.
 */
int recording_add(struct recording *r, const struct row *row);
int recording_flush(struct recording *r);
int recording_put(struct recording *r, const struct row *row);

/*
 * The command has ended, or the process of -p, with this status of waitpid(2): the last
 * record tells how, and what the command has used; use may be NULL.
 */
void recording_ended(struct recording *r, int status, const struct child_use *use);

/*
 * All rows have been written; notes on standard error follow. Does nothing if the run has
 * not begun.
 */
void recording_complete(struct recording *r);

/*
 * The run has ended with this exit status, and signal has ended the command or the
 * measurement (0: none has); skipped samples were left out. Does nothing if the run has
 * not begun.
 */
void recording_end(struct recording *r, int status, int signal, uint64_t skipped);

/*
 * A provisional report begins or ends: the rows between the two calls, and the end, are
 * not part of the run, and the caller removes them from the file before the next row.
 * Both do nothing if the run has not begun.
 */
void recording_provisional(struct recording *r);
void recording_provisional_end(struct recording *r);

/* Remove the facts about this process and its machine from the record of the run. */
void recording_forget_origin(struct recording *r);

/* Return the words joined by blanks, malloc'ed, or NULL with ENOMEM. */
char *recording_join(char *const *words);

#endif
