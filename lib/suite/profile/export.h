/* Profiles in the formats of other tools. */
#ifndef SUITE_PROFILE_EXPORT_H
#define SUITE_PROFILE_EXPORT_H

#include "base/text.h"
#include "suite/profile/profile.h"

/*
 * Each call appends the whole file to b, and returns 0, or -1 with ENOMEM. A sample has
 * one instruction, and its stack is the module, the function, and the functions that are
 * inlined there. Metrics that another one covers are left out.
 */

/* A line "module;function;inlined count" for each stack, of one metric. */
int export_folded(struct textbuf *b, const struct profile *p, unsigned metric);

/* JSON that speedscope reads: one profile for each metric. */
int export_speedscope(struct textbuf *b, const struct profile *p);

/* The message of profile.proto, which pprof reads, not compressed. */
int export_pprof(struct textbuf *b, const struct profile *p);

/* Callgrind's format, which callgrind_annotate and KCachegrind read. */
int export_callgrind(struct textbuf *b, const struct profile *p);

/*
 * Append the name of a metric's event, or the event's name and the kind of number if
 * another metric of the profile has the same event.
 */
void export_metric_name(struct textbuf *b, const struct profile *p, unsigned metric);

#endif
