#include "forward.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/process.h"
#include "notes.h"
#include "signals.h"

static pctx_t *volatile running;
static struct process program;
static volatile sig_atomic_t has_program, program_ended;
static volatile sig_atomic_t stopped; /* the signal that stopped the run, or 0 */
static volatile sig_atomic_t warned;  /* a provisional report is due */
static volatile sig_atomic_t asked;   /* an ending signal found no program */
static volatile sig_atomic_t resized; /* the window has another size */
static volatile sig_atomic_t pausing; /* the run pauses for an action */
static volatile int64_t first; /* time of the first signal that can stop, ns, or 0 */
static sigset_t seen;	       /* of signals_is_warning() */

/* The function that draws on a terminal again; call is NULL if there is none. */
static struct {
	void (*call)(void *arg);
	void *arg;
} redraw;

void forward_on_resize(void (*call)(void *arg), void *arg)
{
	redraw.call = call;
	redraw.arg = arg;
}

/* A process that was captured runs on, so that the first signal can stop the run. */
static int stops(int sig)
{
	if (!has_program)
		return signals_is_ending(sig);
	return (sig == SIGINT || (program_ended && signals_is_ending(sig))) &&
	       signals_is_second(&first);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)context;
	if (stops(sig))
		stopped = sig;
	else if (has_program && (signals_pass_on(&program, info) == -1 || program_ended))
		asked = asked || signals_is_ending(sig);
	if (signals_is_warning(&seen, info))
		warned = 1;
	if (sig == SIGWINCH && redraw.call)
		resized = 1;
	if (running && (stopped || asked || warned || resized))
		pctx_stop(running);
	signals_give_up_output(sig, !stopped && !program_ended);
	errno = saved;
}

static sigset_t mask; /* from before forward_block() */
static int blocked;

static void unblock(void)
{
	if (blocked)
		signals_release(&mask);
	blocked = 0;
}

void forward_block(void)
{
	sigset_t passed;

	sigemptyset(&passed);
	signals_passed(&passed);
	if (pthread_atfork(NULL, NULL, unblock) == 0)
		blocked = signals_hold(&passed, &mask) == 0;
}

/* pctx_stop() wakes the run, so SA_RESTART does no harm. */
void forward_begin(pctx_t *pctx, pid_t pid)
{
	running = pctx;
	sigemptyset(&seen);
	has_program = pid != 0;
	if (pid)
		process_open(&program, pid);
	signals_find_launcher();
	signals_catch_passed(on_signal);
	unblock();
}

void forward_program_ended(void)
{
	program_ended = 1;
	process_close(&program);
}

/* The processes under control. */
static struct {
	pid_t first, last;
	unsigned more;
} waited;

static void add_waited(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	(void)pctx;
	(void)lwpid;
	(void)arg;
	if (!waited.first)
		waited.first = pid;
	else if (pid != waited.last)
		waited.more++;
	waited.last = pid;
}

static void print_waited(pctx_t *pctx)
{
	memset(&waited, 0, sizeof waited);
	pctx_walk_lwps(pctx, add_waited);
	if (waited.first)
		notes_waiting(waited.first, waited.more);
}

/* The action of forward_pause(). */
static struct {
	int (*call)(void *arg);
	void *arg;
} pause_action;

void forward_pause(int (*action)(void *arg), void *arg)
{
	pause_action.call = action;
	pause_action.arg = arg;
	pausing = 1;
	pctx_stop(running);
}

/*
 * Do what a signal or forward_pause() has asked for. Returns whether the run goes on.
 */
static int resumes(pctx_t *pctx, int (*provisional)(void *), void *arg)
{
	const int ask = asked, warn = warned, resize = resized, paused = pausing;

	if (stopped || !(ask || warn || resize || paused))
		return 0;
	asked = warned = resized = pausing = 0;
	if (resize)
		redraw.call(redraw.arg);
	if (ask)
		print_waited(pctx);
	return (!paused || pause_action.call(pause_action.arg) == 0) &&
	       (!warn || provisional(arg) == 0);
}

int forward_run(pctx_t *pctx, uint_t msec, uint_t nsamples,
		int (*tick)(pctx_t *, pid_t, id_t, void *), int (*provisional)(void *),
		void *arg)
{
	int r;

	do
		r = pctx_run(pctx, msec, nsamples, tick);
	while (r == -1 && errno == EINTR && resumes(pctx, provisional, arg));
	return r;
}

int forward_wait(pctx_t *pctx, int *status)
{
	while (!stopped) {
		if (pctx_wait(pctx, status) == 0)
			return 0;
		if (errno != EINTR)
			break;
	}
	return -1;
}

void forward_end(void)
{
	running = NULL;
}

int forward_stopped(void)
{
	return stopped;
}
