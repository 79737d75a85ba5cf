/* The program that a recorder traces, and the files of its recordings. */
#ifndef LWPREC_TRACED_H
#define LWPREC_TRACED_H

#include <libpctx.h>

#include "record.h"

struct traced {
	const struct record *record; /* has the command and the name of -o */
	pctx_t *pctx;
	pid_t root;	   /* the command's process */
	int first;	   /* descriptor of -o, for the first image; -1: it was written */
	unsigned nfiles;   /* recordings so far */
	int failed;	   /* a file could not be written; the message was printed */
	int ended, status; /* of the command; the status is that of wait(2) */
};

/*
 * Create the process of the command, which has not executed an instruction, and then the
 * file of -o, so that a command that does not exist leaves an old file as it is. Returns
 * 0; or, after a message, the exit status.
 */
int traced_start(struct traced *t);

/* Print that the command cannot be recorded, and end it. Returns EXIT_TOOL. */
int traced_fail(struct traced *t);

/*
 * Run the command to its end, with calls of tick (or NULL) every msec milliseconds, as
 * forward_run() does. Returns the exit status, after a message if the run failed.
 */
int traced_run(struct traced *t, uint_t msec, int (*tick)(pctx_t *, pid_t, id_t, void *));

/*
 * To be called when a process has ended, with its status of wait(2), which is kept if the
 * process is the command's.
 */
void traced_ended(struct traced *t, pid_t pid, int status);

/*
 * Free pctx after the last recording, and kill the processes that still run because a
 * signal has ended the run.
 */
void traced_end(struct traced *t);

/*
 * Returns 1 if image n of the process is the first image of the command, else 0. Images
 * of a process are numbered from 0: each execve(2) begins a new one.
 */
int traced_is_first(const struct traced *t, pid_t pid, unsigned n);

/* The file of a recording. */
struct traced_file {
	char *name;
	int fd; /* -1: the file could not be opened; errno has the reason */
};

/* Open the file for the recording of image n of a process. */
struct traced_file traced_open(struct traced *t, pid_t pid, unsigned n);

/*
 * Close a file and free its name. written is 0, or -1 with errno if the file was not
 * opened or not written. incomplete names the parts that the recording lacks because
 * memory ran out; NULL: none. Prints a message if anything failed.
 */
void traced_close(struct traced *t, struct traced_file *f, int written,
		  const char *incomplete);

/* If there are several recordings, print their number and the names of their files. */
void traced_note_files(const struct traced *t);

#endif
