/* Information about processes from proc(5). */
#ifndef BASE_PROCFS_H
#define BASE_PROCFS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Read a file of /proc/PID into buf. Returns buf, or NULL if that is not possible. */
char *procfs_text(pid_t pid, const char *name, char *buf, size_t size);

/*
 * Return a number of a line of /proc/PID/status: name is "Tgid:", for example, and field
 * 1 is the first number. Returns -1 if there is no such line or process.
 */
long procfs_status(pid_t pid, const char *name, int field);

/* Return the state letter of /proc/PID/stat, '?' if gone; *flags: PF_* of the kernel. */
char procfs_state(pid_t pid, unsigned *flags);

/*
 * Return how long, in ns, a thread has run on a processor, in the kernel and in user
 * mode; 0 if the thread has gone or the kernel has no schedstat.
 */
uint64_t procfs_run_time(pid_t tid);

/* Return the process of a thread, or the parent of a process; -1 if tid has gone. */
pid_t procfs_origin(pid_t tid);

/*
 * Return why a process that has just executed a new image does not run as it would
 * without a tracer: "set-id", since the kernel refuses the privileges of a set-id program
 * that is traced without privilege, or "unreadable". Returns NULL if the process can be
 * tracked.
 */
const char *procfs_exec_spoiled(pid_t pid);

/* Return kernel.yama.ptrace_scope, 0 to 3, or -1 if the kernel has no Yama. */
int procfs_yama(void);

#endif
