#include "suite/profile/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void tally_free(struct tally *t)
{
	free(t->entry);
	free(t->slot);
	t->entry = NULL;
	t->slot = NULL;
	t->n = t->room = 0;
}

/* Put entry i into the first free slot for its key. */
static void place(struct tally *t, size_t i)
{
	const size_t mask = 2 * t->room - 1;
	size_t at = tally_hash(tally_entry(t, i), t->nkey) & mask;

	while (t->slot[at])
		at = (at + 1) & mask;
	t->slot[at] = (uint32_t)i + 1;
}

/* Return -1 if there is no memory for twice as many entries. */
static int widen(struct tally *t)
{
	const size_t size = (t->nkey + t->nsum) * sizeof *t->entry;
	const size_t room = t->room ? 2 * t->room : 512;
	uint32_t *slot;
	uint64_t *entry;

	if (t->failed || room > UINT32_MAX)
		return -1;
	entry = reallocarray(t->entry, room, size);
	if (!entry)
		return -1;
	t->entry = entry;
	slot = calloc(room, 2 * sizeof *slot);
	if (!slot)
		return -1;
	free(t->slot);
	t->slot = slot;
	t->room = room;
	return 0;
}

int tally_grow(struct tally *t)
{
	if (widen(t) == -1) {
		t->failed = 1;
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < t->n; i++)
		place(t, i);
	return 0;
}

/* Entries next to each other that are sorted, by a word of their keys and those after. */
struct part {
	const struct tally *t;
	uint64_t *entry;
	size_t n;
	unsigned word;
};

/* Parts of fewer entries are sorted by insertion; others by the bits of their keys. */
enum { FEW = 24, BITS = 8, BUCKETS = 1 << BITS };

static uint64_t *entry_of(const struct part *p, size_t i)
{
	return p->entry + i * (p->t->nkey + p->t->nsum);
}

static int compare(const struct part *p, const uint64_t *x, const uint64_t *y)
{
	for (unsigned w = p->word; w < p->t->nkey; w++)
		if (x[w] != y[w])
			return x[w] < y[w] ? -1 : 1;
	return 0;
}

static void insert_all(const struct part *p)
{
	const size_t size = (p->t->nkey + p->t->nsum) * sizeof *p->entry;
	uint64_t moved[TALLY_WORDS];

	for (size_t i = 1; i < p->n; i++) {
		size_t to = i;

		memcpy(moved, entry_of(p, i), size);
		while (to && compare(p, moved, entry_of(p, to - 1)) < 0)
			to--;
		memmove(entry_of(p, to + 1), entry_of(p, to), (i - to) * size);
		memcpy(entry_of(p, to), moved, size);
	}
}

/* Return the bits of the word in which the entries differ. */
static uint64_t difference(const struct part *p)
{
	uint64_t bits = 0;

	for (size_t i = 1; i < p->n; i++)
		bits |= entry_of(p, i)[p->word] ^ p->entry[p->word];
	return bits;
}

static void swap(const struct part *p, size_t i, size_t k)
{
	uint64_t *const x = entry_of(p, i), *const y = entry_of(p, k);

	for (unsigned w = 0; w < p->t->nkey + p->t->nsum; w++) {
		const uint64_t moved = x[w];

		x[w] = y[w];
		y[w] = moved;
	}
}

/*
 * Put the entries into buckets by BITS bits of the word, from shift on. Fills end, where
 * each bucket ends.
 * Source: American flag sort (McIlroy, Bostic, McIlroy: Engineering Radix Sort, 1993)
 */
static void distribute(const struct part *p, unsigned shift, size_t *end)
{
	size_t next[BUCKETS], count[BUCKETS] = {0}, sum = 0;

	for (size_t i = 0; i < p->n; i++)
		count[entry_of(p, i)[p->word] >> shift & (BUCKETS - 1)]++;
	for (unsigned b = 0; b < BUCKETS; b++) {
		next[b] = sum;
		end[b] = sum += count[b];
	}
	for (unsigned b = 0; b < BUCKETS; b++)
		while (next[b] < end[b]) {
			const uint64_t word = entry_of(p, next[b])[p->word];
			const unsigned to = word >> shift & (BUCKETS - 1);

			if (to != b)
				swap(p, next[b], next[to]);
			next[to]++;
		}
}

/* The depth is at most that of the bits of a key divided by BITS, and the words. */
static void sort(struct part p)
{
	size_t end[BUCKETS], first = 0;
	uint64_t bits;

	if (p.n < FEW) {
		insert_all(&p);
		return;
	}
	while ((bits = difference(&p)) == 0)
		if (++p.word == p.t->nkey)
			return;
	const unsigned high = 63 - (unsigned)__builtin_clzll(bits);

	distribute(&p, high >= BITS ? high - BITS + 1 : 0, end);
	for (unsigned b = 0; b < BUCKETS; b++) {
		sort((struct part){p.t, entry_of(&p, first), end[b] - first, p.word});
		first = end[b];
	}
}

int tally_sort(struct tally *t)
{
	if (t->failed) {
		errno = ENOMEM;
		return -1;
	}
	free(t->slot);
	t->slot = NULL;
	sort((struct part){t, t->entry, t->n, 0});
	return 0;
}
