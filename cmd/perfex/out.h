/* Where reports go, and whether they got there. */
#ifndef OUT_H
#define OUT_H

#include <stdio.h>
#include <sys/types.h>

struct out {
	FILE *file;
	const char *name; /* of the file, for messages */
	int error;	  /* errno of the first write that failed, or 0 */
};

/* path NULL: standard error. -1 with errno: cannot be opened. */
int out_open(struct out *o, const char *path);

/*
 * Write a text, which is freed; NULL counts as ENOMEM. After an error nothing more is
 * written.
 */
void out_text(struct out *o, char *text);

/* The same, to the file FILE.tid of one thread; begin: nothing was written there yet. */
void out_thread(struct out *o, const char *file, pid_t tid, int begin, char *text);

/* Flush and close. */
void out_close(struct out *o);

#endif
