/*
 * Any bytes as the kernel's ring of records. The first byte gives the items, the second
 * the size of the ring (64 to 8192 bytes), the next 8 how far it was written; the others
 * are in it. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "engine/kernel/ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "invariant: %s\n", what);
		abort();
	}
}

/* Until nothing is left: every call goes on, and not past what was written. */
static void drain(struct kernel_ring *r, uint64_t head)
{
	uint64_t *const rec = malloc(MAX * ENGINE_NITEMS * sizeof *rec);

	check(rec != NULL, "memory");
	while (r->tail != head) {
		const struct kernel_ring before = *r;
		const unsigned n = kernel_ring_take(r, head, rec, MAX);

		check(n <= MAX, "no more than asked");
		check(r->tail - before.tail <= head - before.tail, "not past the end");
		check(r->tail != before.tail, "it goes on");
		check(n == MAX || r->tail == head, "all is taken");
		check(r->broken <= before.broken + (head - before.tail) / 8 + 1,
		      "one word at least breaks");
		check(r->data == before.data && r->size == before.size, "the ring stays");
	}
	check(kernel_ring_take(r, head, rec, MAX) == 0, "nothing is left");
	free(rec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 10)
		return 0;

	struct kernel_ring r = {
		.size = UINT64_C(64) << data[1] % 8,
		.what = kernel_ring_what(data[0]),
	};
	uint64_t head;
	memcpy(&head, data + 2, sizeof head);
	data += 10;
	size -= 10;
	/* mostly what the ring can hold, from somewhere in it */
	r.tail = head >> 32;
	head = r.tail + (head & 1 ? head >> 1 & (r.size - 1) : head);

	unsigned char *const ring = calloc(1, r.size);
	check(ring != NULL, "memory");
	for (uint64_t i = 0; i < r.size && size; i++)
		ring[(r.tail + i) % r.size] = data[i % size];
	r.data = ring;
	drain(&r, head);
	free(ring);
	return 0;
}
