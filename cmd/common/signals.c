#include "signals.h"

#include <errno.h>

#include "base/clock.h"
#include "base/process.h"

static const int ending[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};

enum { N_ENDING = sizeof ending / sizeof ending[0] };

/*
 * timeout(1) sends a signal to the process and to its group: these count as one signal.
 */
static const int64_t one_signal_ns = 100000000;

void signals_wanted(sigset_t *set)
{
	struct sigaction sa;

	for (unsigned i = 0; i < N_ENDING; i++)
		if (sigaction(ending[i], NULL, &sa) == 0 && sa.sa_handler != SIG_IGN)
			sigaddset(set, ending[i]);
}

void signals_catch(void (*handler)(int sig, siginfo_t *info, void *context))
{
	struct sigaction sa = {.sa_sigaction = handler,
			       .sa_flags = SA_SIGINFO | SA_RESTART};
	sigset_t wanted;

	sigemptyset(&wanted);
	signals_wanted(&wanted);
	sigfillset(&sa.sa_mask);
	for (unsigned i = 0; i < N_ENDING; i++)
		if (sigismember(&wanted, ending[i]))
			sigaction(ending[i], &sa, NULL);
}

int signals_is_second(volatile int64_t *first)
{
	const int64_t now = clock_ns();
	if (*first == 0)
		*first = now;
	return now - *first > one_signal_ns;
}

static pctx_t *volatile running;
static struct process started;
static volatile sig_atomic_t stopped;
static volatile int64_t first_int; /* time of the first SIGINT, ns of clock_ns(), or 0 */

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)context;
	if (!started.pid || (sig == SIGINT && signals_is_second(&first_int))) {
		stopped = sig;
		if (running)
			pctx_stop(running);
	} else if (info->si_code <= 0) {
		process_signal(&started, sig);
	}
	errno = saved;
}

/* pctx_stop() wakes the run, so SA_RESTART does no harm. */
void signals_forward(pctx_t *pctx, pid_t program)
{
	running = pctx;
	if (program)
		process_open(&started, program);
	signals_catch(on_signal);
}

void signals_forward_end(void)
{
	running = NULL;
}

int signals_stopped(void)
{
	return stopped;
}
