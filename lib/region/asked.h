/* Reports that a signal asks for, while the program goes on. */
#ifndef REGION_ASKED_H
#define REGION_ASKED_H

/*
 * From now on call report(), in a thread of the library's own, each time that this
 * process has got the signal; a handler for it is installed. Returns 0 or an errno. A
 * child of fork(2) has the handler, but must call this again to have the thread.
 */
int asked_start(int signo, void (*report)(void));

#endif
