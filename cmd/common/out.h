/* Where rows and reports go, and whether they got there. */
#ifndef COMMON_OUT_H
#define COMMON_OUT_H

#include <stdio.h>

struct out {
	FILE *file;
	const char *name; /* of the file, for messages */
	int error;	  /* errno of the first write that failed, or 0 */
};

/* path NULL: a standard stream, of that name. -1 with errno: cannot be opened. */
int out_open(struct out *o, const char *path, FILE *stream, const char *name);

/*
 * Take a text, which is freed; NULL counts as ENOMEM. After an error nothing more is
 * written.
 */
void out_text(struct out *o, char *text);

/* What was taken is written, with one call if it is no more than BUFSIZ. */
void out_flush(struct out *o);

/* Both. */
void out_line(struct out *o, char *line);

/* Flush; close what was opened. */
void out_close(struct out *o);

/*
 * To be called first. A standard stream that is closed must not be taken by a file of ours:
 * writing to it is to fail. A program that is started finds it closed as before.
 */
void out_guard_streams(void);

/*
 * What was printed on standard output must arrive: a full disk is an error. Returns the exit
 * status; the second prints a text and frees it before (NULL: there was no memory).
 */
int out_flush_stdout(void);
int out_print(char *text);

#endif
