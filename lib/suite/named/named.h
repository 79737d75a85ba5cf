/*
 * Breakpoints at names (mem:NAME): the names are looked up in the image of each process
 * when its files are mapped, and the breakpoints of its LWPs move to their addresses.
 *
 * The libraries of a program are mapped by its dynamic loader. Until the program begins,
 * its system calls are watched, so that breakpoints are in their place before any code of
 * the file with the name runs. NULL is allowed as a struct named of a run without names.
 */
#ifndef SUITE_NAMED_NAMED_H
#define SUITE_NAMED_NAMED_H

#include <libcpc.h>
#include <libpctx.h>

struct named;

/*
 * Set *named to the names in the events of sets; to NULL if there are none. running: the
 * processes run already. Returns 0; or -1 with ENOMEM, or ENOTSUP if this program was
 * built without the libraries that read symbols.
 */
int named_open(struct named **named, cpc_t *cpc, unsigned n, cpc_set_t *const *set,
	       int running);
void named_free(struct named *n);

/*
 * An LWP of a process has begun, and its sets are not bound yet. Looks names up if the
 * image of the process is not known. Returns 0, or -1 with errno.
 */
int named_begin(struct named *n, pctx_t *pctx, pid_t pid, id_t lwpid);

/*
 * A copy of set number index was bound to an LWP of a process. Returns 0; or -1 with
 * errno, after a message of the session.
 */
int named_bound(struct named *n, pid_t pid, unsigned index, cpc_set_t *set);

/*
 * The LWP is stopped at a system call (struct pctx_watch). Looks for names that were not
 * found yet. Returns 0; or -1 with errno, after a message of the session if a breakpoint
 * cannot move.
 */
int named_call(struct named *n, pctx_t *pctx, pid_t pid, id_t lwpid);

/* Return 1 if names of a process are still looked for, and a set with them is bound. */
int named_is_pending(const struct named *n, pid_t pid);

/*
 * The process has mapped all its libraries or ends, or a set that has waited is bound
 * next: names that were not found are not there.
 */
void named_settle(struct named *n, pid_t pid);

/*
 * Return why an event cannot be counted in a process, or NULL if all can or if names are
 * still looked for. *event is the text of the event. Both live as long as n.
 */
const char *named_refusal(const struct named *n, pid_t pid, const char **event);

/* A process has the image of its parent. Returns 0, or -1 with ENOMEM. */
int named_fork(struct named *n, pid_t pid, pid_t child);

/* A process has ended, or has executed another program. */
void named_end(struct named *n, pid_t pid);

/*
 * Call fn for each event that was not counted in some programs. Returns how many such
 * events there were.
 */
unsigned named_notes(const struct named *n, void *arg,
		     void (*fn)(void *arg, const char *text));

#endif
