/*
 * Decodes any bytes as rings of records of the lives of LWPs. The first byte gives the
 * number of parts (1 to 4), the second where the input is cut into the records of two
 * rings. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "engine/ring/lives.h"

#include <string.h>

#include "fuzz.h"

enum { SIZE = 4096, PARTS = 4 };

/* What was reported. */
struct seen {
	unsigned nsel;
	int64_t latest;
	int ordered; /* the times of what happened but ends do not decrease */
	unsigned n;
};

static void look(void *arg, const struct engine_life *life)
{
	struct seen *s = arg;

	check(life->kind >= LIFE_BIRTH && life->kind <= LIFE_END, "a kind");
	check((life->kind == LIFE_END) == (life->val != NULL), "only ends have values");
	check((life->name != NULL) ==
		      (life->kind == LIFE_NAME || life->kind == LIFE_EXEC),
	      "only names have a name");
	if (life->name)
		check(strlen(life->name) < 16, "a name has an end");
	for (unsigned i = 0; life->val && i < s->nsel; i++)
		check(life->val[i].running <= life->val[i].enabled,
		      "no event runs longer than it is enabled");
	if (s->ordered && life->kind != LIFE_END) {
		check(life->ns >= s->latest, "the order is that of time");
		s->latest = life->ns;
	}
	s->n++;
}

static void take(struct kernel_lives *v, const uint8_t *data, size_t size)
{
	unsigned char *const bytes = calloc(1, SIZE);
	struct kernel_ring ring = {.data = bytes, .size = SIZE};

	check(bytes != NULL, "no memory");
	size = size < SIZE ? size : SIZE;
	if (size)
		memcpy(bytes, data, size);
	kernel_lives_take(v, &ring, size);
	check(ring.tail == size, "all records are taken");
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct kernel_lives_part parts[PARTS] = {
		{.id = 1, .sel = 0, .factor = 1},
		{.id = 2, .sel = 1, .factor = 2},
		{.id = 3, .sel = 1, .factor = 2, .with_previous = 1},
		{.id = 4, .sel = 2, .factor = 1},
	};

	if (size < 2)
		return 0;
	const unsigned nparts = data[0] % PARTS + 1;
	struct kernel_lives v = {
		.nsel = parts[nparts - 1].sel + 1, .nparts = nparts, .part = parts};
	struct seen s = {.nsel = v.nsel, .latest = INT64_MIN, .ordered = 1};
	const size_t cut = (size - 2) * data[1] / 256 / 8 * 8;

	take(&v, data + 2, cut);
	take(&v, data + 2 + cut, size - 2 - cut);
	kernel_lives_emit(&v, INT64_MAX / 2, &s, look);
	kernel_lives_emit(&v, INT64_MAX, &s, look);
	s.ordered = 0;
	kernel_lives_end(&v, &s, look);
	check(v.n == 0 && v.nvalues == 0, "nothing is left");
	kernel_lives_free(&v);
	return 0;
}
