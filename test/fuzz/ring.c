/*
 * Decodes any bytes as the kernel's ring of records. The first byte gives the items, the
 * second the size of the ring (64 to 8192 bytes), the next 8 the position of its head;
 * the ring holds the remaining bytes. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "engine/ring/ring.h"

#include <string.h>

#include "fuzz.h"

enum { MAX = 16 };

/* Read until nothing is left: every call advances, and none reads past head. */
static void drain(struct kernel_ring *r, uint64_t head)
{
	uint64_t *const rec = malloc(MAX * ENGINE_NITEMS * sizeof *rec);

	check(rec != NULL, "no memory");
	while (r->tail != head) {
		const struct kernel_ring before = *r;
		const unsigned n = kernel_ring_read(r, head, rec, MAX);

		check(n <= MAX, "no more records than requested");
		check(r->tail - before.tail <= head - before.tail, "does not pass head");
		check(r->tail != before.tail, "every call advances");
		check(n == MAX || r->tail == head, "reads up to head or max");
		check(r->broken <= before.broken + (head - before.tail) / 8 + 1,
		      "a broken record has at least one word");
		check(r->data == before.data && r->size == before.size,
		      "the mapping is not changed");
	}
	check(kernel_ring_read(r, head, rec, MAX) == 0, "nothing is left");
	free(rec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 10)
		return 0;

	struct kernel_ring r = {
		.size = UINT64_C(64) << data[1] % 8,
		.sample_type = kernel_ring_sample_type(data[0]),
	};
	uint64_t head;
	memcpy(&head, data + 2, sizeof head);
	data += 10;
	size -= 10;
	/* mostly no more bytes than the ring holds, from any position in it */
	r.tail = head >> 32;
	head = r.tail + (head & 1 ? head >> 1 & (r.size - 1) : head);

	unsigned char *const ring = calloc(1, r.size);
	check(ring != NULL, "no memory");
	for (uint64_t i = 0; i < r.size && size; i++)
		ring[(r.tail + i) % r.size] = data[i % size];
	r.data = ring;
	drain(&r, head);
	free(ring);
	return 0;
}
