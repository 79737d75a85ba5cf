/* Names of events alone, for the completion of a command line (--names-only). */
#ifndef SUITE_TELL_NAMES_H
#define SUITE_TELL_NAMES_H

#include <libcpc.h>

/*
 * Call fn for each event name that begins with prefix, sorted, and opens no event.
 * Tracepoints are left out unless tracepoints is not 0. If prefix is "TABLE::..." the
 * names of that table come with "TABLE::". Returns 0, or -1 with ENOMEM.
 */
int names_walk(cpc_t *cpc, const char *prefix, int tracepoints, void *arg,
	       void (*fn)(void *arg, const char *name));

#endif
