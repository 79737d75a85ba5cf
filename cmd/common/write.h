/*
 * Writing to pipes, terminals and files, which waits for the reader as long as the user
 * wants. Everything that a command prints while it handles signals is written here, also
 * its messages.
 */
#ifndef COMMON_WRITE_H
#define COMMON_WRITE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Write n bytes, with one write(2) if the file takes them all. Returns 0; or -1 with
 * errno of write(2), or ECANCELED if write_give_up() has ended the wait. From then on a
 * text is written only if the file takes it at once, and otherwise fails with ECANCELED.
 */
int write_text(int fd, const char *text, size_t n);

/* From now on these signals are unblocked while text is written; NULL: none. */
void write_unblock(const sigset_t *set);

/*
 * A signal handler gives up the text that waits for its reader, if the wait has taken
 * this long, in ns: write_text() fails, and this call does not return. If no text waits,
 * it does nothing. To be called last, by a handler of the writing thread, with an
 * sa_mask of all signals.
 */
void write_give_up(int64_t waited_ns);

#endif
