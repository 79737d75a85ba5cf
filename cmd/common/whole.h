/*
 * A command that is counted as a whole: the sets are bound to its first process before
 * the exec, and all processes and threads that come from this process inherit them. No
 * tracer stops the command.
 */
#ifndef COMMON_WHOLE_H
#define COMMON_WHOLE_H

#include <libcpc.h>
#include "child.h"
#include "cpc/lifetimes.h"
#include "uncounted.h"

struct whole {
	cpc_t *cpc;
	unsigned n;
	cpc_set_t *const *set;	     /* [n]; NULL: the set is not counted */
	cpc_buf_t **sample;	     /* [n]; of whole_sample(); NULL where the set is */
	char *const *command;	     /* as the user has given it */
	char *const *argv;	     /* to execute: the command, or the simulator's */
	struct cpc_lifetimes *lives; /* of whole_start_recorded(), or NULL */
	int counts_all; /* lives count programs that the kernel does not count, too */
	struct child child;
	pid_t pid; /* of the command, also after its end */
	/* when the command began, ns of clock_ns() and of clock_unix_ns() */
	int64_t begun, begun_unix;
	struct uncounted uncounted;
};

/*
 * Prepare to count n sets, which are the caller's. Returns -1 with ENOMEM. whole_close()
 * is called in each case; it kills a command that has not ended.
 */
int whole_open(struct whole *w, cpc_t *cpc, unsigned n, cpc_set_t *const *set);
void whole_close(struct whole *w);

/*
 * Create the process of the command, which waits before its exec. The caller has made
 * argv of the command by cpc_command(); child_start() describes user. Returns -1 after a
 * message.
 */
int whole_start(struct whole *w, char *const *command, char *const *argv, int user);

/*
 * Do what whole_start() does for one of many runs, by child_start_sharing(): the largest
 * resident set is not known. The caller looks once why the kernel will not count the
 * command: uncounted is the result of uncounted_program().
 */
int whole_start_again(struct whole *w, char *const *command, char *const *argv,
		      const char *uncounted);

/*
 * Returns why a program cannot be counted by whole_start_recorded(), whatever the kernel
 * can do, or NULL. looks_up: a set has a breakpoint at a name.
 */
const char *whole_obstacle(cpc_t *cpc, int looks_up, const char *program,
			   enum lifetimes_by by);

/* How to learn of the lives of LWPs. */
struct whole_lives {
	enum lifetimes_by by;
	int follow_fork, follow_exec; /* as in struct engine_tree */
};

/*
 * Do what whole_start() and whole_bind() for all sets do, so that the kernel also reports
 * the lives of the LWPs (cpc/lifetimes.h), as w->lives. The command gets no signals for a
 * user. Returns 0; or -1 if this kernel does not report them, or with a set that cannot
 * be counted: then reason, of size bytes, says why, and nothing is started.
 */
int whole_start_recorded(struct whole *w, char *const *command, char *const *argv,
			 const struct whole_lives *how, char *reason, size_t size);

/* Count a set of the array in the command. Returns what cpc_bind_child() returns. */
int whole_bind(const struct whole *w, unsigned i);

/* Let the command begin. Returns -1 after a message. */
int whole_go(struct whole *w);

/*
 * The command has ended (CHILD_ENDED). Returns 0 if it had begun; else the exit status,
 * after a message that says why it could not be executed.
 */
int whole_not_begun(struct whole *w);

/*
 * The records of a run by LWP, of which none is lost, have no exec of the command. Return
 * whether that is true, because a signal has ended the command before.
 */
int whole_ended_early(const struct whole *w);

/*
 * Read the counts of all sets into w->sample. Returns the number of sets that were read:
 * if it is below w->n, the set with this index cannot be read, with errno.
 */
unsigned whole_sample(const struct whole *w);

/*
 * After the end of the command and whole_sample(): which part of the run the kernel has
 * not counted, as uncounted_check() finds out.
 */
enum uncounted_part whole_uncounted(const struct whole *w, char *words, size_t size);

/*
 * Fill *v with the value of a request in the last sample of a set. If the kernel has not
 * counted a part of the run, the value is approximate, or unavailable.
 */
void whole_value(const struct whole *w, unsigned set, unsigned request,
		 enum uncounted_part part, cpc_value_t *v);

#endif
