#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "clock.h"

/* As in child.c. */
static const int64_t one_signal_ns = 100000000;

static pctx_t *volatile running;
static volatile pid_t started;
static volatile sig_atomic_t given_up;
static volatile int64_t first_int; /* when the first SIGINT came, ns; 0: none yet */

static int gives_up(int sig)
{
	if (sig != SIGINT)
		return 0;
	const int64_t now = clock_ns();
	if (first_int == 0)
		first_int = now;
	return now - first_int > one_signal_ns;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)context;
	if (gives_up(sig)) {
		given_up = 1;
		if (running)
			pctx_stop(running);
	} else if (info->si_code <= 0) {
		kill(started, sig);
	}
	errno = saved;
}

void signals_catch(pctx_t *pctx)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
	struct sigaction sa = {.sa_sigaction = on_signal,
			       .sa_flags = SA_SIGINFO | SA_RESTART},
			 old;

	running = pctx;
	started = pctx_pid(pctx);
	sigfillset(&sa.sa_mask);
	for (unsigned i = 0; i < sizeof caught / sizeof caught[0]; i++)
		if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(caught[i], &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void signals_forget(void)
{
	running = NULL;
}

int signals_given_up(void)
{
	return given_up;
}
