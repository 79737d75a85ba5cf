/*
 * Names of output files with placeholders, so that each rank, host or job writes a file
 * of its own:
 *     %h  host, up to the first dot        %j  batch job
 *     %p  process id                       %s  step of the job
 *     %r  rank                             %q{VARIABLE}  a variable of the environment
 *     %n  number of ranks                  %%  %
 *     %l  rank on this host
 */
#ifndef BASE_OUTNAME_H
#define BASE_OUTNAME_H

#include <stddef.h>
#include <stdint.h>

/* The facts that replace placeholders. */
struct outname_values {
	const char *host; /* as of gethostname(2) */
	long pid;
	const char *const *env; /* as environ(7) */
};

/*
 * Expand the placeholders of text. In a value, a character other than an ASCII letter, a
 * digit or one of ._-+@ becomes "_", and so does a dot that would begin a name: no value
 * makes a folder, leaves one, or hides a file. Returns the name, which the caller frees;
 * or NULL with ENOMEM, or EINVAL and a sentence in err if a placeholder is unknown or has
 * no value.
 */
char *outname_expand(const char *text, const struct outname_values *v, char *err,
		     size_t size);

/*
 * Return how many ranks of a parallel program write to the file if each of them has text
 * as the name; or 1 if there is only one, or text has %r, %p, %l or %q, or the name of
 * the file without its folders has this process's rank as a number, or it is not known.
 */
int64_t outname_ranks(const char *text, const char *const *env);

#endif
