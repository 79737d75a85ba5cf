/* The names of regions. */
#ifndef REGION_NAMES_H
#define REGION_NAMES_H

/* The name of a region, which lives until the process ends: results point to it. */
struct region_name {
	unsigned order; /* 0 for the first name */
	char text[];
};

/* The names of the regions of a process, in the order in which they first began. */
struct region_names {
	unsigned n;
	struct region_name **name; /* n, by ascending order */
};

/*
 * Returns the name with this text, which is added if it is new; or NULL with ENOMEM. The
 * caller holds the lock.
 */
const struct region_name *region_names_find(struct region_names *names, const char *text);

/*
 * Returns 1 if a text is in memory of the program's file that is never written and never
 * unmapped, as string literals of the program are. Those of libraries can be unmapped.
 */
int region_name_is_constant(const char *text);

#endif
