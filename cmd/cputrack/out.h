/* Where rows go, and whether they got there. */
#ifndef OUT_H
#define OUT_H

#include <row.h>
#include <stdio.h>

struct out {
	FILE *file;
	const char *name; /* of the file, for messages */
	int error;	  /* errno of the first write that failed, or 0 */
};

/* path NULL: standard output. -1 with errno: cannot be opened. */
int out_open(struct out *o, const char *path);

/*
 * Write a line, which is freed; NULL counts as ENOMEM. After an error nothing more is
 * written.
 */
void out_line(struct out *o, char *line);

/* Flush and close. */
void out_close(struct out *o);

#endif
