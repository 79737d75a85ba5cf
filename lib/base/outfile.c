#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int outfile_lock(int fd)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	return errno == EWOULDBLOCK ? -1 : 1;
}

/* Lock an open file, and empty it. A file that others write must not be emptied. */
static int take(int fd, unsigned flags)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return -1;
	if ((flags & OUTFILE_DERIVED) && (!S_ISREG(st.st_mode) || st.st_nlink != 1)) {
		errno = EEXIST;
		return -1;
	}
	if (!S_ISREG(st.st_mode))
		return 0;
	if (outfile_lock(fd) == -1)
		return -1;
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
	const int fd = open_for_writing(path, flags);

	if (fd == -1 || take(fd, flags) == 0)
		return fd;
	const int e = errno;
	close(fd);
	errno = e;
	return -1;
}
