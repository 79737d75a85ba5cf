/*
 * Tallies: sums by key, in an array, with a hash table of its indices. Keys and sums are
 * a few 64-bit words, so that millions of records are summed up in a fraction of a
 * second.
 */
#ifndef SUITE_PROFILE_TALLY_H
#define SUITE_PROFILE_TALLY_H

#include <stddef.h>
#include <stdint.h>

enum { TALLY_WORDS = 8 };

/* Starts as zeros but for nkey and nsum. After a failed allocation sums are lost. */
struct tally {
	unsigned nkey, nsum; /* words of a key, and sums: at most TALLY_WORDS together */
	size_t n, room;	     /* entries in use, and those that there is memory for */
	uint64_t *entry;     /* of nkey + nsum words */
	uint32_t *slot;	     /* 2 * room: index of an entry plus 1; 0: free */
	int failed;	     /* 1: an allocation has failed */
	uint64_t lost[TALLY_WORDS];
};

void tally_free(struct tally *t);

/* Make room for more entries. Returns -1 with ENOMEM. */
int tally_grow(struct tally *t);

/* Source of the factor: 2^64 divided by the golden ratio (Knuth, TAOCP 3, 6.4) */
static inline size_t tally_hash(const uint64_t *key, unsigned nkey)
{
	uint64_t h = 0;

	for (unsigned i = 0; i < nkey; i++) {
		h = (h ^ key[i]) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	return h;
}

/* Append an entry, whose sums are 0. Returns its sums. */
static inline uint64_t *tally_append(struct tally *t, const uint64_t *key, unsigned nkey,
				     unsigned nsum)
{
	uint64_t *entry = t->entry + t->n++ * (nkey + nsum);

	for (unsigned k = 0; k < nkey; k++)
		entry[k] = key[k];
	for (unsigned k = 0; k < nsum; k++)
		entry[nkey + k] = 0;
	return entry + nkey;
}

/*
 * Return the sums of a key, which are 0 if the key is new. nkey and nsum are those of t:
 * they are arguments so that the compiler knows them.
 */
static inline uint64_t *tally_at(struct tally *t, const uint64_t *key, unsigned nkey,
				 unsigned nsum)
{
	if (t->n == t->room && tally_grow(t) == -1)
		return t->lost;
	for (size_t i = tally_hash(key, nkey);; i++) {
		uint32_t *slot = &t->slot[i & (2 * t->room - 1)];
		unsigned same = 0;

		if (*slot == 0) {
			*slot = (uint32_t)t->n + 1;
			return tally_append(t, key, nkey, nsum);
		}
		uint64_t *entry = t->entry + (*slot - 1) * (size_t)(nkey + nsum);

		while (same < nkey && entry[same] == key[same])
			same++;
		if (same == nkey)
			return entry + nkey;
	}
}

/*
 * Put the entries in ascending order of their keys. Then no sums can be added. Returns -1
 * with ENOMEM if an allocation has failed.
 */
int tally_sort(struct tally *t);

/* Return entry i, the words of its key and then its sums, after tally_sort(). */
static inline const uint64_t *tally_entry(const struct tally *t, size_t i)
{
	return t->entry + i * (t->nkey + t->nsum);
}

#endif
