/* Counts by instruction, which an engine that simulates programs has beside totals. */
#ifndef ENGINE_BY_CODE_H
#define ENGINE_BY_CODE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct engine;
struct evsel;

/* A file that a process image has mapped. */
struct engine_mapping {
	uint64_t start, end, offset;
	const char *path;    /* NULL: memory that is no file's */
	const uint8_t *head; /* the first bytes of the file, or NULL */
	size_t head_size;
};

/* What an event has counted at an instruction; a fraction, if it is an estimate. */
struct engine_count {
	uint64_t pc;
	unsigned event; /* index of an evsel */
	double count;
};

/* A process image of a run: a program that was executed, or the copy of fork(2). */
struct engine_image {
	pid_t pid;
	const char *program; /* path */
	size_t nmapping, ncount;
	/* in the order in which they were made: later ones replace what they overlap */
	const struct engine_mapping *mapping;
	const struct engine_count *count; /* the same pc may have several of an event */
};

/* The operations of an engine. */
struct engine_by_code {
	/* Count the next programs of command() so (on: 1), or not any more. */
	void (*set)(struct engine *e, int on);
	/*
	 * The program has ended. Call fn for each of its images, with the counts of
	 * sel[0..n-1], which are the evsels of command(); an image lives during the call.
	 * Returns 0; or -1 with ENOMEM, or ENODATA if nothing was counted by instruction,
	 * or if memory ran out meanwhile; or the result of fn if that is not 0.
	 */
	int (*read)(struct engine *e, const struct evsel *const *sel, unsigned n,
		    void *arg, int (*fn)(void *arg, const struct engine_image *image));
};

#endif
