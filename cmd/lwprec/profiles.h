/* Recordings that are read and summed up, for report, annotate and diff. */
#ifndef LWPREC_PROFILES_H
#define LWPREC_PROFILES_H

#include "common/options.h"
#include "filters.h"
#include "inputs.h"
#include "suite/profile/profile.h"

/* The values of the options about input, and of those that these subcommands share. */
struct profiles_options {
	struct options_shared shared;
	struct input_options input;
	const char *event;
	char *output;
	long long rows; /* -1: not given */
	int lines;	/* functions have source lines */
	int mangled;	/* functions have the names that the linker knows */
	int records;
};

struct profiles {
	size_t n;
	struct input *file;
	struct profile_input *input;
	struct profile *profile; /* NULL before profiles_sum() */
};

/* Set the options to what they are before the first is read. */
void profiles_options_begin(struct profiles_options *o,
			    const struct options_command *command, char **argv);

/* Handle c, which options_read() returned. Exits if the argument is wrong. */
void profiles_option(struct profiles_options *o, const struct options_command *command,
		     int c);
void profiles_options_free(struct profiles_options *o);

/* Read n files. Exits with EXIT_TOOL, after a message, on failure. */
void profiles_open(struct profiles *p, const struct profiles_options *o,
		   char *const *path, size_t n);

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
