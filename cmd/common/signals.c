#include "signals.h"

#include "base/clock.h"

const int signals_end[SIGNALS_END] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};

/*
 * timeout(1) and the like send to the process and to its group: that is one signal, not
 * two.
 */
static const int64_t one_signal_ns = 100000000;

void signals_of_writing(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void signals_catch(void (*handler)(int sig, siginfo_t *info, void *context))
{
	struct sigaction sa = {.sa_sigaction = handler,
			       .sa_flags = SA_SIGINFO | SA_RESTART},
			 old;

	sigfillset(&sa.sa_mask);
	for (unsigned i = 0; i < SIGNALS_END; i++)
		if (sigaction(signals_end[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals_end[i], &sa, NULL);
	signals_of_writing();
}

int signals_is_second(volatile int64_t *first)
{
	const int64_t now = clock_ns();
	if (*first == 0)
		*first = now;
	return now - *first > one_signal_ns;
}
