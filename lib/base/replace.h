/*
 * A text file that is replaced as a whole: a reader sees the old text or the new one, and
 * never a part. The new one is written to a file beside it, PATH.PID.N.tmp, which then
 * takes its name; only a process that is killed meanwhile leaves it behind.
 */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include "base/text.h"

/* Begins as zeros, with path set. */
struct replace {
	const char *path;
	struct textbuf text; /* not written yet */
	char *tmp;	     /* NULL: no new file */
	int fd;
	int error; /* the first errno of the new file */
};

/*
 * Begin a new file. -1: ENOENT, EISDIR, EINVAL (path is there and is neither a file nor a
 * folder), ENOMEM, as stat(2) and open(2).
 */
int replace_begin(struct replace *f);

/* To be called when text has grown: writes it out if it is long. Errors are kept. */
void replace_grown(struct replace *f);

/*
 * Write what is left and put the new file in the place of the old one. -1: the first
 * error, as write(2), close(2), rename(2), or ENOMEM; the new file is then gone.
 */
int replace_replace(struct replace *f);

/* The new file, if there is one, is not wanted. errno is kept. */
void replace_drop(struct replace *f);

#endif
