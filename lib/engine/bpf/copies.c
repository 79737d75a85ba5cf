#include "engine/bpf/copies.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "engine/bpf/sys.h"

/* A program that was interrupted in a change needs time to go on. */
enum { TRIES = 10000, PAUSE_NS = 100000 };

/* How many values have not settled, and of how many a change has not gone on. */
struct left {
	size_t values, held_up;
};

static struct left compare(const struct bpf_copies *c)
{
	struct left left = {0};

	for (size_t i = 0; i < c->n; i++) {
		unsigned char *copy = c->copy + i * c->size;
		const unsigned char *again = c->again + i * c->size;
		uint64_t before, after;

		memcpy(&before, copy, sizeof before);
		memcpy(&after, again, sizeof after);
		c->settled[i] |= before == after && before % 2 == 0;
		if (c->settled[i])
			continue;
		memcpy(copy, again, c->size);
		left.values++;
		left.held_up += before == after;
	}
	return left;
}

/*
 * A value may be changed every few microseconds, so that there is no pause between two
 * reads unless a change is held up.
 */
int bpf_copies_settle(const struct bpf_copies *c)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	for (unsigned i = 0; i < TRIES; i++) {
		if (c->read(c->arg, c->again) == -1)
			return -1;
		const struct left left = compare(c);
		if (!left.values)
			return 0;
		if (left.held_up)
			nanosleep(&pause, NULL);
	}
	errno = EAGAIN;
	return -1;
}

/* A value of a map. */
struct place {
	int map;
	const void *key;
};

static int read_place(void *place, void *to)
{
	const struct place *p = place;

	return bpf_sys_lookup(p->map, p->key, to);
}

/* Copies of the values of a hash. */
struct values {
	int map;
	size_t n, size;
	unsigned char *value;
	unsigned char *again; /* scratch of the size of a value */
};

/* A value that is not in the map any more is left out. */
static int add(void *values, uint64_t key, const void *value)
{
	struct values *v = values;
	struct place place = {v->map, &key};
	unsigned char settled = 0;

	if (array_grow(&v->value, v->n, v->size) == -1)
		return -1;
	const struct bpf_copies c = {.n = 1,
				     .size = v->size,
				     .copy = v->value + v->n * v->size,
				     .again = v->again,
				     .settled = &settled,
				     .read = read_place,
				     .arg = &place};
	memcpy(c.copy, value, v->size);
	if (bpf_copies_settle(&c) == -1)
		return errno == ENOENT ? 0 : -1;
	v->n++;
	return 0;
}

unsigned char *bpf_copies_hash(int map, size_t size, size_t *n)
{
	struct values v = {.map = map, .size = size};
	int rc = -1;

	v.again = malloc(size);
	if (v.again && array_grow(&v.value, 0, size) == 0)
		rc = bpf_sys_each(map, size, &v, add);
	free(v.again);
	*n = v.n;
	if (rc == 0)
		return v.value;
	free(v.value);
	return NULL;
}

unsigned char *bpf_copies_cpus(int map, size_t size, size_t n)
{
	const uint32_t zero = 0;
	struct place place = {map, &zero};
	const struct bpf_copies c = {.n = n,
				     .size = size,
				     .copy = malloc(n * size),
				     .again = malloc(n * size),
				     .settled = calloc(n, 1),
				     .read = read_place,
				     .arg = &place};
	int rc = -1;

	if (c.copy && c.again && c.settled && read_place(&place, c.copy) == 0)
		rc = bpf_copies_settle(&c);
	free(c.settled);
	free(c.again);
	if (rc == 0)
		return c.copy;
	free(c.copy);
	return NULL;
}
