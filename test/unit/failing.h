/*
 * Calls of the library that fail. The linker replaces each call of the C library that
 * FAILING in test/progs.mk names by the function __wrap_NAME of this file (--wrap), and
 * failing_each() lets them fail, one in each run of an act, with each errno of a table.
 *
 * An act is what a test does with the library. It undoes all that it has done, and
 * returns 0, or -1 with errno and the words of the refusal. After each run the process
 * must have the same open files as before, and must have released the memory that it
 * allocated.
 *
 * To be included once in a program.
 */
#ifndef FAILING_H
#define FAILING_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "breakpoints.h"

/* A call that fails, and its errno. Allocations are the call "memory". */
struct failure {
	const char *call;
	int err;
};

struct act {
	const char *name;
	int (*run)(char *words, size_t size);
	int for_root;	     /* only root may do this */
	int for_breakpoints; /* this takes breakpoints that count */
	int others[4]; /* errnos that the library may give instead of that of the call */
};

enum { FAILING_MEMORY = 4096 };

static struct {
	struct failure failure;
	unsigned nth;	/* the call that fails; 0: none */
	unsigned calls; /* of the kind that fails */
	void *memory[FAILING_MEMORY];
	unsigned nmemory;
	int warm; /* a run may not keep memory any more */
} failing;

/* Returns 1 with errno if this call is the one that fails. */
static int failing_now(const char *call)
{
	if (!failing.nth || strcmp(call, failing.failure.call) != 0 ||
	    ++failing.calls != failing.nth)
		return 0;
	errno = failing.failure.err;
	return 1;
}

static void *failing_note(void *p)
{
	if (p && failing.nmemory == FAILING_MEMORY)
		abort();
	if (p)
		failing.memory[failing.nmemory++] = p;
	return p;
}

static void failing_forget(const void *p)
{
	for (unsigned i = failing.nmemory; p && i-- > 0;)
		if (failing.memory[i] == p) {
			failing.memory[i] = failing.memory[--failing.nmemory];
			return;
		}
}

/* Declares __real_NAME(), and begins the definition of __wrap_NAME(). */
#define FAILING_CALL(type, name, params) \
	type __real_##name params;       \
	type __wrap_##name params;       \
	type __wrap_##name params

FAILING_CALL(void *, malloc, (size_t size))
{
	return failing_now("memory") ? NULL : failing_note(__real_malloc(size));
}

FAILING_CALL(void *, calloc, (size_t n, size_t size))
{
	return failing_now("memory") ? NULL : failing_note(__real_calloc(n, size));
}

FAILING_CALL(void *, aligned_alloc, (size_t align, size_t size))
{
	return failing_now("memory") ? NULL
				     : failing_note(__real_aligned_alloc(align, size));
}

FAILING_CALL(void *, reallocarray, (void *old, size_t n, size_t size))
{
	if (failing_now("memory"))
		return NULL;
	failing_forget(old);
	return failing_note(__real_reallocarray(old, n, size));
}

FAILING_CALL(void *, realloc, (void *old, size_t size))
{
	if (failing_now("memory"))
		return NULL;
	failing_forget(old);
	return failing_note(__real_realloc(old, size));
}

FAILING_CALL(char *, strdup, (const char *s))
{
	return failing_now("memory") ? NULL : failing_note(__real_strdup(s));
}

/* Most objects of the library come from pools, which seldom allocate. */
struct pool;

FAILING_CALL(void *, pool_get, (struct pool * pool))
{
	return failing_now("memory") ? NULL : __real_pool_get(pool);
}

FAILING_CALL(cpu_set_t *, __sched_cpualloc, (size_t n))
{
	return failing_now("memory") ? NULL : failing_note(__real___sched_cpualloc(n));
}

/* Declares as asprintf(3), which the C library also calls __asprintf_chk. */
#define FAILING_ASPRINTF(name, params)                \
	FAILING_CALL(int, name, params)               \
	{                                             \
		va_list ap;                           \
                                                      \
		if (failing_now("memory"))            \
			return -1;                    \
		va_start(ap, fmt);                    \
		const int n = vasprintf(to, fmt, ap); \
		va_end(ap);                           \
		failing_note(n < 0 ? NULL : *to);     \
		return n;                             \
	}
