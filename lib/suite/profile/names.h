/* Names of code and data in the tables of reports. */
#ifndef SUITE_PROFILE_NAMES_H
#define SUITE_PROFILE_NAMES_H

#include <string.h>

#include "base/text.h"
#include "suite/profile/profile.h"

/* Compare strings as strcmp(3) does. Many are the same pointer; NULL comes last. */
static inline int names_compare(const char *a, const char *b)
{
	if (a == b)
		return 0;
	if (!a || !b)
		return a ? -1 : 1;
	return strcmp(a, b);
}

/* Return the last part of a module's path, or words for NULL. */
const char *names_module(const char *path);

/* Append "function", or "module [no symbol]" for all code of a module without one. */
void names_function(struct textbuf *b, const struct symbols_frame *f);

/* Append "function+0xOFFSET", or "module+0xOFFSET". */
void names_place(struct textbuf *b, const struct symbols_frame *f);

/* Return the name of a thread, or NULL. */
const char *names_thread(const struct recording *r, pid_t tid);

/* Return the mapping that contains an address, or NULL. */
const struct recording_mapping *names_mapping(const struct recording *r,
					      uint64_t address);

/* An object in memory, or the mapping that an address without object is in. */
struct names_data {
	const char *name;   /* of a variable, or of the mapping; NULL: anonymous memory */
	const char *module; /* the file of a variable; else NULL */
	uint64_t start, size; /* all addresses from start on have this name */
};

struct names_data names_data(const struct profile_input *input, uint64_t address);

/* Append the name, of anonymous memory "anonymous memory at 0xSTART". */
void names_put_data(struct textbuf *b, const struct names_data *d);

#endif
