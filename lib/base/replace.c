#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* LONG bytes of text are written at once; up to NAMES names are tried for a new file. */
enum { LONG = 32768, NAMES = 1000 };

/* rename(2) would also replace a special file, such as /dev/null. */
static int can_be_replaced(const char *path)
{
	struct stat st;

	if (!*path) {
		errno = ENOENT;
		return 0;
	}
	if (stat(path, &st) == -1)
		return errno == ENOENT;
	if (S_ISREG(st.st_mode))
		return 1;
	errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	return 0;
}

/* A name may already be used by a process of the same pid in another container. */
static int create(struct replace *f)
{
	for (unsigned n = 0; n < NAMES; n++) {
		if (asprintf(&f->tmp, "%s.%ld.%u.tmp", f->path, (long)getpid(), n) ==
		    -1) {
			f->tmp = NULL;
			return -1;
		}
		f->fd = open(f->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (f->fd != -1)
			return 0;
		free(f->tmp);
		f->tmp = NULL;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

int replace_begin(struct replace *f)
{
	f->error = 0;
	f->text.len = 0;
	f->text.failed = 0;
	return can_be_replaced(f->path) ? create(f) : -1;
}

static int write_all(int fd, const char *s, size_t n)
{
	while (n) {
		const ssize_t done = write(fd, s, n);
		if (done == -1 && errno == EINTR)
			continue;
		if (done == -1)
			return -1;
		s += done;
		n -= (size_t)done;
	}
	return 0;
}

static void flush(struct replace *f)
{
	if (f->text.failed && !f->error)
		f->error = ENOMEM;
	if (!f->error && write_all(f->fd, f->text.s, f->text.len) == -1)
		f->error = errno;
	f->text.len = 0;
}

void replace_grown(struct replace *f)
{
	if (f->text.len >= LONG)
		flush(f);
}

/*
 * fsync(2) is not called because it takes milliseconds: after a crash of the machine the
 * counters start from 0 whatever is in the file.
 */
int replace_replace(struct replace *f)
{
	flush(f);
	if (close(f->fd) == -1 && !f->error)
		f->error = errno;
	f->fd = -1;
	if (!f->error && rename(f->tmp, f->path) == -1)
		f->error = errno;
	if (f->error) {
		errno = f->error;
		replace_drop(f);
		return -1;
	}
	free(f->tmp);
	f->tmp = NULL;
	return 0;
}

void replace_drop(struct replace *f)
{
	const int e = errno;

	if (!f->tmp)
		return;
	if (f->fd != -1)
		close(f->fd);
	unlink(f->tmp);
	free(f->tmp);
	f->tmp = NULL;
	errno = e;
}
