/*
 * Keys of system calls for failcall.c. A key is the name of the call. A call that has
 * several requests, such as ptrace(2), or that works on several kinds of files has the
 * request or the kind of the file behind a dot: "ptrace.CONT", "read.proc".
 */
#ifndef CALLKEYS_H
#define CALLKEYS_H

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

struct name {
	long number;
	const char *name;
};

/* clang-format off */
#define CALL(x) { SYS_##x, #x }
static const struct name calls[] = {
	CALL(open), CALL(stat), CALL(lstat), CALL(poll), CALL(access), CALL(pipe),
	CALL(select), CALL(dup2), CALL(fork), CALL(vfork), CALL(rename), CALL(unlink),
	CALL(readlink), CALL(mkdir), CALL(alarm), CALL(time), CALL(arch_prctl),
	CALL(getdents), CALL(inotify_init), CALL(epoll_wait), CALL(rmdir), CALL(chmod),
	CALL(getpgrp),
	CALL(read), CALL(write), CALL(close), CALL(fstat), CALL(lseek), CALL(mmap),
	CALL(mprotect), CALL(munmap), CALL(bpf), CALL(brk), CALL(rt_sigaction),
	CALL(rt_sigprocmask),
	CALL(ioctl), CALL(pread64), CALL(pwrite64), CALL(readv), CALL(writev),
	CALL(pipe2), CALL(sched_yield), CALL(mremap), CALL(madvise), CALL(dup),
	CALL(dup3), CALL(nanosleep), CALL(clock_nanosleep), CALL(getpid), CALL(gettid),
	CALL(getppid), CALL(clone), CALL(clone3), CALL(execve), CALL(exit),
	CALL(exit_group), CALL(wait4), CALL(waitid), CALL(kill), CALL(tgkill),
	CALL(tkill), CALL(uname), CALL(fcntl), CALL(flock), CALL(fsync), CALL(ftruncate),
	CALL(getcwd), CALL(chdir), CALL(getrlimit), CALL(getrusage), CALL(sysinfo),
	CALL(ptrace), CALL(getuid), CALL(geteuid), CALL(getgid), CALL(getegid),
	CALL(setpgid), CALL(getpgid), CALL(getsid), CALL(setsid), CALL(personality),
	CALL(statfs), CALL(fstatfs), CALL(prctl), CALL(setrlimit), CALL(futex),
	CALL(sched_setaffinity), CALL(sched_getaffinity), CALL(getdents64),
	CALL(set_tid_address), CALL(timer_create), CALL(timer_settime),
	CALL(timer_delete), CALL(clock_gettime), CALL(clock_getres), CALL(gettimeofday),
	CALL(openat), CALL(openat2), CALL(mkdirat), CALL(unlinkat), CALL(renameat),
	CALL(renameat2), CALL(readlinkat), CALL(faccessat), CALL(faccessat2),
	CALL(newfstatat), CALL(statx), CALL(ppoll), CALL(pselect6), CALL(set_robust_list),
	CALL(rseq), CALL(prlimit64), CALL(getrandom), CALL(memfd_create),
	CALL(perf_event_open), CALL(process_vm_readv), CALL(process_vm_writev),
	CALL(signalfd4), CALL(timerfd_create), CALL(timerfd_settime), CALL(eventfd2),
	CALL(epoll_create1), CALL(epoll_ctl), CALL(epoll_pwait), CALL(pidfd_open),
	CALL(pidfd_send_signal), CALL(pidfd_getfd), CALL(kcmp), CALL(rt_sigtimedwait),
	CALL(rt_sigqueueinfo), CALL(rt_sigsuspend), CALL(rt_sigpending),
	CALL(rt_sigreturn), CALL(sigaltstack), CALL(setitimer), CALL(getitimer),
	CALL(restart_syscall), CALL(fallocate), CALL(fadvise64), CALL(socket),
	CALL(connect), CALL(sendto), CALL(recvfrom), CALL(sendmsg), CALL(recvmsg),
	CALL(socketpair), CALL(umask), CALL(fchmod), CALL(fchown), CALL(copy_file_range),
	CALL(sendfile), CALL(close_range), CALL(membarrier), CALL(getcpu), CALL(linkat),
	CALL(sched_getscheduler), CALL(sched_setscheduler), CALL(sched_getparam),
	CALL(getpriority), CALL(setpriority), CALL(inotify_init1),
	CALL(inotify_add_watch), CALL(inotify_rm_watch), CALL(getresuid), CALL(getresgid),
	CALL(setns), CALL(unshare), CALL(msync), CALL(mincore), CALL(mlock),
	CALL(fdatasync), CALL(truncate), CALL(capget), CALL(getgroups), CALL(utimensat),
	CALL(getxattr), CALL(lgetxattr), CALL(fgetxattr),
};

