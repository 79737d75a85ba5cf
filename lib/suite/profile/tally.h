/*
 * Tallies: sums by key, in a hash table with open addressing. Keys and sums are a few
 * 64-bit words, so that millions of records are summed up in a fraction of a second.
 */
#ifndef SUITE_PROFILE_TALLY_H
#define SUITE_PROFILE_TALLY_H

#include <stddef.h>
#include <stdint.h>

enum { TALLY_WORDS = 8 };

/* Starts as zeros but for nkey and nsum. After a failed allocation sums are lost. */
struct tally {
	unsigned nkey, nsum; /* words of a key, and sums: at most TALLY_WORDS together */
	size_t n;	     /* entries in use */
	size_t size;	     /* entries; 0 or a power of 2 */
	uint64_t *entry;     /* of nkey + nsum words; free if the first sum is 0 */
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

/*
 * Return the sums of a key. They are 0 if the key is new, and the caller then adds to the
 * first of them: an entry whose first sum is 0 is free. nkey and nsum are those of t:
 * they are arguments so that the compiler knows them.
 */
static inline uint64_t *tally_at(struct tally *t, const uint64_t *key, unsigned nkey,
				 unsigned nsum)
{
	const unsigned words = nkey + nsum;

	if (2 * t->n >= t->size && tally_grow(t) == -1)
		return t->lost;
	for (size_t i = tally_hash(key, nkey);; i++) {
		uint64_t *entry = t->entry + (i & (t->size - 1)) * words;
		unsigned same = 0;

		if (entry[nkey] == 0) {
			for (unsigned k = 0; k < nkey; k++)
				entry[k] = key[k];
			t->n++;
			return entry + nkey;
		}
		while (same < nkey && entry[same] == key[same])
			same++;
		if (same == nkey)
			return entry + nkey;
	}
}

/*
 * Move the entries to the front of t->entry, in ascending order of their keys. Then t is
 * an array of t->n entries, and no sums can be added. Returns -1 with ENOMEM if an
 * allocation has failed.
 */
int tally_sort(struct tally *t);

/* Return entry i, the words of its key and then its sums, after tally_sort(). */
static inline const uint64_t *tally_entry(const struct tally *t, size_t i)
{
	return t->entry + i * (t->nkey + t->nsum);
}

#endif
