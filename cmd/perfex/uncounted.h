/*
 * Programs that the kernel does not count: at the exec of a program that changes ids,
 * gains capabilities or cannot be read it removes all events from the process.
 */
#ifndef PERFEX_UNCOUNTED_H
#define PERFEX_UNCOUNTED_H

#include <stdint.h>
#include <sys/types.h>

#include "common/child.h"
#include "set_list.h"

/*
 * Returns why the kernel will not count a program, looked up in PATH as execvp(3) does:
 * "set-id", "privileged" or "unreadable"; or NULL.
 */
const char *uncounted_program(const char *name);

/* A check for programs of a run that were not counted. */
struct uncounted {
	const char *why; /* of uncounted_program(), for the command */
	struct set_list *s;
	cpc_set_t *faults; /* the page faults of the whole tree, or NULL */
};

/*
 * Before the exec of the child pid: begin to count what uncounted_check() compares. If
 * that fails, less is found out.
 */
void uncounted_begin(struct uncounted *u, struct set_list *s, pid_t pid);

/*
 * After a run: find out by the processor times and the page faults whether programs were
 * not counted, and if so change the values and notes of the rows. use is what the command
 * and its descendants used; enabled_ns is the time that was counted.
 */
void uncounted_check(const struct uncounted *u, const struct child_use *use,
		     uint64_t enabled_ns);

void uncounted_end(struct uncounted *u);

/* Some counts are missing: make the values approximate, with words in their notes. */
void uncounted_some(struct set_list *s, const char *words);

#endif
