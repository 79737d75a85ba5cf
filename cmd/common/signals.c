#include "signals.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/procfs.h"
#include "base/launcher.h"
#include "write.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static const int ending[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};

/* These act on the command itself. */
static const int own[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
			  SIGCHLD, SIGPIPE, SIGXFSZ, SIGABRT, SIGBUS,
			  SIGFPE,  SIGILL,  SIGSEGV, SIGSYS,  SIGTRAP};

/* Batch systems send one of these some time before SIGKILL. */
static const int warning[] = {SIGINT,  SIGTERM, SIGQUIT, SIGHUP,
			      SIGUSR1, SIGUSR2, SIGXCPU};

/*
 * timeout(1) sends a signal to the process and to its group: these count as one signal.
 */
static const int64_t one_signal_ns = 100000000;

static int is_in(int sig, const int *list, size_t n)
{
	while (n > 0 && list[n - 1] != sig)
		n--;
	return n > 0;
}

int signals_is_ending(int sig)
{
	return is_in(sig, ending, LEN(ending));
}

int signals_is_ignored(int sig)
{
	struct sigaction sa;

	return sigaction(sig, NULL, &sa) == -1 || sa.sa_handler == SIG_IGN;
}

static void add(sigset_t *set, const int *list, size_t n)
{
	while (n > 0)
		sigaddset(set, list[--n]);
}

void signals_ending(sigset_t *set)
{
	for (unsigned i = 0; i < LEN(ending); i++)
		if (!signals_is_ignored(ending[i]))
			sigaddset(set, ending[i]);
}

void signals_passed(sigset_t *set)
{
	sigset_t kept;

	sigemptyset(&kept);
	add(&kept, own, LEN(own));
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (sigismember(&kept, sig) == 0)
			sigaddset(set, sig);
}

/*
 * Install a handler for signals, except those that are ignored. One of these may come
 * before SIG_IGN is restored: it is blocked meanwhile, and then discarded.
 */
static void install(const sigset_t *chosen, signals_handler_t *handler)
{
	struct sigaction sa = {.sa_sigaction = handler,
			       .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigaction old;
	sigset_t mask;

	sigfillset(&sa.sa_mask);
	sigprocmask(SIG_BLOCK, chosen, &mask);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (sigismember(chosen, sig) == 1 && sigaction(sig, &sa, &old) == 0 &&
		    old.sa_handler == SIG_IGN)
			sigaction(sig, &old, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

void signals_catch(signals_handler_t *handler)
{
	sigset_t chosen;

	sigemptyset(&chosen);
	add(&chosen, ending, LEN(ending));
	install(&chosen, handler);
}

void signals_catch_passed(signals_handler_t *handler)
{
	sigset_t chosen;

	sigemptyset(&chosen);
	signals_passed(&chosen);
	install(&chosen, handler);
}

int signals_hold(const sigset_t *set, sigset_t *before)
{
	sigset_t held;

	if (sigprocmask(SIG_BLOCK, set, before) == -1)
		return -1;
	sigemptyset(&held);
	for (unsigned i = 0; i < LEN(ending); i++)
		if (sigismember(set, ending[i]) && !sigismember(before, ending[i]))
			sigaddset(&held, ending[i]);
	write_unblock(&held);
	return 0;
}

void signals_release(const sigset_t *before)
{
	write_unblock(NULL);
	sigprocmask(SIG_SETMASK, before, NULL);
}

int signals_is_second(volatile int64_t *first)
{
	const int64_t now = clock_ns();
	if (*first == 0)
		*first = now;
	return now - *first > one_signal_ns;
}

static volatile int64_t first_ending; /* time of the first one, ns, or 0 */

/*
 * While the program runs, the signals may be meant for the program alone. Output is then
 * given up only if it has waited for 0.1 s, so that a slow reader still gets it.
 */
void signals_give_up_output(int sig, int running)
{
	if (signals_is_ending(sig) && signals_is_second(&first_ending))
		write_give_up(running ? one_signal_ns : 0);
}

/* The processes from the parent upwards, if a launcher started the command. */
static struct ancestor {
	pid_t pid;
	int is_launcher; /* launcher_is_process() */
} ancestor[64];
static unsigned nancestors;
static volatile int64_t first_term; /* time of an ancestor's SIGTERM, ns, or 0 */

void signals_find_launcher(void)
{
	const char *const *env = (const char *const *)environ;
	struct launcher l;
	char name[32];

	launcher_read(&l, env);
	nancestors = 0;
	if (!l.family || launcher_signals_alone(env))
		return;
	for (long pid = getppid(); pid > 0 && nancestors < LEN(ancestor);
	     pid = procfs_status((pid_t)pid, "PPid:", 1)) {
		struct ancestor *a = &ancestor[nancestors++];
		const char *comm = procfs_text((pid_t)pid, "comm", name, sizeof name);
		*a = (struct ancestor){(pid_t)pid, comm && launcher_is_process(comm)};
	}
}

static const struct ancestor *find_ancestor(pid_t pid)
{
	for (unsigned i = 0; i < nancestors; i++)
		if (ancestor[i].pid == pid)
			return &ancestor[i];
	return NULL;
}

/*
 * A launcher sends each signal to the process group at least. Other ancestors, such as
 * timeout(1), do so with SIGTERM: a later one is passed on, in case its sender signals
 * the command alone.
 */
static int has_reached_program(const struct process *program, const siginfo_t *info)
{
	if (info->si_code > 0)
		return 1;
	const struct ancestor *a = find_ancestor(info->si_pid);
	if (!a)
		return 0;
	if (a->is_launcher && getpgid(program->pid) == getpgrp())
		return 1;
	return info->si_signo == SIGTERM && !signals_is_second(&first_term);
}

int signals_pass_on(const struct process *program, const siginfo_t *info)
{
	return has_reached_program(program, info) ? 0 : process_pass_on(program, info);
}

/*
 * Open MPI sends SIGCONT 1 s before SIGTERM, and SIGKILL as soon as the first rank has
 * ended then.
 */
static int is_launchers_cont(const siginfo_t *info)
{
	const struct ancestor *a =
		info->si_signo == SIGCONT ? find_ancestor(info->si_pid) : NULL;

	return a && a->is_launcher;
}

int signals_is_warning(sigset_t *seen, const siginfo_t *info)
{
	const int sig = info->si_signo;

	if (sigismember(seen, sig) ||
	    !(is_in(sig, warning, LEN(warning)) || is_launchers_cont(info)))
		return 0;
	sigaddset(seen, sig);
	return 1;
}
