/*
 * Replacing a text file as a whole, so that a reader sees the old text or the new text,
 * and never a part. The new text is written to a new file in the same folder,
 * PATH.PID.N.tmp, which is then renamed to PATH. The new file is left behind only if the
 * process is killed.
 *
 * The file at PATH is locked (base/outfile.h) from the first call until replace_close(),
 * so that no two processes replace the same file in turn.
 */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include "base/text.h"

struct replace {
	const char *path;    /* the caller owns it */
	struct textbuf text; /* text that is not written yet */
	char *tmp;	     /* name of the new file; NULL: no new file */
	int fd;		     /* of the new file */
	int lock;	     /* a descriptor of the file that has the lock, or -1 */
	int error;	     /* the first errno of the new file */
};

/* Prepare to replace the file at path, which must outlive f. */
void replace_open(struct replace *f, const char *path);

/*
 * Returns the path of the file to which a symbolic link points, also through other links,
 * and whether the file exists or not; or a copy of a path that is no link. For free();
 * NULL with errno of readlink(2), ELOOP or ENOMEM. Replacing the link itself would leave
 * the old text in the file.
 */
char *replace_target(const char *path);

/* Remove the new file, if there is one, and release the lock. */
void replace_close(struct replace *f);

/*
 * Create a new file. Returns 0; or -1 with EWOULDBLOCK (another process replaces or
 * writes the file), ENOENT (empty path), EISDIR, EINVAL (path is a device or another
 * special file), ENOMEM, or errno of stat(2) or open(2).
 */
int replace_begin(struct replace *f);

/* Call this after text was appended: long text is written out. Errors are kept in f. */
void replace_grown(struct replace *f);

/*
 * Write the rest of the text and rename the new file. Returns 0; or -1 with the first
 * error of write(2), close(2) or rename(2), EWOULDBLOCK, or ENOMEM. The new file is then
 * removed.
 */
int replace_replace(struct replace *f);

/* Remove the new file, if there is one. Keeps errno. */
void replace_drop(struct replace *f);

#endif
