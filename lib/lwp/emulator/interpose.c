/*
 * Functions of the C library that a program calls in the emulator instead: those that
 * would take SIGILL away or block it, and those that execute programs, before which a
 * tracer can save the records.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "lwp/emulator/fast.h"
#include "lwp/emulator/real.h"
#include "lwp/emulator/trap.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int sigaction(int sig, const struct sigaction *action, struct sigaction *before)
{
	struct sigaction copy;

	if (sig == SIGILL) {
		trap_set_action(action, before);
		return 0;
	}
	if (action) {
		copy = *action;
		sigdelset(&copy.sa_mask, SIGILL);
	}
	return REAL(sigaction)(sig, action ? &copy : NULL, before);
}

/* signal(3) of this kind, for SIGILL. */
static sighandler_t set_handler(sighandler_t handler, int flags)
{
	const struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	struct sigaction before;

	trap_set_action(&action, &before);
	return before.sa_handler;
}

EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
	return sig == SIGILL ? set_handler(handler, SA_RESTART)
			     : REAL(signal)(sig, handler);
}

sighandler_t bsd_signal(int sig, sighandler_t handler);

EXPORT sighandler_t bsd_signal(int sig, sighandler_t handler)
{
	return signal(sig, handler);
}

EXPORT sighandler_t sysv_signal(int sig, sighandler_t handler)
{
	return sig == SIGILL ? set_handler(handler, (int)(SA_RESETHAND | SA_NODEFER))
			     : REAL(sysv_signal)(sig, handler);
}

EXPORT sighandler_t __sysv_signal(int sig, sighandler_t handler)
{
	return sysv_signal(sig, handler);
}

/* Returns set, or a copy of it without SIGILL. */
static const sigset_t *without_sigill(const sigset_t *set, sigset_t *copy)
{
	if (!set || !sigismember(set, SIGILL))
		return set;
	*copy = *set;
	sigdelset(copy, SIGILL);
	return copy;
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t copy;

	return REAL(sigprocmask)(
		how, how == SIG_UNBLOCK ? set : without_sigill(set, &copy), before);
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t copy;

	return REAL(pthread_sigmask)(
		how, how == SIG_UNBLOCK ? set : without_sigill(set, &copy), before);
}

/* Before the memory of the process goes. */
static void report(void)
{
	if (fast_state.last_cb)
		trap_report(REPORT_EXEC, NULL);
}

EXPORT int execve(const char *path, char *const *argv, char *const *env)
{
	report();
	return REAL(execve)(path, argv, env);
}

EXPORT int execv(const char *path, char *const *argv)
{
	report();
	return REAL(execv)(path, argv);
}

EXPORT int execvp(const char *file, char *const *argv)
{
	report();
	return REAL(execvp)(file, argv);
}

EXPORT int execvpe(const char *file, char *const *argv, char *const *env)
{
	report();
	return REAL(execvpe)(file, argv, env);
}

EXPORT int fexecve(int fd, char *const *argv, char *const *env)
{
	report();
	return REAL(fexecve)(fd, argv, env);
}

EXPORT int execveat(int fd, const char *path, char *const *argv, char *const *env,
		    int flags)
{
	report();
	return REAL(execveat)(fd, path, argv, env, flags);
}

enum { MANY_ARGUMENTS = 1 << 20 };

/*
 * Returns the number of arguments from first on, the NULL that ends them included; -1
 * with E2BIG if they are too many for the stack. *env gets the pointer behind them.
 */
static int count_arguments(const char *first, va_list ap, char *const **env)
{
	int n = 1;

	for (const char *arg = first; arg && n < MANY_ARGUMENTS; n++)
		arg = va_arg(ap, const char *);
	if (n == MANY_ARGUMENTS) {
		errno = E2BIG;
		return -1;
	}
	if (env)
		*env = va_arg(ap, char *const *);
	return n;
}

static void fill_arguments(char **argv, const char *first, va_list ap)
{
	union {
		const char *from;
		char *to;
	} word = {first};

	for (; word.from; word.from = va_arg(ap, const char *))
		*argv++ = word.to;
	*argv = NULL;
}

/* The words of execl(3) and its kin, as argv of another function that is called. */
#define EXEC_LIST(first, env, call)                            \
	do {                                                   \
		va_list ap;                                    \
		va_start(ap, first);                           \
		const int n = count_arguments(first, ap, env); \
		va_end(ap);                                    \
		if (n == -1)                                   \
			return -1;                             \
		char *argv[n];                                 \
		va_start(ap, first);                           \
		fill_arguments(argv, first, ap);               \
		va_end(ap);                                    \
		return call;                                   \
	} while (0)

EXPORT int execl(const char *path, const char *arg, ...)
{
	EXEC_LIST(arg, NULL, execv(path, argv));
}

EXPORT int execlp(const char *file, const char *arg, ...)
{
	EXEC_LIST(arg, NULL, execvp(file, argv));
}

EXPORT int execle(const char *path, const char *arg, ...)
{
	char *const *env;

	EXEC_LIST(arg, &env, execve(path, argv, env));
}
