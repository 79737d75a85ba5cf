#include "cpc/strict.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/why.h"

/*
 * The first 8 bytes of the file hold the generation: the time when a CPU was last bound.
 * The byte at CPUS + n is locked while CPU n is bound. The locks belong to open file
 * descriptions (fcntl(2), F_OFD_SETLK): they also exclude sets of one process from each
 * other, and end with the process.
 */
enum { FIRST_GENERATION = 1, CPUS = 4096 };

static const char file_name[] = "opencpc.strict";

void strict_open(struct strict *s)
{
	const char *want = getenv("CPC_STRICT");

	s->on = want && strcmp(want, "1") == 0;
	s->fd = -1;
}

void strict_close(struct strict *s)
{
	if (s->fd != -1)
		close(s->fd);
}

/*
 * Callers know other errors of open(2) as reasons of a bind: ENOENT is a CPU without the
 * event.
 */
static int errno_of_file(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM ? error : EACCES;
}

static int refuse_file(struct why *why, const char *path, const char *reason)
{
	return why_refuse(why, errno_of_file(errno),
			  "%s: %s; CPC_STRICT=1 needs a file there (or in another "
			  "$XDG_RUNTIME_DIR) that only this user can write",
			  path, reason);
}

/*
 * Check that the file is a regular file of this user, reached by no other name,
 * which no other user can write.
 */
static int is_ours(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       st.st_nlink == 1 && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/*
 * The sticky bit keeps the file from being cleaned away, and a relative $XDG_RUNTIME_DIR
 * is ignored (XDG Base Directory Specification).
 */
int strict_file(const char *name, struct why *why)
{
	const char *dir = secure_getenv("XDG_RUNTIME_DIR");
	char path[PATH_MAX];

	if (!dir || *dir != '/')
		dir = "/run";
	if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, name) >= sizeof path) {
		errno = ENAMETOOLONG;
		return refuse_file(why, "$XDG_RUNTIME_DIR", strerror(errno));
	}
	const int fd = open(
		path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
		S_ISVTX | S_IRUSR | S_IWUSR);
	if (fd == -1)
		return refuse_file(why, path, strerror(errno));
	if (is_ours(fd))
		return fd;
	close(fd);
	errno = EACCES;
	return refuse_file(why, path, "not a plain file of this user's own");
}

/* Returns a generation for a file of any length and content. */
static uint64_t generation_of(int fd)
{
	uint64_t generation = 0;

	return pread(fd, &generation, sizeof generation, 0) > 0 && generation
		       ? generation
		       : FIRST_GENERATION;
}

static struct flock lock_of(off_t start, off_t len)
{
	return (struct flock){
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = len};
}

/*
 * The generation is read before the locks are checked: a CPU that is taken in between is
 * seen by its lock, a later one by its new generation.
 */
int strict_lwp_bind(struct strict *s, uint64_t *generation, struct why *why)
{
	*generation = 0;
	if (!s->on)
		return 0;
	if (s->fd == -1)
		s->fd = strict_file(file_name, why);
	if (s->fd == -1)
		return -1;
	struct flock l = lock_of(CPUS, 0);

	*generation = generation_of(s->fd);
	if (fcntl(s->fd, F_OFD_GETLK, &l) == -1)
		return refuse_file(why, "F_OFD_GETLK", strerror(errno));
	if (l.l_type == F_UNLCK)
		return 0;
	return why_refuse(
		why, EAGAIN,
		"a set is bound to CPU %lld, and CPC_STRICT=1 allows no LWP to be "
		"bound meanwhile",
		(long long)(l.l_start - CPUS));
}

int strict_lwp_valid(const struct strict *s, uint64_t generation)
{
	if (!generation || generation_of(s->fd) == generation)
		return 0;
	errno = EAGAIN;
	return -1;
}

int strict_cpu_take(const struct strict *s, int cpu, int *token, struct why *why)
{
	*token = STRICT_OFF;
	if (!s->on)
		return 0;
	const int fd = strict_file(file_name, why);
	if (fd == -1)
		return -1;
	struct flock l = lock_of(CPUS + (off_t)cpu, 1);

	if (fcntl(fd, F_OFD_SETLK, &l) == 0) {
		*token = fd;
		return 0;
	}
	const int err = errno;
	close(fd);
	errno = err;
	if (err != EAGAIN && err != EACCES)
		return refuse_file(why, "F_OFD_SETLK", strerror(err));
	return why_refuse(
		why, EAGAIN,
		"CPU %d has a set bound already, and CPC_STRICT=1 allows only one at a "
		"time",
		cpu);
}

/*
 * The generation is the time, so that no generation comes twice, even if the file is
 * replaced. write(2) is used because truncating a mapped file kills the processes that
 * read the map.
 */
int strict_cpu_bound(int token)
{
	struct timespec now;

	if (token == STRICT_OFF)
		return 0;
	clock_gettime(CLOCK_BOOTTIME, &now);
	const uint64_t generation =
		(uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	return pwrite(token, &generation, sizeof generation, 0) == sizeof generation ? 0
										     : -1;
}

void strict_cpu_give(int token)
{
	const int saved = errno;

	if (token != STRICT_OFF)
		close(token);
	errno = saved;
}
