/* Signals of a command while libpctx runs or tracks a program. */
#ifndef COMMON_FORWARD_H
#define COMMON_FORWARD_H

#include <libpctx.h>

/*
 * Before the command starts a program: block the signals that are passed on, so that none
 * ends the command before forward_begin(), which unblocks them. The program has the mask
 * from before.
 */
void forward_block(void);

/*
 * Catch signals while pctx runs. program is the pid of a program that the command
 * started: signals are passed on to the program, and a second SIGINT stops the run. After
 * forward_program_ended() nothing is passed on, and the second of SIGINT, SIGTERM,
 * SIGQUIT and SIGHUP stops the run. If program is 0, the process was captured: the first
 * of these signals stops the run, and other signals have no effect.
 */
void forward_begin(pctx_t *pctx, pid_t program);

/* The program has ended, and processes that it started may still be tracked. */
void forward_program_ended(void);

/*
 * Run pctx as pctx_run() does, and go on after a signal that does not stop the run: call
 * provisional with arg when a provisional report is due, and print which processes are
 * waited for when a signal comes after forward_program_ended(). If provisional returns
 * -1, the run ends with EINTR.
 */
int forward_run(pctx_t *pctx, uint_t msec, uint_t nsamples,
		int (*tick)(pctx_t *, pid_t, id_t, void *), int (*provisional)(void *),
		void *arg);

/*
 * From now on call redraw with arg in forward_run() whenever the window of the terminal
 * has got another size (SIGWINCH).
 */
void forward_on_resize(void (*redraw)(void *arg), void *arg);

/*
 * Called in a handler of the run: when all that is due has been handled, the run pauses,
 * action is called with arg, and the run goes on; if action returns -1, it ends with
 * EINTR.
 */
void forward_pause(int (*action)(void *arg), void *arg);

/*
 * After a run: wait for the program without tracking it, as pctx_wait() does, unless a
 * signal stopped the run or stops the wait. Returns -1 if the program has not ended.
 */
int forward_wait(pctx_t *pctx, int *status);

/* The run is over: signals no longer stop it. */
void forward_end(void);

/* Returns the signal that stopped the run, or 0. */
int forward_stopped(void);

#endif
