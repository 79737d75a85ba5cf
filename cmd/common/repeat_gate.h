/* Repeated runs are compared with saved ones (--baseline), and limits (--limit). */
#ifndef COMMON_REPEAT_GATE_H
#define COMMON_REPEAT_GATE_H

#include "base/text.h"
#include "repeat_state.h"
#include "suite/series/limits.h"

/*
 * Before the runs: read the file of --baseline, and check that the limits can be judged.
 * Exits with EXIT_USAGE if an event is not counted or varies too much to be compared with
 * another moment, and with EXIT_TOOL if the saved runs cannot be compared with these, or
 * if --where cannot count the events by function.
 */
void repeat_gate_prepare(struct repeat *r);

/*
 * Return the words that are executed for a command, which are valid until the next call;
 * or NULL, after a message, with the exit status of the tool in *failed.
 */
char *const *repeat_gate_command(const struct repeat *r, const struct arm *a,
				 int *failed);

/*
 * Read what the functions of a command have counted in its last run, and print a note if
 * not all of them have names. Returns 0, or EXIT_TOOL after a message.
 */
int repeat_gate_read_where(const struct repeat *r, struct arm *a);

/*
 * Return the limits of these runs; reference has room for all commands but the last. The
 * result has no saved runs until repeat_gate_prepare() has read the file of --baseline.
 */
struct limits repeat_gate_limits(const struct repeat *r,
				 struct limits_reference *reference);

/* After the runs: the exit status, which is status unless a limit decides otherwise. */
int repeat_gate_status(struct repeat *r, int status);

/* Append a line for each limit, and the sum; nothing without limits. */
void repeat_gate_put(const struct repeat *r, struct textbuf *b);

/*
 * Append to sum, in one line, what the limits have shown, and their tables as Markdown to
 * tables. Returns 0 without limits.
 */
int repeat_gate_markdown(const struct repeat *r, struct textbuf *sum,
			 struct textbuf *tables);

/* Append the record of the limits. Returns how many records were appended, 0 or 1. */
int repeat_gate_record(const struct repeat *r, struct textbuf *b,
		       const struct row_run *run);

#endif