FAILING_ASPRINTF(asprintf, (char **to, const char *fmt, ...))
FAILING_ASPRINTF(__asprintf_chk,
		 (char **to, __attribute__((unused)) int flag, const char *fmt, ...))

FAILING_CALL(void, free, (void *p))
{
	failing_forget(p);
	__real_free(p);
}

FAILING_CALL(void, __sched_cpufree, (cpu_set_t * p))
{
	failing_forget(p);
	__real___sched_cpufree(p);
}

FAILING_CALL(ssize_t, read, (int fd, void *to, size_t n))
{
	return failing_now("read") ? -1 : __real_read(fd, to, n);
}

FAILING_CALL(ssize_t, __read_chk, (int fd, void *to, size_t n, size_t size))
{
	return failing_now("read") ? -1 : __real___read_chk(fd, to, n, size);
}

FAILING_CALL(ssize_t, pwrite, (int fd, const void *from, size_t n, off_t at))
{
	return failing_now("pwrite") ? -1 : __real_pwrite(fd, from, n, at);
}

FAILING_CALL(void *, mmap,
	     (void *at, size_t size, int prot, int flags, int fd, off_t from))
{
	if (failing_now("mmap"))
		return MAP_FAILED;
	void *p = __real_mmap(at, size, prot, flags, fd, from);
	if (p != MAP_FAILED)
		failing_note(p);
	return p;
}

FAILING_CALL(int, munmap, (void *p, size_t size))
{
	failing_forget(p);
	return __real_munmap(p, size);
}

FAILING_CALL(int, sigaction,
	     (int signo, const struct sigaction *act, struct sigaction *old))
{
	return failing_now("sigaction") ? -1 : __real_sigaction(signo, act, old);
}

/* These return the errno. */
FAILING_CALL(int, pthread_setspecific, (pthread_key_t key, const void *value))
{
	return failing_now("pthread_setspecific")
		       ? errno
		       : __real_pthread_setspecific(key, value);
}

FAILING_CALL(int, pthread_key_create, (pthread_key_t * key, void (*end)(void *)))
{
	return failing_now("pthread_key_create") ? errno
						 : __real_pthread_key_create(key, end);
}

FAILING_CALL(int, madvise, (void *p, size_t size, int advice))
{
	return failing_now("madvise") ? -1 : __real_madvise(p, size, advice);
}

FAILING_CALL(DIR *, opendir, (const char *path))
{
	return failing_now("opendir") ? NULL : __real_opendir(path);
}

FAILING_CALL(int, sched_setaffinity, (pid_t tid, size_t size, const cpu_set_t *cpus))
{
	return failing_now("sched_setaffinity")
		       ? -1
		       : __real_sched_setaffinity(tid, size, cpus);
}

FAILING_CALL(int, sched_getaffinity, (pid_t tid, size_t size, cpu_set_t *cpus))
{
	return failing_now("sched_getaffinity")
		       ? -1
		       : __real_sched_getaffinity(tid, size, cpus);
}

FAILING_CALL(pid_t, fork, (void))
{
	return failing_now("fork") ? -1 : __real_fork();
}

FAILING_CALL(int, pipe2, (int fd[2], int flags))
{
	return failing_now("pipe2") ? -1 : __real_pipe2(fd, flags);
}

FAILING_CALL(pid_t, waitpid, (pid_t pid, int *status, int options))
{
	return failing_now("waitpid") ? -1 : __real_waitpid(pid, status, options);
}

FAILING_CALL(int, nanosleep, (const struct timespec *time, struct timespec *left))
{
	return failing_now("nanosleep") ? -1 : __real_nanosleep(time, left);
}

FAILING_CALL(int, timer_create, (clockid_t clock, struct sigevent *how, timer_t *timer))
{
	return failing_now("timer_create") ? -1 : __real_timer_create(clock, how, timer);
}

