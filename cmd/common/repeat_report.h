/* What repeated runs have shown: tables, or records of JSON. */
#ifndef COMMON_REPEAT_REPORT_H
#define COMMON_REPEAT_REPORT_H

#include "out.h"
#include "repeat_state.h"

/* Exit because no memory is available. */
void repeat_no_memory(void) __attribute__((noreturn));

/*
 * Write what the runs so far have shown. status is the exit status of the tool. Warnings
 * about the runs of a single command go to standard error.
 */
void repeat_report(const struct repeat *r, struct out *out, int status);

/* --save: end the tool with a message if the file cannot be written, before the runs. */
void repeat_save_prepare(const struct repeat *r);

/* --save: write the file. Returns -1 after a message. */
int repeat_save(const struct repeat *r, int status);

/*
 * The runs began at this time, ns of clock_ns(). Nothing is shown with --quiet, and if
 * standard error is no terminal that can erase a line (TERM is unset or "dumb").
 */
void progress_begin(struct progress *p, int64_t start);

/*
 * Show that n runs, or what the word calls them, have been made; not more often than ten
 * times a second. The line is never wider than the window is at present.
 */
void progress_show(struct progress *p, size_t n, const char *word);

/* Erase the line. */
void progress_end(const struct progress *p);

#endif
