/*
 * Facts about how a command was run, which can move its counts a little although the
 * command line is the same.
 */
#ifndef SUITE_SERIES_FACTS_H
#define SUITE_SERIES_FACTS_H

#include <stdint.h>

/* A member is -1 or "" if it is not known. */
struct facts {
	int64_t start_bytes; /* of the words and the environment, as on the first stack */
	int64_t cwd_bytes;   /* the length of the path of the working directory */
	char program[17];    /* a hash of the file of the program, 16 digits */
};

/* Facts that are not known. */
void facts_none(struct facts *f);

/*
 * Fill *f for the command argv, which is found as execvp(3) finds it, and an environment.
 * Of a script the script is hashed, not its interpreter; cwd may be NULL.
 */
void facts_find(struct facts *f, char *const *argv, char *const *environment,
		const char *cwd);

#endif
