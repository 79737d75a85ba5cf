/*
 * Signals that end a measurement without losing what was counted, or go to the program.
 */
#ifndef COMMON_SIGNALS_H
#define COMMON_SIGNALS_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/process.h"

/*
 * Install a handler for SIGINT, SIGTERM, SIGQUIT and SIGHUP, except those that are
 * ignored: a signal that was ignored when the command began stays ignored. All signals
 * are blocked while the handler runs. System calls are restarted, so a write of a row
 * that the signal interrupts is completed.
 */
typedef void signals_handler_t(int sig, siginfo_t *info, void *context);
void signals_catch(signals_handler_t *handler);

/*
 * Returns whether this signal is a second one, on which a command gives up waiting.
 * *first holds the time of the first signal, in ns of clock_ns(), or 0 before it.
 * Async-signal-safe.
 */
int signals_is_second(volatile int64_t *first);

/*
 * Returns whether sig is one of SIGINT, SIGTERM, SIGQUIT and SIGHUP. Async-signal-safe.
 */
int signals_is_ending(int sig);

/* Add those of these signals to a set that are not ignored. */
void signals_ending(sigset_t *set);

/*
 * Add to a set every signal that a command passes on to the program which it runs,
 * whether the signal is ignored (signals_is_ignored()) or not. These are all signals but
 * those that act on the command itself (its own errors, SIGCHLD, and SIGTSTP, SIGTTIN and
 * SIGTTOU, by which job control stops it).
 */
void signals_passed(sigset_t *set);

/* Returns whether a signal is ignored. */
int signals_is_ignored(int sig);

/* Does what signals_catch() does, for the signals of signals_passed(). */
void signals_catch_passed(signals_handler_t *handler);

/*
 * Block signals, and store the old mask in *before. SIGINT, SIGTERM, SIGQUIT and SIGHUP
 * are still received while text is written (write.h), unless the old mask has them.
 * Returns -1 if nothing was done.
 */
int signals_hold(const sigset_t *set, sigset_t *before);

/* Restore the mask of signals_hold(). */
void signals_release(const sigset_t *before);

/*
 * A handler calls this last, for a command that passes signals on to a program. If sig is
 * the second of SIGINT, SIGTERM, SIGQUIT and SIGHUP, more than 0.1 s after the first, a
 * text that waits for its reader is given up: write_give_up(). running: the program still
 * runs; the wait must then have taken 0.1 s.
 */
void signals_give_up_output(int sig, int running);

/*
 * Pass a signal on to a program, unless it has reached the program already: a signal of
 * the terminal or the kernel has; and if a launcher started the command, every signal of
 * the launcher has if the program is in the process group of the command, and the first
 * SIGTERM of any other ancestor has. Returns 0, or -1 with errno of process_pass_on().
 * Call signals_find_launcher() before. Async-signal-safe.
 */
void signals_find_launcher(void);
int signals_pass_on(const struct process *program, const siginfo_t *info);

/*
 * Returns whether a provisional report is due because SIGKILL may follow: the signal is
 * the first SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU, or the first
 * SIGCONT of a launcher. *seen has the signals that came before. Call
 * signals_find_launcher() before. Async-signal-safe.
 */
int signals_is_warning(sigset_t *seen, const siginfo_t *info);

#endif
