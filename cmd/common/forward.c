#include "forward.h"

#include <errno.h>

#include "signals.h"

static pctx_t *volatile running;
static volatile pid_t started;
static volatile sig_atomic_t stopped;
static volatile int64_t first_int; /* when the first SIGINT came, ns; 0: none yet */

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)context;
	if (!started || (sig == SIGINT && signals_is_second(&first_int))) {
		stopped = sig;
		if (running)
			pctx_stop(running);
	} else if (info->si_code <= 0) {
		kill(started, sig);
	}
	errno = saved;
}

/* pctx_stop() wakes the run by itself: no call needs to be interrupted. */
void forward_signals(pctx_t *pctx, pid_t program)
{
	running = pctx;
	started = program;
	signals_catch(on_signal);
}

void forward_end(void)
{
	running = NULL;
}

int forward_stopped(void)
{
	return stopped;
}
