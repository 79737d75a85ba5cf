/* What proc(5) tells of processes. */
#ifndef BASE_PROCFS_H
#define BASE_PROCFS_H

#include <stddef.h>
#include <sys/types.h>

/* A file of /proc/PID as a string, in buf. NULL: gone, or not ours to read. */
char *procfs_text(pid_t pid, const char *name, char *buf, size_t size);

/*
 * The number after "Name:" in /proc/PID/status; field 1 is the first of several. -1:
 * none.
 */
long procfs_status(pid_t pid, const char *name, int field);

/* State letter and flags (PF_* of the kernel) of /proc/PID/stat; '?' if it is gone. */
char procfs_state(pid_t pid, unsigned *flags);

/* The process of a thread, the parent of a process; -1: it is gone. */
pid_t procfs_origin(pid_t tid);

/*
 * Why a process that has just executed a new image cannot be tracked as it would have run
 * by itself: the kernel refuses the privileges of a set-id program to one that is traced
 * without privilege. NULL: it can.
 */
const char *procfs_exec_spoiled(pid_t pid);

/* kernel.yama.ptrace_scope, 0..3; -1: there is no Yama. */
int procfs_yama(void);

#endif
