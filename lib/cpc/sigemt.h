/* The two signals of an overflow: the library's own, at which it acts, and SIGEMT. */
#ifndef LIBCPC_EMT_H
#define LIBCPC_EMT_H

#include <signal.h>

#include <libcpc.h>

enum { EMT_NOTICE = 56 }; /* the library's own; libcpc.h says so too */

/* Call fn at each notice. SIGEMT is blocked in it. -1: as sigaction(2). */
int emt_catch(void (*fn)(int signo, siginfo_t *info, void *context));

/* The descriptor that a notice is of; -1: the kernel did not send it. */
int emt_fd(const siginfo_t *info);

/* The program counter of a signal's context; NULL on processors where it is not known. */
void *emt_pc(const void *context);

/*
 * Send the caller SIGEMT with si_code EMT_CPCOVF. Async-signal-safe, keeps errno. As with
 * sigqueue(3), nothing is sent if too many signals wait (RLIMIT_SIGPENDING).
 */
void emt_send(void *pc);

/* Hold notices back on the caller, and let them come again. */
void emt_hold(sigset_t *before);
void emt_let(const sigset_t *before);

/* Take a notice that is held back: its descriptor, or -1. Async-signal-safe. */
int emt_take(void);

#endif
