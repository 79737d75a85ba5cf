/*
 * The two signals of an overflow: a notice, which the library handles, and SIGEMT, which
 * the library then sends to the program.
 */
#ifndef CPC_SIGEMT_H
#define CPC_SIGEMT_H

#include <signal.h>

#include <libcpc.h>

enum { EMT_NOTICE = 56 }; /* the signal of a notice; libcpc.h documents it */

/* Call fn for each notice, with SIGEMT blocked. Returns -1 with errno of sigaction(2). */
int sigemt_catch(void (*fn)(int signo, siginfo_t *info, void *context));

/* Returns the descriptor that a notice came from, or -1 if the kernel did not send it. */
int sigemt_fd(const siginfo_t *info);

/*
 * Returns the program counter in a signal context; NULL if it is not known on this
 * processor.
 */
void *sigemt_pc(const void *context);

/*
 * Send SIGEMT with si_code EMT_CPCOVF to the calling LWP. Async-signal-safe; errno is
 * kept. As with sigqueue(3), nothing is sent if too many signals wait
 * (RLIMIT_SIGPENDING).
 */
void sigemt_send(void *pc);

/* Block notices on the calling LWP, and restore the mask from before. */
void sigemt_block(sigset_t *before);
void sigemt_unblock(const sigset_t *before);

/*
 * Take a notice that is blocked. Returns its descriptor, or -1 if none waits. Async-
 * signal-safe.
 */
int sigemt_take(void);

#endif
