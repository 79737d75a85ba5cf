/*
 * Signals to a child of the caller, and the resources that the caller's children have
 * used. A signal never reaches another process that has got the same pid later.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* Old headers lack these numbers, which are the same on all processors but Alpha. */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

struct process {
	pid_t pid; /* 0: none */
	int fd; /* pidfd; -1: the kernel has none (before Linux 5.3), or none is left */
	unsigned long long born; /* fd is -1: start time (proc(5), stat field 22), or 0 */
};

/*
 * Looks up a child or a tracee of the caller that has not been reaped. Returns 0, or -1
 * with ESRCH if the caller has none of this pid; *p is then a process that gets no
 * signals. The caller closes *p.
 */
int process_open(struct process *p, pid_t pid);

/* From now on no signal is sent, also not by a signal handler. Keeps errno. */
void process_close(struct process *p);

/*
 * Sends a signal. Returns 0, or -1 with ESRCH if the process has been reaped, or EPERM.
 * Async-signal-safe. If fd is -1, the caller must be in the thread that reaps the
 * process.
 */
int process_signal(const struct process *p, int sig);

/*
 * Sends a signal that the caller received, as process_signal() does. The value and the
 * sender of sigqueue(3) are passed on too if fd is not -1.
 */
int process_pass_on(const struct process *p, const siginfo_t *info);

/*
 * Returns the sum of the times in us, the page faults and the context switches of the
 * children that the caller has waited for (getrusage(2)). As each child has some of them,
 * the sum grows whenever the caller waits for a child.
 */
uint64_t process_waited_usage(void);

#endif
