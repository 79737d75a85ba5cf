/* The program that a recorder traces, and the files of its recordings. */
#ifndef LWPREC_TRACED_H
#define LWPREC_TRACED_H

#include <libpctx.h>

#include "record.h"

struct traced {
	const struct record *record; /* the command and the name of the file */
	pctx_t *pctx;
	pid_t root; /* the command's process */
	int first;  /* descriptor of -o, for the first image; -1: it was written */
	unsigned nfiles;
	int failed;	   /* a file could not be written; the message was printed */
	int ended, status; /* of the command */
};

/*
 * Create the process of the command, which has not executed an instruction, and then the
 * file of -o, so that a command that does not exist leaves an old file as it is. Returns
 * 0; or, after a message, the exit status.
 */
int traced_start(struct traced *t);

/* Give up: print that the command cannot be recorded, and end it. Returns EXIT_TOOL. */
int traced_fail(struct traced *t);

/*
 * Run the command to its end, with calls of tick (or NULL) every msec milliseconds, as
 * forward_run() does. Returns the exit status, after a message if the run failed.
 */
int traced_run(struct traced *t, uint_t msec, int (*tick)(pctx_t *, pid_t, id_t, void *));

/* A process has ended: remember the status if it is the command's. */
void traced_ended(struct traced *t, pid_t pid, int status);

/* After the run and the last recording: free pctx, and end what a signal left running. */
void traced_end(struct traced *t);

/* Is the n-th image of a process the first image of the command? */
int traced_is_first(const struct traced *t, pid_t pid, unsigned n);

/* The file of a recording. */
struct traced_file {
	char *name;
	int fd; /* -1: it could not be opened; errno has the reason */
};

/* Open the file of the n-th image of a process. */
struct traced_file traced_open(struct traced *t, pid_t pid, unsigned n);

/*
 * Close a file and free its name. written: 0, or -1 with errno if the file was not opened
 * or not written. incomplete: what it lacks because memory ran out, or NULL. Prints what
 * failed.
 */
void traced_close(struct traced *t, struct traced_file *f, int written,
		  const char *incomplete);

/* Print how many recordings there are if there is more than one. */
void traced_note_files(const struct traced *t);

#endif
