#include "base/launch.h"

#include <errno.h>
#include <limits.h>
#include <paths.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A sanitizer knows the stacks of its own process alone. */
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined HAS_SANITIZER
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

/* One path, the frames of these functions, and a reserve. */
enum { STACK_SIZE = PATH_MAX + 16384 };

/*
 * The child may have the thread-local storage of its parent, which runs at the same time,
 * so system calls that can fail must not write errno. raw_call() returns what the kernel
 * returns: the negative errno.
 */
#if defined __x86_64__
enum { CAN_SHARE = 1 };

static inline long raw_call(long number, long a, long b, long c)
{
	long rc;

	__asm__ volatile("syscall"
			 : "=a"(rc)
			 : "0"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return rc;
}
#elif defined __aarch64__
enum { CAN_SHARE = 1 };

static inline long raw_call(long number, long a, long b, long c)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}
#else
enum { CAN_SHARE = 0 };

static inline long raw_call(long number, long a, long b, long c)
{
	const long rc = syscall(number, a, b, c);

	return rc == -1 ? -errno : rc;
}
#endif

int launch_prepare(struct launch *l, char *const *argv)
{
	size_t n = 1;

	*l = (struct launch){.argv = argv, .dirs = getenv("PATH")};
	sigemptyset(&l->reset);
	if (!l->dirs)
		l->dirs = "/bin:/usr/bin";
	while (argv[n])
		n++;
	l->script = calloc(n + 2, sizeof *l->script);
	l->stack = malloc(STACK_SIZE);
	if (!l->script || !l->stack)
		return -1;
	l->script[0] = (char *)_PATH_BSHELL;
	memcpy(&l->script[2], &argv[1], n * sizeof *argv);
	return 0;
}

void launch_end(struct launch *l)
{
	const int e = errno;

	free(l->script);
	free(l->stack);
	l->script = NULL;
	l->stack = NULL;
	errno = e;
}

static int execute_file(const char *path, char *const *argv)
{
	return -(int)raw_call(SYS_execve, (long)path, (long)argv, (long)environ);
}

/* Returns the errno of the exec. A shell reads a file that is no program. */
static int execute_path(const struct launch *l, char *path)
{
	const int e = execute_file(path, l->argv);

	if (e != ENOEXEC)
		return e;
	l->script[1] = path;
	return execute_file(_PATH_BSHELL, l->script);
}

/* The search goes on after these errnos, as that of execvp(3) in glibc. */
static int is_elsewhere(int e)
{
	return e == EACCES || e == ENOENT || e == ESTALE || e == ENOTDIR || e == ENODEV ||
	       e == ETIMEDOUT;
}

/* Returns the errno of execvp(3). */
static int search(const struct launch *l, char path[PATH_MAX])
{
	const char *file = l->argv[0];
	const size_t size = strlen(file) + 1;
	int e = ENOENT, denied = 0;

	if (size > NAME_MAX + 1)
		return ENAMETOOLONG;
	for (const char *dir = l->dirs, *end; dir; dir = *end ? end + 1 : NULL) {
		end = strchrnul(dir, ':');
		const size_t len = (size_t)(end - dir);
		if (len + 1 + size > PATH_MAX)
			continue;
		memcpy(path, dir, len);
		path[len] = '/';
		memcpy(&path[len + (len > 0)], file, size);
		e = execute_path(l, path);
		denied |= e == EACCES;
		if (!is_elsewhere(e))
			return e;
	}
	return denied ? EACCES : e;
}

static int execute(const struct launch *l)
{
	char path[PATH_MAX];

	if (!*l->argv[0])
		return ENOENT;
	return strchr(l->argv[0], '/') ? execute_path(l, l->argv[0]) : search(l, path);
}

/* A handler of the parent, which the child has too, may write to the shared memory. */
static void restore_signals(const struct launch *l)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};

	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&l->reset, sig) == 1)
			sigaction(sig, &plain, NULL);
	sigaction(SIGCHLD, l->chld, NULL);
	sigprocmask(SIG_SETMASK, l->mask, NULL);
}

void launch_execute(const struct launch *l, int fd)
{
	char go;
	long n;

	while ((n = raw_call(SYS_read, fd, (long)&go, 1)) == -EINTR)
		;
	if (n == 1) {
		restore_signals(l);
		const int e = execute(l);
		raw_call(SYS_write, fd, (long)&e, sizeof e);
	}
	_exit(1);
}

static int run_sharing(void *arg)
{
	const struct launch *l = arg;

	close(l->end[0]);
	launch_execute(l, l->end[1]);
}

pid_t launch_sharing(struct launch *l, const int end[2])
{
	if (!CAN_SHARE || IS_SANITIZED) {
		errno = ENOSYS;
		return -1;
	}
	l->end[0] = end[0];
	l->end[1] = end[1];
	return clone(run_sharing, l->stack + STACK_SIZE, CLONE_VM | SIGCHLD, l);
}
