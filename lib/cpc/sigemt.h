/* The two signals of an overflow: the library's own, at which it acts, and SIGEMT. */
#ifndef CPC_SIGEMT_H
#define CPC_SIGEMT_H

#include <signal.h>

#include <libcpc.h>

enum { EMT_NOTICE = 56 }; /* the library's own; libcpc.h says so too */

/* Call fn at each notice. SIGEMT is blocked in it. -1: as sigaction(2). */
int sigemt_catch(void (*fn)(int signo, siginfo_t *info, void *context));

/* The descriptor that a notice is of; -1: the kernel did not send it. */
int sigemt_fd(const siginfo_t *info);

/* The program counter of a signal's context; NULL on processors where it is not known. */
void *sigemt_pc(const void *context);

/*
 * Send the caller SIGEMT with si_code EMT_CPCOVF. Async-signal-safe, keeps errno. As with
 * sigqueue(3), nothing is sent if too many signals wait (RLIMIT_SIGPENDING).
 */
void sigemt_send(void *pc);

/* Hold notices back on the caller, and let them come again. */
void sigemt_block(sigset_t *before);
void sigemt_unblock(const sigset_t *before);

/* Take a notice that is held back: its descriptor, or -1. Async-signal-safe. */
int sigemt_take(void);

#endif
