#include "suite/profile/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void tally_free(struct tally *t)
{
	free(t->entry);
	t->entry = NULL;
	t->n = t->size = 0;
}

/* Put an entry into the first free place for its key. */
static void place(struct tally *t, const uint64_t *entry)
{
	const unsigned words = t->nkey + t->nsum;
	size_t i = tally_hash(entry, t->nkey) & (t->size - 1);

	while (t->entry[i * words + t->nkey])
		i = (i + 1) & (t->size - 1);
	memcpy(t->entry + i * words, entry, words * sizeof *entry);
}

int tally_grow(struct tally *t)
{
	const unsigned words = t->nkey + t->nsum;
	struct tally old = *t;
	const size_t size = old.size ? 2 * old.size : 1024;
	uint64_t *entry = t->failed ? NULL : calloc(size, words * sizeof *entry);

	if (!entry) {
		t->failed = 1;
		errno = ENOMEM;
		return -1;
	}
	t->entry = entry;
	t->size = size;
	for (size_t i = 0; i < old.size; i++)
		if (old.entry[i * words + t->nkey])
			place(t, old.entry + i * words);
	free(old.entry);
	return 0;
}

static int compare(const void *a, const void *b, void *tally)
{
	const struct tally *t = tally;
	const uint64_t *x = a, *y = b;

	for (unsigned i = 0; i < t->nkey; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

int tally_sort(struct tally *t)
{
	const unsigned words = t->nkey + t->nsum;
	size_t n = 0;

	if (t->failed) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < t->size; i++)
		if (t->entry[i * words + t->nkey])
			memmove(t->entry + n++ * words, t->entry + i * words,
				words * sizeof *t->entry);
	if (n)
		qsort_r(t->entry, n, words * sizeof *t->entry, compare, t);
	return 0;
}
