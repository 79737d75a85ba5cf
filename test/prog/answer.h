/*
 * Calls of processes that failcall.c does not trace, because the command traces them:
 * a filter of seccomp(2) that all processes below the command inherit asks a listener
 * about each call, as seccomp_unotify(2) describes.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

/*
 * Makes the listener of all later calls of this process. Returns its descriptor, or -1
 * with errno. Linux 5.19 and later let only deadly signals interrupt a call that the
 * listener has received.
 */
static int listener_new(void)
{
	struct sock_filter ask = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	const struct sock_fprog filter = {.len = 1, .filter = &ask};
	const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1)
		return -1;
	const int fd =
		(int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			     flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &filter);
	if (fd != -1 || errno != EINVAL)
		return fd;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

/* Does the process run this program? */
static int runs_program(pid_t pid, const struct stat *program)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return stat(path, &st) == 0 && st.st_dev == program->st_dev &&
	       st.st_ino == program->st_ino;
}

/*
 * Waits at most ms milliseconds for a call, and gives it the errno that decide() returns;
 * the call is made if this is 0.
 */
static void answer_call(int listener, int ms,
			int (*decide)(pid_t tid, long nr, const uint64_t *args))
{
	/* The kernel's structs may be longer than the header's. */
	union {
		struct seccomp_notif call;
		char room[512];
	} ask = {.room = {0}};
	union {
		struct seccomp_notif_resp call;
		char room[512];
	} answer = {.room = {0}};
	struct pollfd p = {.fd = listener, .events = POLLIN};
	uint64_t args[6];

	/* When no process has the filter any more, poll() would not wait. */
	if (poll(&p, 1, ms) == 1 && !(p.revents & POLLIN))
		poll(NULL, 0, ms);
	if (!(p.revents & POLLIN) ||
	    ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &ask) == -1)
		return;
	for (int i = 0; i < 6; i++)
		args[i] = ask.call.data.args[i];
	const int e = decide((pid_t)ask.call.pid, ask.call.data.nr, args);
	answer.call.id = ask.call.id;
	answer.call.error = -e;
	answer.call.flags = e ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	/* A process that was killed gets no answer. */
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) == -1 && errno != ENOENT)
		err(2, "cannot answer a call");
}

#endif
