/* Recordings that are read and summed up, for report, annotate and diff. */
#ifndef LWPREC_PROFILES_H
#define LWPREC_PROFILES_H

#include "inputs.h"
#include "suite/profile/profile.h"

struct profiles {
	size_t n;
	struct input *file;
	struct profile_input *input;
	struct profile *profile; /* NULL before profiles_sum() */
};

/* The names of the functions: with source lines, and as the linker knows them. */
struct profiles_names {
	int lines, mangled;
};

/* Read n files. Exits with EXIT_TOOL, after a message, on failure. */
void profiles_open(struct profiles *p, const struct input_options *o, char *const *path,
		   size_t n, const struct profiles_names *names);

/*
 * Sum the recordings up. Exits with EXIT_TOOL if memory runs out, or if none of the
 * events of o->event is in the recordings.
 */
void profiles_sum(struct profiles *p, const struct profile_options *o);

/*
 * Print notes about records that are missing, and files without symbols. Returns
 * EXIT_TOOL if something is not exact or not complete and strict is set, else 0.
 */
int profiles_check(const struct profiles *p, int strict);

void profiles_close(struct profiles *p);

#endif
