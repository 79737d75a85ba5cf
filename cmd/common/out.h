/* The file or stream that rows and reports are written to, with its first error. */
#ifndef COMMON_OUT_H
#define COMMON_OUT_H

#include <stdio.h>

struct out {
	FILE *file;
	const char *name; /* for messages */
	int error;	  /* errno of the first write that failed, or 0 */
};

/*
 * Open the file at path or, if path is NULL, use stream, which messages call name.
 * Returns -1 with errno if the file cannot be opened.
 */
int out_open(struct out *o, const char *path, FILE *stream, const char *name);

/*
 * Append text to the buffer and free it; NULL counts as ENOMEM. Only printable characters,
 * tabs and line breaks are written, the others as '?'. After an error nothing more is
 * written.
 */
void out_text(struct out *o, char *text);

/* Write the buffered text, with one write(2) if it is at most BUFSIZ bytes long. */
void out_flush(struct out *o);

/* out_text() and out_flush(). */
void out_line(struct out *o, char *line);

/* Flush, and close the file if out_open() opened it. */
void out_close(struct out *o);

/*
 * Keep files that the command opens off the numbers of closed standard streams, so that
 * output to a closed stream fails and does not go into such a file. A program that is
 * started later finds the streams closed as before. main() calls this first.
 */
void out_guard_streams(void);

/*
 * Flush standard output. Returns the exit status: EXIT_TOOL, after a message, on an
 * error.
 */
int out_flush_stdout(void);

/* Print text as out_text() does on standard output, free it and flush. Exits if text is NULL (no memory). */
int out_print(char *text);

#endif
