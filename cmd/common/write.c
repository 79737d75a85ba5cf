#include "write.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * The text that is being written. The handler jumps out of write(2), because a flag that
 * it sets just before the call would not interrupt the call, and because O_NONBLOCK would
 * also be set for the other processes that have the file open. A wait for POLLOUT does
 * not suffice: another process can fill the pipe before the call.
 */
static struct {
	sigjmp_buf give_up;
	volatile int fd;
	volatile int64_t since; /* ns of clock_ns() */
	volatile sig_atomic_t active;
} text;

static volatile sig_atomic_t given_up;

static sigset_t unblocked; /* while text is written */
static int unblocks;	   /* some signals are */

void write_unblock(const sigset_t *set)
{
	unblocks = set != NULL;
	if (set)
		unblocked = *set;
}

/* A file that has an error takes text: the write fails at once. */
static int takes_text(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return poll(&p, 1, 0) != 0;
}

void write_give_up(int64_t waited_ns)
{
	if (!text.active || clock_ns() - text.since < waited_ns || takes_text(text.fd))
		return;
	text.active = 0;
	given_up = 1;
	siglongjmp(text.give_up, 1);
}

/* Another process may have made the file non-blocking for all. */
static int is_full(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return (errno == EAGAIN || errno == EWOULDBLOCK) &&
	       (poll(&p, 1, -1) != -1 || errno == EINTR);
}

static ssize_t write_some(int fd, const char *s, size_t n)
{
	ssize_t done;

	if (sigsetjmp(text.give_up, 1)) {
		errno = ECANCELED;
		return -1;
	}
	text.fd = fd;
	text.since = clock_ns();
	text.active = 1;
	do
		done = write(fd, s, n);
	while (done == -1 && (errno == EINTR || is_full(fd)));
	text.active = 0;
	return done;
}

/* A file that takes text takes at least PIPE_BUF bytes. */
static ssize_t write_if_taken(int fd, const char *s, size_t n)
{
	if (takes_text(fd))
		return write_some(fd, s, n < PIPE_BUF ? n : PIPE_BUF);
	errno = ECANCELED;
	return -1;
}

int write_text(int fd, const char *s, size_t n)
{
	ssize_t done = 0;
	sigset_t mask;

	if (unblocks)
		sigprocmask(SIG_UNBLOCK, &unblocked, &mask);
	while (n) {
		done = given_up ? write_if_taken(fd, s, n) : write_some(fd, s, n);
		if (done == -1)
			break;
		s += done;
		n -= (size_t)done;
	}
	if (unblocks)
		sigprocmask(SIG_SETMASK, &mask, NULL);
	return done == -1 ? -1 : 0;
}
