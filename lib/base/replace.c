#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"

/* LONG bytes of text are written at once; up to NAMES names are tried for a new file. */
enum { LONG = 32768, NAMES = 1000 };

/* Linux follows so many links (path_resolution(7)). */
enum { LINKS = 40 };

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

/* Returns what a link has as text, from the folder of the link; NULL with errno. */
static char *read_link(const char *path)
{
	char text[PATH_MAX], *target;
	const ssize_t n = readlink(path, text, sizeof text);
	const char *slash = strrchr(path, '/');

	if (n == -1)
		return NULL;
	const int folder = *text != '/' && slash ? (int)(slash - path) + 1 : 0;
	if (asprintf(&target, "%.*s%.*s", folder, path, (int)n, text) == -1) {
		errno = ENOMEM;
		return NULL;
	}
	return target;
}

char *replace_target(const char *path)
{
	char *at = strdup(path);

	for (unsigned n = 0; at && n < LINKS; n++) {
		char *next = read_link(at);

		/* A path that is no link, or does not exist. */
		if (!next && (errno == EINVAL || errno == ENOENT))
			return at;
		free(at);
		at = next;
	}
	if (at)
		errno = ELOOP;
	free(at);
	return NULL;
}

void replace_open(struct replace *f, const char *path)
{
	*f = (struct replace){.path = path, .fd = -1, .lock = -1};
}

static void unlock(struct replace *f)
{
	if (f->lock != -1)
		close(f->lock);
	f->lock = -1;
}

void replace_close(struct replace *f)
{
	replace_drop(f);
	unlock(f);
	free(f->text.s);
	f->text = (struct textbuf){0};
}

/* Some network file systems lock only files that are open for writing. */
static int open_present(const char *path)
{
	const int how = O_NONBLOCK | O_CLOEXEC;
	const int fd = open(path, O_RDWR | how);

	return fd == -1 && errno == EACCES ? open(path, O_RDONLY | how) : fd;
}

/*
 * Lock the file that has the name now; it may have been replaced while it was opened. A
 * file that does not exist, or cannot be opened at all, is not locked.
 */
static int lock_present(struct replace *f)
{
	for (unsigned n = 0; n < NAMES; n++) {
		f->lock = open_present(f->path);
		if (f->lock == -1)
			return 0;
		if (outfile_lock(f->lock) == -1) {
			unlock(f);
			errno = EWOULDBLOCK;
			return -1;
		}
		if (outfile_has_name(f->lock, f->path))
			return 0;
		unlock(f);
	}
	errno = EWOULDBLOCK;
	return -1;
}

/* The file may have been removed or replaced since it was locked. */
static int keep_lock(struct replace *f)
{
	if (f->lock != -1 && outfile_has_name(f->lock, f->path))
		return 0;
	unlock(f);
	return lock_present(f);
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
		if (f->fd != -1) {
			outfile_lock(f->fd);
			return 0;
		}
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
	if (!can_be_replaced(f->path) || keep_lock(f) == -1)
		return -1;
	return create(f);
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
 * Give the new file its name, and keep its lock. If there was no file to lock, another
 * process may have made one since: its file is not replaced.
 */
static int take_name(struct replace *f, int lock)
{
	int rc = -1;

	if (f->lock == -1) {
		rc = renameat2(AT_FDCWD, f->tmp, AT_FDCWD, f->path, RENAME_NOREPLACE);
		if (rc == -1 && errno == EEXIST && lock_present(f) == -1)
			return -1;
	}
	if (rc == -1)
		rc = rename(f->tmp, f->path);
	if (rc == -1)
		return -1;
	unlock(f);
	f->lock = lock;
	return 0;
}

/*
 * fsync(2) is not called because it takes milliseconds: after a crash of the machine the
 * counters start from 0 whatever is in the file.
 */
int replace_replace(struct replace *f)
{
	flush(f);
	/*
	 * close(2) may report an error of an earlier write; the lock is kept by a copy.
	 */
	const int lock = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	if (close(f->fd) == -1 && !f->error)
		f->error = errno;
	f->fd = -1;
	if (!f->error && take_name(f, lock) == -1)
		f->error = errno;
	if (f->error) {
		if (lock != -1)
			close(lock);
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
