/*
 * Decodes any bytes as the ring of a sampled LWP. The first two bytes give the position
 * of the ring's tail and how full the ring is; the ring holds the remaining bytes. Build
 * with clang -fsanitize=fuzzer,address,undefined.
 */
#include "engine/sample/ring.h"

#include <string.h>

#include "fuzz.h"

enum { SIZE = 16384 };

struct seen {
	const struct sample_ring *ring;
	uint64_t n;
};

static void on_record(void *arg, const lwp_record_t *r)
{
	struct seen *s = arg;

	s->n++;
	check(r->id == LWP_EVENT_IRE || r->id == LWP_EVENT_BRE || r->id == LWP_EVENT_DME,
	      "an event of the ring");
	check(r->id == LWP_EVENT_DME || !r->data1, "only misses have a latency");
	check(r->id != LWP_EVENT_IRE || (!r->flags && !r->data2),
	      "an instruction has no flags and no data");
	check(r->id != LWP_EVENT_DME || r->flags & LWP_DME_DAV || !r->data2,
	      "an address is valid");
}

static void on_mapping(void *arg, const struct sample_mapping *m)
{
	struct seen *s = arg;

	s->n++;
	check(m->end > m->start, "a mapping has memory");
	check(!m->path || strlen(m->path) < SIZE, "a path is in the record");
	check(!s->ring->executed, "nothing of the next image");
}

static void on_name(void *arg, pid_t tid, const char *name)
{
	struct seen *s = arg;

	(void)tid;
	s->n++;
	check(strlen(name) < SIZE, "a name is in the record");
	check(!s->ring->executed, "nothing of the next image");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum sample_kind kinds[] = {SAMPLE_PLAIN, SAMPLE_BRANCHES,
						 SAMPLE_LOADS, SAMPLE_IBS_BRANCH,
						 SAMPLE_IBS_LOAD};
	static const uint8_t events[] = {LWP_EVENT_IRE, LWP_EVENT_BRE, LWP_EVENT_DME,
					 LWP_EVENT_BRE, LWP_EVENT_DME};

	if (size < 2)
		return 0;
	unsigned char *const bytes = calloc(1, SIZE);
	check(bytes != NULL, "no memory");
	struct sample_ring r = {
		.ring = {.data = bytes, .size = SIZE, .tail = data[0] * 64},
		.n = sizeof kinds / sizeof *kinds,
	};
	for (unsigned i = 0; i < r.n; i++)
		r.format[i] = (struct sample_format){i, events[i], kinds[i]};
	const uint64_t used = size - 2 < SIZE ? size - 2 : SIZE;
	/* A full ring, a cut one, or a head that is wrong. */
	const uint64_t head = r.ring.tail + used + (data[1] == 255 ? SIZE : 0) -
			      (data[1] < used ? data[1] / 32 : 0);
	for (uint64_t i = 0; i < used; i++)
		bytes[(r.ring.tail + i) % SIZE] = data[2 + i];

	struct seen seen = {&r, 0};
	const struct sample_handler to = {&seen, on_record, on_mapping, on_name};
	sample_ring_read(&r, head, &to);
	check(r.ring.tail == head, "reads up to head");
	check(seen.n + r.missed + r.ring.broken <= used / 8 + 1,
	      "nothing comes from nothing");
	free(bytes);
	return 0;
}
