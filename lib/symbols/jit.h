/* Names of code that a JIT compiler has made, which it writes to /tmp/perf-PID.map. */
#ifndef SYMBOLS_JIT_H
#define SYMBOLS_JIT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbols/ranges.h"
#include "symbols/strings.h"

struct jit_function {
	uint64_t start;
	const char *name;
};

/* Starts as zeros. */
struct jit {
	struct jit_function *list;
	size_t n;
	struct ranges ranges;
	struct strings strings;
};

/*
 * Read the names that process pid has written, below the folder root. The file must
 * belong to the owner of the process, or to root: others could write names for it.
 * Returns 0, also if there is no such file; or -1 with ENOMEM.
 */
int jit_read(struct jit *j, const char *root, pid_t pid);

/* Read a line "START SIZE NAME", unless it is malformed. Returns 0, or -1 with ENOMEM. */
int jit_add(struct jit *j, const char *line);

/* Prepare for searches. Returns 0, or -1 with ENOMEM. */
int jit_finish(struct jit *j);

/* Return the function that contains an address, or NULL. */
const struct jit_function *jit_find(const struct jit *j, uint64_t address);

void jit_free(struct jit *j);

#endif
