/*
 * Programs that the kernel does not count: at the exec of a program that changes ids,
 * gains capabilities or cannot be read it removes all events from the process.
 */
#ifndef PERFEX_UNCOUNTED_H
#define PERFEX_UNCOUNTED_H

#include <stdint.h>

#include "set_list.h"

/*
 * Returns why the kernel will not count a program, looked up in PATH as execvp(3) does:
 * "set-id", "privileged" or "unreadable"; or NULL.
 */
const char *uncounted_program(const char *name);

/*
 * After a run: find out by the processor times whether programs were not counted, and if
 * so change the values and notes of the rows. used_ns is the processor time of the
 * command and of its descendants since the start of counting, or 0 if it is not known;
 * enabled_ns is the time that was counted. why is of uncounted_program() for the command.
 */
void uncounted_check(struct set_list *s, const char *why, int64_t used_ns,
		     int64_t enabled_ns);

/* Some counts are missing: make the values approximate, with words in their notes. */
void uncounted_some(struct set_list *s, const char *words);

#endif
