#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int pidfd_signal(int fd, int sig, const siginfo_t *info)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, sig, info, 0);
}

/*
 * Writes the path of the stat file of a process. Async-signal-safe, unlike snprintf(3).
 */
static const char *stat_path(char path[32], pid_t pid)
{
	char digits[16], *d = &digits[sizeof digits - 1];

	*d = '\0';
	do
		*--d = (char)('0' + pid % 10);
	while ((pid /= 10));
	return strcat(strcat(strcpy(path, "/proc/"), d), "/stat");
}

/* Returns the time at which a process began, in clock ticks; 0 if it cannot be read. */
static unsigned long long birth_of(pid_t pid)
{
	enum { STATE = 3, STARTTIME = 22 }; /* fields, proc(5) */
	char path[32], buf[1024];
	const int fd = open(stat_path(path, pid), O_RDONLY | O_CLOEXEC);

	if (fd == -1)
		return 0;
	const ssize_t n = read(fd, buf, sizeof buf - 1);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	/* The command name before the state may contain any character, also ')'. */
	const char *s = strrchr(buf, ')');
	for (int field = STATE - 1; s && field < STARTTIME; field++)
		s = strchr(s + 1, ' ');
	return s ? strtoull(s + 1, NULL, 10) : 0;
}

/* Returns whether a child or tracee of the caller has this pid and was not reaped. */
static int is_waited_for(pid_t pid)
{
	siginfo_t info;

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL);
}

/*
 * If the pid gets another owner between the two checks, the pidfd is of a process that
 * ended.
 */
int process_open(struct process *p, pid_t pid)
{
	*p = (struct process){.pid = pid, .fd = (int)syscall(SYS_pidfd_open, pid, 0)};
	if (!is_waited_for(pid)) {
		process_close(p);
		errno = ESRCH;
		return -1;
	}
	/* Linux before 5.1 and some seccomp filters allow no signals by a pidfd. */
	if (p->fd != -1 && pidfd_signal(p->fd, 0, NULL) == -1) {
		close(p->fd);
		p->fd = -1;
	}
	if (p->fd == -1)
		p->born = birth_of(pid);
	return 0;
}

void process_close(struct process *p)
{
	const int saved = errno, fd = p->fd;

	/* A signal handler may come between any two of these. */
	__atomic_store_n(&p->pid, 0, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	p->fd = -1;
	if (fd != -1)
		close(fd);
	errno = saved;
}

static int send_signal(const struct process *p, int sig, const siginfo_t *info)
{
	if (p->pid <= 0) {
		errno = ESRCH;
		return -1;
	}
	if (p->fd != -1)
		return pidfd_signal(p->fd, sig, info);
	if (is_waited_for(p->pid) && birth_of(p->pid) == p->born)
		return kill(p->pid, sig);
	errno = ESRCH;
	return -1;
}

int process_signal(const struct process *p, int sig)
{
	return send_signal(p, sig, NULL);
}

/* The kernel takes information of others from sigqueue(3) alone. */
int process_pass_on(const struct process *p, const siginfo_t *info)
{
	return send_signal(p, info->si_signo, info->si_code == SI_QUEUE ? info : NULL);
}

uint64_t process_waited_usage(void)
{
	struct rusage u;

	if (getrusage(RUSAGE_CHILDREN, &u) == -1)
		return 0;
	return (uint64_t)(u.ru_minflt + u.ru_majflt + u.ru_nvcsw + u.ru_nivcsw +
			  u.ru_utime.tv_usec + u.ru_stime.tv_usec +
			  1000000 * (u.ru_utime.tv_sec + u.ru_stime.tv_sec));
}
