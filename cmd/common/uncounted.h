/*
 * Programs that the kernel does not count: at the exec of a program that changes ids,
 * gains capabilities or cannot be read it removes all events from the process.
 */
#ifndef COMMON_UNCOUNTED_H
#define COMMON_UNCOUNTED_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>
#include "child.h"

/*
 * Returns why the kernel will not count a program, looked up in PATH as execvp(3) does:
 * "set-id", "privileged" or "unreadable"; or NULL.
 */
const char *uncounted_program(const char *name);

/* A check for programs of a run that were not counted. */
struct uncounted {
	const char *why; /* of uncounted_program(), for the command */
	cpc_t *cpc;
	cpc_set_t *faults; /* the page faults of the whole tree, or NULL */
};

/*
 * Before the exec of the child pid: begin to count what uncounted_check() compares. If
 * that fails, less is found out.
 */
void uncounted_begin(struct uncounted *u, cpc_t *cpc, pid_t pid);

/* The part of a run that was not counted. */
enum uncounted_part { UNCOUNTED_NOTHING, UNCOUNTED_SOME, UNCOUNTED_ALL };

/*
 * After a run: find out by the processor times and the page faults whether programs were
 * not counted. use is what the command and its descendants used; enabled_ns is the time
 * that was counted. Unless the result is UNCOUNTED_NOTHING, the reason is written to
 * words, which has size bytes, for the notes of the values.
 */
enum uncounted_part uncounted_check(const struct uncounted *u,
				    const struct child_use *use, uint64_t enabled_ns,
				    char *words, size_t size);

void uncounted_end(struct uncounted *u);

#endif