#define REQUEST(x) { PTRACE_##x, #x }
static const struct name requests[] = {
	REQUEST(TRACEME), REQUEST(PEEKTEXT), REQUEST(PEEKDATA), REQUEST(POKETEXT),
	REQUEST(POKEDATA), REQUEST(PEEKUSER), REQUEST(POKEUSER), REQUEST(CONT),
	REQUEST(KILL), REQUEST(SINGLESTEP), REQUEST(GETREGS), REQUEST(SETREGS),
	REQUEST(ATTACH), REQUEST(DETACH), REQUEST(SYSCALL), REQUEST(SETOPTIONS),
	REQUEST(GETEVENTMSG), REQUEST(GETSIGINFO), REQUEST(SETSIGINFO),
	REQUEST(GETREGSET), REQUEST(SETREGSET), REQUEST(SEIZE), REQUEST(INTERRUPT),
	REQUEST(LISTEN), REQUEST(GETSIGMASK), REQUEST(SETSIGMASK),
	REQUEST(GET_SYSCALL_INFO),
};

#define CONTROL(x) { PERF_EVENT_IOC_##x, #x }
static const struct name controls[] = {
	CONTROL(ENABLE), CONTROL(DISABLE), CONTROL(RESET), CONTROL(REFRESH), CONTROL(ID),
	CONTROL(PERIOD), CONTROL(SET_OUTPUT), CONTROL(PAUSE_OUTPUT),
	{ TCGETS, "TCGETS" }, { TIOCGWINSZ, "TIOCGWINSZ" },
};
/* clang-format on */

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const char *name_of(const struct name *table, size_t n, long number)
{
	for (size_t i = 0; i < n; i++)
		if (table[i].number == number)
			return table[i].name;
	return NULL;
}

/* Returns the kind of a file: errors of procfs and sysfs are not those of a disk. */
static const char *kind_of_path(const char *path)
{
	static const char *const start[][2] = {
		{"/proc/", "proc"},    {"/sys/", "sys"},
		{"/dev/", "dev"},      {"/memfd:", "memfd"},
		{"pipe:", "pipe"},     {"anon_inode:[perf_event]", "perf"},
		{"socket:", "socket"},
	};
	const char *last = strrchr(path, '/');
	if (last && !strcmp(last, "/mounts"))
		return "mounts";
	for (size_t i = 0; i < LENGTH(start); i++)
		if (!strncmp(path, start[i][0], strlen(start[i][0])))
			return start[i][1];
	return *path == '/' || *path == '.' || !strchr(path, ':') ? "file" : "other";
}

/* Returns the kind of the file of a descriptor of the process. */
static const char *kind_of_fd(pid_t pid, unsigned long fd)
{
	char link[64], path[256];
	snprintf(link, sizeof(link), "/proc/%d/fd/%lu", pid, fd);
	const ssize_t n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	const char *kind = n > 0 ? kind_of_path(path) : "none";
	return fd <= 2 && !strcmp(kind, "pipe") ? "stdpipe" : kind;
}

static const char *kind_at(pid_t pid, unsigned long address)
{
	char path[32] = "";
	const struct iovec to = {path, sizeof(path) - 1},
			   from = {(void *)address, sizeof(path) - 1};
	process_vm_readv(pid, &to, 1, &from, 1, 0);
	return kind_of_path(path);
}

/* Is this a path of a process in /proc, but not of the caller's own? */
static int is_of_pid(pid_t pid, unsigned long address)
{
	char path[8] = "";
	const struct iovec to = {path, sizeof(path) - 1},
			   from = {(void *)address, sizeof(path) - 1};
	process_vm_readv(pid, &to, 1, &from, 1, 0);
	return !strncmp(path, "/proc/", 6) && path[6] >= '1' && path[6] <= '9';
}

static const char *decimal(unsigned long n)
{
	static char text[32];
	return snprintf(text, sizeof(text), "%lu", n) > 0 ? text : "";
}

/*
 * Some system calls do one of several things, which an argument selects: ptrace(2) by its
 * request, read(2) by the kind of file that it reads. Returns a name for what this call
 * does, or NULL if the system call does one thing only.
 */
static const char *request_of(pid_t pid, long number, const uint64_t *args)
{
	const char *name = NULL;
	switch (number) {
	case SYS_ptrace:
		name = name_of(requests, LENGTH(requests), (long)args[0]);
		return name ? name : decimal(args[0]);
	case SYS_ioctl:
		name = name_of(controls, LENGTH(controls), (long)args[1]);
		return name ? name : decimal(args[1]);
	case SYS_fcntl:
		return decimal(args[1]);
	case SYS_prctl:
		return decimal(args[0]);
	case SYS_futex:
		return decimal(args[1] & 0x7f);
	case SYS_wait4:
		return args[2] & WNOHANG ? "nohang" : "blocks";
	case SYS_waitid:
		return args[3] & WNOHANG ? "nohang" : "blocks";
	case SYS_read:
	case SYS_pread64:
	case SYS_write:
	case SYS_pwrite64:
		return kind_of_fd(pid, args[0]);
	case SYS_readlink:
		return is_of_pid(pid, args[0]) ? "pid" : NULL;
	case SYS_openat:
		return args[2] & O_CREAT ? "create" : kind_at(pid, args[1]);
	}
	return NULL;
}

/* Writes the key of a call to key. */
static void make_key(char *key, size_t size, pid_t pid, long number, const uint64_t *args)
{
	const char *name = name_of(calls, LENGTH(calls), number);
	const char *request = request_of(pid, number, args);
	if (!name)
		snprintf(key, size, "call-%ld", number);
	else
		snprintf(key, size, "%s%s%s", name, request ? "." : "",
			 request ? request : "");
}

#endif
