/* What lwprec record was asked for, and the recorders. */
#ifndef LWPREC_RECORD_H
#define LWPREC_RECORD_H

#include <err.h>
#include <stdio.h>
#include <sys/types.h>

#include "common/options.h"
#include "common/status.h"
#include "engine/engine.h"
#include "preload.h"

struct record {
	struct options_shared shared;
	const char *file;	       /* -o */
	const char *events;	       /* -e, or NULL */
	enum record_emulation emulate; /* --emulate */
	char *const *argv;	       /* the command and its arguments */
};

/*
 * Return the name of a file for a process image: file itself if n is 0, which is the
 * first image of the command, else FILE.PID.N. The caller frees the name. Exits with
 * EXIT_TOOL if no memory is available.
 */
static inline char *record_name(const char *file, pid_t pid, unsigned n)
{
	char *name;
	const int r = n ? asprintf(&name, "%s.%d.%u", file, (int)pid, n)
			: asprintf(&name, "%s", file);

	if (r == -1)
		err(EXIT_TOOL, "cannot name the recording");
	return name;
}

/*
 * The recorders: each runs the command, writes the recordings and returns the exit
 * status: the command's own, or EXIT_TOOL after a message.
 */
int record_emulate(const struct record *r); /* LWP instructions of the program */
int record_sim(const struct record *r);	    /* events of the simulator */
int record_perf(const struct record *r);    /* samples of perf events */

/*
 * Are perf events the source of the events of -e (NULL: of no -e) if the user has not
 * chosen one? They are where a PMU has all of them, and of events that the simulator does
 * not have.
 */
int record_perf_suits(const char *events);

/*
 * Call add with arg for each event of the text of -e, "NAME" or "NAME:INTERVAL" (1 to
 * 2^25; 0: none is given). If add returns -1, exits with the text that it has stored:
 * with EXIT_USAGE, or EXIT_TOOL unless errno is EINVAL, EEXIST, ENOENT or ENOSPC.
 * Exits with EXIT_USAGE if an interval is wrong.
 */
void record_each_event(const char *text,
		       int (*add)(void *arg, const char *name, uint64_t interval,
				  struct why *why),
		       void *arg);

#endif
