#include "region/asked.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

/* sem_post(3) is the only call that wakes a thread and that a handler may use. */
static sem_t asked;

static void handle(int signo)
{
	const int e = errno;

	(void)signo;
	sem_post(&asked);
	errno = e;
}

static void *serve(void *arg)
{
	void (*const *report)(void) = arg;

	for (;;)
		if (sem_wait(&asked) == 0)
			(*report)();
	return NULL;
}

/* The thread takes no signals, which are the program's. */
static int start_thread(void (**report)(void))
{
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int err = pthread_create(&thread, NULL, serve, report);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err ? err : pthread_detach(thread);
}

int asked_start(int signo, void (*report)(void))
{
	static void (*given)(void);
	const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};

	given = report;
	if (sem_init(&asked, 0, 0) == -1)
		return errno;
	const int err = start_thread(&given);
	if (err)
		return err;
	return sigaction(signo, &action, NULL) == -1 ? errno : 0;
}
