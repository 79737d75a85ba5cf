#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "clock.h"

static const int caught[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
enum { NCAUGHT = sizeof caught / sizeof caught[0] };

/*
 * timeout(1) and the like send to the process and to its group: that is one signal, not
 * two.
 */
static const int64_t one_signal_ns = 100000000;

static pctx_t *volatile running;
static volatile pid_t started;
static volatile sig_atomic_t last;
static volatile int64_t first_int; /* when the first SIGINT came, ns; 0: none yet */

static int gives_up(int sig)
{
	if (!started)
		return 1;
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
		last = sig;
		if (running)
			pctx_stop(running);
	} else if (info->si_code <= 0) {
		kill(started, sig);
	}
	errno = saved;
}

/*
 * SA_RESTART: a row that is being written must not be lost; pctx_stop() wakes the run by
 * itself.
 */
void signals_catch(pctx_t *pctx, pid_t program)
{
	struct sigaction sa = {.sa_sigaction = on_signal,
			       .sa_flags = SA_SIGINFO | SA_RESTART},
			 old;

	running = pctx;
	started = program;
	sigfillset(&sa.sa_mask);
	for (unsigned i = 0; i < NCAUGHT; i++)
		if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(caught[i], &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void signals_forget(void)
{
	running = NULL;
}

int signals_last(void)
{
	return last;
}
