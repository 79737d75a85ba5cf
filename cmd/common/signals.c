#include "signals.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/procfs.h"
#include "suite/record/launcher.h"

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

static int is_ignored(int sig)
{
	struct sigaction sa;

	return sigaction(sig, NULL, &sa) == -1 || sa.sa_handler == SIG_IGN;
}

void signals_wanted(sigset_t *set)
{
	for (unsigned i = 0; i < LEN(ending); i++)
		if (!is_ignored(ending[i]))
			sigaddset(set, ending[i]);
}

void signals_passed(sigset_t *set)
{
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (!is_in(sig, own, LEN(own)) && !is_ignored(sig))
			sigaddset(set, sig);
}

static void install(void choose(sigset_t *), signals_handler_t *handler)
{
	struct sigaction sa = {.sa_sigaction = handler,
			       .sa_flags = SA_SIGINFO | SA_RESTART};
	sigset_t chosen;

	sigemptyset(&chosen);
	choose(&chosen);
	sigfillset(&sa.sa_mask);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (sigismember(&chosen, sig) == 1)
			sigaction(sig, &sa, NULL);
}

void signals_catch(signals_handler_t *handler)
{
	install(signals_wanted, handler);
}

void signals_catch_passed(signals_handler_t *handler)
{
	install(signals_passed, handler);
}

int signals_is_second(volatile int64_t *first)
{
	const int64_t now = clock_ns();
	if (*first == 0)
		*first = now;
	return now - *first > one_signal_ns;
}

/* The processes from the parent upwards, if a launcher started the command. */
static pid_t ancestor[64];
static unsigned nancestors;
static volatile int64_t first_term; /* time of an ancestor's SIGTERM, ns, or 0 */

void signals_find_launcher(void)
{
	struct launcher l;

	launcher_read(&l, (const char *const *)environ);
	nancestors = 0;
	for (long pid = l.family ? getppid() : 0; pid > 0 && nancestors < LEN(ancestor);
	     pid = procfs_status((pid_t)pid, "PPid:", 1))
		ancestor[nancestors++] = (pid_t)pid;
}

/* A later SIGTERM is passed on, in case its sender signals the command alone. */
static int has_reached_program(const siginfo_t *info)
{
	if (info->si_code > 0)
		return 1;
	for (unsigned i = 0; info->si_signo == SIGTERM && i < nancestors; i++)
		if (ancestor[i] == info->si_pid)
			return !signals_is_second(&first_term);
	return 0;
}

int signals_pass_on(const struct process *program, const siginfo_t *info)
{
	return has_reached_program(info) ? 0 : process_pass_on(program, info);
}

int signals_is_warning(sigset_t *seen, int sig)
{
	if (!is_in(sig, warning, LEN(warning)) || sigismember(seen, sig))
		return 0;
	sigaddset(seen, sig);
	return 1;
}
