#include "base/holder.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum request { PROBE = 'p', CREATE = 'c' };

static pid_t probe(void)
{
	const pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return pid;
}

/*
 * The new process becomes a child of the holder's parent. It needs no more of the C
 * library than an exec, for which this system call does enough. It closes the holder's
 * socket, so that the calling process notices when the holder dies.
 */
static pid_t create(int fd, const int end[2], void (*child)(void *arg, int fd), void *arg)
{
	const pid_t pid =
		(pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0) {
		close(fd);
		child(arg, end[1]);
	}
	return pid;
}

/* Runs in the holder, until the calling process closes the socket or dies. */
static void serve(int fd, const int end[2], void (*child)(void *arg, int fd), void *arg)
{
	char request;
	ssize_t n;

	close(end[0]);
	while ((n = read(fd, &request, 1)) == 1 || (n == -1 && errno == EINTR)) {
		if (n == -1)
			continue;
		const pid_t pid =
			request == PROBE ? probe() : create(fd, end, child, arg);
		const int answer[2] = {pid, pid == -1 ? errno : 0};

		if (request == CREATE)
			close(end[1]);
		if (write(fd, answer, sizeof answer) != sizeof answer)
			break;
	}
	_exit(0);
}

int holder_start(struct holder *h, const int end[2], void (*child)(void *arg, int fd),
		 void *arg)
{
	int fd[2];

	*h = HOLDER_NONE;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == -1)
		return -1;
	h->pid = fork();
	if (h->pid == 0) {
		close(fd[0]);
		serve(fd[1], end, child, arg);
	}
	const int e = errno;
	close(fd[1]);
	if (h->pid == -1)
		close(fd[0]);
	else
		h->fd = fd[0];
	errno = e;
	return h->pid == -1 ? -1 : 0;
}

static pid_t request(const struct holder *h, char what)
{
	int answer[2];
	ssize_t n;

	if (send(h->fd, &what, 1, MSG_NOSIGNAL) != 1)
		return -1;
	while ((n = recv(h->fd, answer, sizeof answer, MSG_WAITALL)) == -1 &&
	       errno == EINTR)
		;
	if (n != sizeof answer) {
		errno = ESRCH;
		return -1;
	}
	errno = answer[1];
	return answer[0];
}

pid_t holder_probe(const struct holder *h)
{
	return request(h, PROBE);
}

pid_t holder_create(const struct holder *h)
{
	return request(h, CREATE);
}

void holder_end(struct holder *h)
{
	const int e = errno;

	if (h->pid > 0) {
		close(h->fd);
		while (waitpid(h->pid, NULL, 0) == -1 && errno == EINTR)
			;
	}
	*h = HOLDER_NONE;
	errno = e;
}
