/* The mappings of a process, by address. */
#ifndef SYMBOLS_MAPS_H
#define SYMBOLS_MAPS_H

#include <stddef.h>
#include <stdint.h>

struct module;

/* The bytes from start to end - 1. */
struct mapping {
	uint64_t start, end, offset;
	struct module *module;
	uint64_t bias; /* what is added to addresses of the file, once it is known */
	int has_bias;
};

/* Starts as zeros; the list is sorted and has no overlaps. */
struct maps {
	struct mapping *list;
	size_t n;
};

/*
 * Add a mapping; it takes the place of older mappings where it overlaps them. An empty
 * one is ignored. Returns 0, or -1 with ENOMEM.
 */
int maps_add(struct maps *m, const struct mapping *new);

/* Return the mapping that contains an address, or NULL. */
const struct mapping *maps_find(const struct maps *m, uint64_t address);

/* Return the number of mappings that start at or below an address. */
size_t maps_below(const struct maps *m, uint64_t address);

/*
 * Read one line of /proc/PID/maps, without its newline: fill all of *new but the module,
 * and path, which has room for size bytes. Returns 0, or -1 if the line is malformed.
 */
int maps_parse(const char *line, struct mapping *new, char *path, size_t size);

void maps_free(struct maps *m);

#endif
