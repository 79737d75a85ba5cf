/*
 * A process that only waits, so that events can be opened on it before the command
 * exists. The command is a child of this process and inherits the events of the holder,
 * as all that it starts will.
 */
#ifndef BASE_HOLDER_H
#define BASE_HOLDER_H

#include <sys/types.h>

struct holder {
	pid_t pid; /* -1: none */
	int fd;	   /* socket: requests, and pids that come back */
};

#define HOLDER_NONE ((struct holder){.pid = -1, .fd = -1})

/*
 * Start a holder. A process that it creates for holder_create() runs child(arg, end[1]),
 * where end is a pair of sockets that the caller has opened. Returns -1 with errno.
 */
int holder_start(struct holder *h, const int end[2], void (*child)(void *arg, int fd),
		 void *arg);

/*
 * Let the holder create a child of its own, which ends at once and has been waited for.
 * Returns its pid, or -1 with errno.
 */
pid_t holder_probe(const struct holder *h);

/*
 * Let the holder create the process for which it was started. It is a child of the
 * calling process. Returns its pid, or -1 with errno.
 */
pid_t holder_create(const struct holder *h);

/* End the holder, if there is one. Keeps errno. */
void holder_end(struct holder *h);

#endif
