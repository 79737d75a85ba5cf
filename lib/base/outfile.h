/*
 * Opening output files so that no two processes write the same file: a regular file is
 * locked with flock(2) before it is emptied, and until it is closed. Devices and pipes
 * are not locked. Where a file system has no such locks, files are opened without them.
 */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

enum outfile_flags {
	/*
	 * The program, not its user, has chosen the name, and a file of that name may be
	 * of another user: it must be a regular file with one name, and no symbolic link.
	 */
	OUTFILE_DERIVED = 1,
	OUTFILE_APPEND = 2, /* do not empty the file */
};

/*
 * Open the file at path for writing, and create it if it does not exist. Returns a
 * descriptor, which is closed by exec; or -1 with EWOULDBLOCK if another process writes
 * the file, EEXIST if OUTFILE_DERIVED refuses it, or errno of open(2) or ftruncate(2).
 */
int outfile_open(const char *path, unsigned flags);

/*
 * Returns 1 if path names the open file, else 0: the file may have been removed or
 * replaced since it was opened.
 */
int outfile_has_name(int fd, const char *path);

/*
 * Lock an open file, which may be locked already by the same descriptor. Returns 0; 1
 * with errno of flock(2) if its file system has no locks; or -1 with EWOULDBLOCK if
 * another process holds the lock.
 */
int outfile_lock(int fd);

#endif