/* Only PTRACE_SEIZE fails: the kernel continues each LWP that is stopped. */
FAILING_CALL(long, ptrace, (enum __ptrace_request request, ...))
{
	long a[3];
	va_list ap;

	va_start(ap, request);
	for (int i = 0; i < 3; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (request == PTRACE_SEIZE && failing_now("seize"))
		return -1;
	return __real_ptrace(request, a[0], a[1], a[2]);
}

/* The argument of a call that has one argument more, which may be a pointer. */
#define FAILING_LAST(last, value)           \
	va_list failing_ap;                 \
	va_start(failing_ap, last);         \
	(value) = va_arg(failing_ap, long); \
	va_end(failing_ap)

FAILING_CALL(int, open, (const char *path, int flags, ...))
{
	long mode;

	FAILING_LAST(flags, mode);
	return failing_now("open") ? -1 : __real_open(path, flags, mode);
}

FAILING_CALL(int, ioctl, (int fd, unsigned long request, ...))
{
	long arg;

	FAILING_LAST(request, arg);
	return failing_now("ioctl") ? -1 : __real_ioctl(fd, request, arg);
}

FAILING_CALL(int, fcntl, (int fd, int request, ...))
{
	long arg;

	FAILING_LAST(request, arg);
	return failing_now("fcntl") ? -1 : __real_fcntl(fd, request, arg);
}

FAILING_CALL(long, syscall, (long number, ...))
{
	const int n = number == SYS_bpf ? 3 : 6;
	long a[6] = {0};
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < n; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open && failing_now("perf_event_open"))
		return -1;
	if (number == SYS_bpf && failing_now("bpf"))
		return -1;
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Returns a number of the open files of this process: the sum of 2^n for descriptor n. */
static unsigned long failing_files(void)
{
	unsigned long files = 0;

	for (int fd = 0; fd < 64; fd++)
		if (__real_fcntl(fd, F_GETFD) != -1)
			files |= 1ul << fd;
	return files;
}

static int failing_is_other(const struct act *a, int err)
{
	for (int i = 0; i < 4; i++)
		if (err && a->others[i] == err)
			return 1;
	return 0;
}

/* Runs the act while call nth fails; 0: none does. Returns whether a call failed. */
static int failing_run(const struct act *a, const struct failure *f, unsigned nth)
{
	const unsigned long files = failing_files();
	const unsigned memory = failing.nmemory;
	char words[1024] = "";

	failing.failure = *f;
	failing.calls = 0;
	failing.nth = nth;
	errno = 0;
	const int rc = a->run(words, sizeof words), err = errno;
	const int failed = nth && failing.calls >= nth;
	failing.nth = 0;
	if (failing_files() != files)
		fail_msg("%s, %s %u fails: a file is left open", a->name, f->call, nth);
	if (failing.nmemory > memory && failing.warm)
		fail_msg("%s, %s %u fails: %u pieces of memory are left", a->name,
			 f->call, nth, failing.nmemory - memory);
	if (rc && !failed)
		fail_msg("%s: %s: %s", a->name, strerror(err), words);
	if (rc && err != f->err && !failing_is_other(a, err))
		fail_msg("%s, %s %u fails with %s: errno is %s (%s)", a->name, f->call,
			 nth, strerror(f->err), strerror(err), words);
	if (rc && !*words)
		fail_msg("%s, %s %u fails with %s: there are no words", a->name, f->call,
			 nth, strerror(f->err));
	return failed;
}

/*
 * Runs an act once for each call that it makes, with each failure. In the first run,
 * pools take the memory that they keep.
 */
static void failing_each(const struct act *a, const struct failure *f, size_t n)
{
	if (a->for_root && geteuid() != 0) {
		print_message("not root\n");
		skip();
	}
	if (a->for_breakpoints)
		need_breakpoints();
	failing.warm = 0;
	failing_run(a, f, 0);
	failing.warm = 1;
	failing_run(a, f, 0);
	for (size_t i = 0; i < n; i++)
		for (unsigned nth = 1; failing_run(a, &f[i], nth);)
			nth++;
}

#endif
