/* The source lines of a function with their values. */
#ifndef SUITE_PROFILE_ANNOTATE_H
#define SUITE_PROFILE_ANNOTATE_H

#include "base/text.h"
#include "suite/profile/profile.h"

/* A line that has values: of its own instructions, and of functions inlined there. */
struct annotate_line {
	const char *file;      /* NULL: not known */
	unsigned line;	       /* 0: not known */
	const uint64_t *value; /* one for each metric */
	char *inlined;	       /* names of functions that are inlined here, or NULL */
};

struct annotation {
	size_t n;
	struct annotate_line *line; /* by file and line; lines without a file come last */
	uint64_t *value;	    /* of the lines */
	uint64_t *total;	    /* one for each metric */
};

/*
 * Find the lines of a function, which may be inlined, by its name: "f" finds "f(int)" and
 * "a::f(int)" too. Returns 0, or -1 with ENOENT if it has no values, or ENOMEM.
 */
int annotate_make(struct annotation *a, const struct profile *p, const char *function);
void annotate_free(struct annotation *a);

/* Write the names that are nearest to a function's, "did you mean 'A'?", or "". */
void annotate_nearest(const struct profile *p, const char *function, char *text,
		      unsigned size);

/* The text of a source file. */
struct annotate_source {
	const char *file;
	const char *text; /* NULL: the file was not found */
	size_t size;
};

/*
 * Append the annotation. Text has the lines around those that have values, from the
 * sources, of which there is one for each file of a; CSV and JSON have the lines that
 * have values. b->failed is set if memory ran out.
 */
void annotate_put(struct textbuf *b, const struct profile *p, const struct annotation *a,
		  const char *function, const struct annotate_source *source, size_t n,
		  enum text_format format);

#endif
