/*
 * The machines that the simulation engine can model: those that are built in, a model of
 * the caches of this machine, files of users, and changes of all these.
 */
#ifndef ENGINE_MACHINE_H
#define ENGINE_MACHINE_H

#include "engine/machine_parse.h"
#include "sim/shared/machine.h"

/* A built-in machine: events/NAME.machine. The last has a NULL name. */
struct machine_text {
	const char *name, *text;
};

extern const struct machine_text machine_texts[];

/* The user's choice of a machine. */
struct machine_choice {
	const char *name; /* a built-in machine, "native", or a path with a '/' */
	struct machine_changes changes;
};

/*
 * Read a machine into *m, and, unless text is NULL, its changed text into *text, for
 * free(). Returns 0; or -1 with EINVAL after at least one message (machine_parse()), also
 * if there is no such machine or the file cannot be read; or with ENOMEM.
 */
int machine_open(const struct machine_choice *choice, struct machine *m, char **text,
		 struct machine_mistakes *to);

/*
 * Returns a number that is the same for machines that the model cannot tell apart: it
 * depends on all values but the name and the title, and not on their order in the text.
 */
uint64_t machine_hash(const struct machine *m);

#endif
