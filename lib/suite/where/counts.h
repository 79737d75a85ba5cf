/* Counts by function: what the functions of the programs of a run have counted. */
#ifndef SUITE_WHERE_COUNTS_H
#define SUITE_WHERE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * A function. Nothing in it depends on where files are, or on addresses: the same build
 * has the same functions everywhere.
 */
struct where_function {
	/*
	 * Demangled; or "[no symbol]", all code of the file that has no name; or
	 * "[anonymous]", all code outside of files, such as that of JIT compilers.
	 */
	const char *name;
	const char *module; /* file without folders; NULL: the program of the command */
	const char *source; /* file of a static function, without folders, or NULL */
	double *value;	    /* [nevents]; estimates have fractions */
};

/* The functions of a run. All have the same events. */
struct where {
	unsigned nevents;
	unsigned char *is_counted; /* [nevents]; 0: it has no counts by function */
	size_t n, room;
	struct where_function **function; /* [n] */
	uint32_t *slot;			  /* [2 * room]: index plus 1; 0: free */
	/*
	 * The first file whose functions have no names because its symbols could not be
	 * read, and why, as "/bin/x: the file was deleted"; or NULL.
	 */
	char *unread;
};

/* Returns an empty list, all of whose events are counted, or NULL with ENOMEM. */
struct where *where_new(unsigned nevents);
void where_free(struct where *w); /* NULL is allowed */

/*
 * Returns the values of the function with the names of f, which are 0 if it is new; or
 * NULL with ENOMEM.
 */
double *where_at(struct where *w, const struct where_function *f);

/* Put the functions in ascending order of where_order(). Then none can be added. */
void where_sort(struct where *w);

/* Compare functions by file and name; and then by source file. 0: they are the same. */
int where_order_names(const struct where_function *a, const struct where_function *b);
int where_order(const struct where_function *a, const struct where_function *b);

/* Returns the sum of the values of an event. */
double where_total(const struct where *w, unsigned event);

#endif
