/* Instructions of a profile, put together by function, module, source line or address. */
#ifndef SUITE_PROFILE_GROUP_H
#define SUITE_PROFILE_GROUP_H

#include "suite/profile/profile.h"

/* The values of the instructions that have the same words and numbers. */
struct group {
	const char *text[3];
	uint64_t number[2];
	const struct profile_code *code; /* one of the instructions */
	const uint64_t *value;		 /* one for each metric */
};

struct groups {
	size_t n;
	struct group *group; /* in the order of the keys */
	uint64_t *value;
	const struct group **by_value; /* of one metric, the largest first */
};

/* Write the words and numbers by which an instruction is put into a group. */
typedef void group_key_t(struct group *g, const struct profile *p,
			 const struct profile_code *c);

/* The keys: the linker's symbol, and the innermost function at an address. */
void group_by_symbol(struct group *g, const struct profile *p,
		     const struct profile_code *c);
void group_by_function(struct group *g, const struct profile *p,
		       const struct profile_code *c);
void group_by_module(struct group *g, const struct profile *p,
		     const struct profile_code *c);
void group_by_file(struct group *g, const struct profile *p,
		   const struct profile_code *c);
void group_by_line(struct group *g, const struct profile *p,
		   const struct profile_code *c);
void group_by_ip(struct group *g, const struct profile *p, const struct profile_code *c);

enum { GROUP_ALL = 256 };

/*
 * Put the instructions that have a value of the metric into groups, in descending order
 * of its values; of equal values in the order of the keys. GROUP_ALL: all
 * instructions, in the order of the keys. Returns 0, or -1 with ENOMEM.
 */
int groups_make(struct groups *s, const struct profile *p, unsigned metric,
		group_key_t *key);
void groups_free(struct groups *s);

#endif
