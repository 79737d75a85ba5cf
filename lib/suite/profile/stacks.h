/* The different stacks of a profile, and the formats that consist of stacks. */
#ifndef SUITE_PROFILE_STACKS_H
#define SUITE_PROFILE_STACKS_H

#include "suite/profile/profile.h"

/* Instructions with the same module and functions. */
struct stack {
	char *text; /* "module;function;inlined", without line breaks */
	const struct profile_code *code; /* one of the instructions */
	const uint64_t *value;		 /* one for each metric */
};

struct stacks {
	size_t n;
	struct stack *stack; /* in the order of their texts */
	uint64_t *value;
};

/* Return 0, or -1 with ENOMEM. */
int stacks_make(struct stacks *s, const struct profile *p);
void stacks_free(struct stacks *s);

#endif
