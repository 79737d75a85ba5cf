#include "engine/sim/memory_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* SIGXFSZ is blocked so that a size above the limit gives an error and no signal. */
static int set_size(int fd, off_t size)
{
	const struct timespec now = {0};
	sigset_t limit, before, pending;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	sigpending(&pending);
	const int rc = ftruncate(fd, size), e = errno;
	if (rc == -1 && e == EFBIG && !sigismember(&pending, SIGXFSZ))
		sigtimedwait(&limit, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = e;
	return rc;
}

int memory_file(const char *name, off_t size)
{
	const int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd == -1 || set_size(fd, size) == 0)
		return fd;
	const int e = errno;
	close(fd);
	errno = e;
	return -1;
}

int memory_file_write(int fd, const void *from, size_t size, off_t at)
{
	const ssize_t n = pwrite(fd, from, size, at);

	if (n >= 0 && n != (ssize_t)size)
		errno = ENOSPC;
	return n == (ssize_t)size ? 0 : -1;
}
