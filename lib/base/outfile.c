#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* How often a file is opened if other processes replace it each time. */
enum { TRIES = 1000 };

int outfile_has_name(int fd, const char *path)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

int outfile_lock(int fd)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	return errno == EWOULDBLOCK ? -1 : 1;
}

/*
 * Lock an open file, and then empty it: a file that another process writes must not be
 * emptied. Returns 0; -1 with errno; or 1 if path does not name the file any more, as
 * another process may have replaced the file before it released the lock.
 */
static int take(int fd, const char *path, unsigned flags)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return -1;
	if ((flags & OUTFILE_DERIVED) && (!S_ISREG(st.st_mode) || st.st_nlink > 1)) {
		errno = EEXIST;
		return -1;
	}
	if (!S_ISREG(st.st_mode))
		return 0;
	if (outfile_lock(fd) == -1)
		return -1;
	if (!outfile_has_name(fd, path))
		return 1;
	return flags & OUTFILE_APPEND ? 0 : ftruncate(fd, 0);
}

/* O_NONBLOCK: to open a FIFO without a reader fails with ENXIO and does not wait. */
static int open_for_writing(const char *path, unsigned flags)
{
	int how = O_WRONLY | O_CREAT | O_CLOEXEC;

	if (flags & OUTFILE_DERIVED)
		how |= O_NOFOLLOW | O_NONBLOCK;
	if (flags & OUTFILE_APPEND)
		how |= O_APPEND;
	const int fd = open(path, how, 0666);
	if (fd == -1 && (flags & OUTFILE_DERIVED) && (errno == ENXIO || errno == ELOOP))
		errno = EEXIST;
	return fd;
}

int outfile_open(const char *path, unsigned flags)
{
	for (unsigned n = 0; n < TRIES; n++) {
		const int fd = open_for_writing(path, flags);
		const int rc = fd == -1 ? -1 : take(fd, path, flags);

		if (rc == 0 || fd == -1)
			return fd;
		const int e = errno;
		close(fd);
		errno = e;
		if (rc == -1)
			return -1;
	}
	errno = EWOULDBLOCK;
	return -1;
}
