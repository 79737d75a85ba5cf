/*
 * The summary of a run, for people: one block of text at the end, with a line for each
 * event, its count in the whole run, a ratio, and in words how the count was obtained.
 */
#ifndef SUITE_SCREEN_SUMMARY_H
#define SUITE_SCREEN_SUMMARY_H

#include "suite/record/sink.h"

/*
 * Return a sink that adds up the final rows of a run and writes the block at its end, or
 * NULL with ENOMEM. The final rows are those of whole trees, the totals of processes and
 * of CPUs, and, of processes whose totals do not come, the last rows of their LWPs; other
 * rows are left out. Without any final row nothing is written. what names the thing that
 * is measured, such as the command; the caller keeps it. grouped: counts have commas
 * between thousands, for a terminal. The caller frees the sink.
 */
struct sink *summary_sink(const char *what, int grouped, struct sink_output out);

#endif
