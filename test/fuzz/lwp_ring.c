/*
 * Read a ring of any bytes and any geometry, and store records into it. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include <lwp.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads all slots, in runs and one by one. */
static uint64_t read_slots(const lwp_ring_t *r)
{
	uint64_t sum = 0;
	lwp_record_t record;
	uint32_t n;

	for (uint32_t i = 0; i < lwp_ring_slots(r); i += n) {
		const uint8_t *slot = lwp_ring_slot(r, i, &n);

		if (!slot)
			break;
		if (n == 0 || i + n > lwp_ring_slots(r))
			abort();
		for (uint32_t k = 0; k < n; k++) {
			if (lwp_ring_slot(r, i + k, NULL) != slot + k * r->event_size)
				abort();
			lwp_record_decode(&record, slot + k * r->event_size);
			sum += record.ip;
		}
	}
	return sum;
}

/* Stores n records. Each of them is either in the ring or missed. */
static void store(lwp_ring_t *r, uint8_t *bytes, unsigned n)
{
	const lwp_record_t record = {.id = LWP_EVENT_INS};
	const uint64_t missed = r->missed;
	const uint32_t had = lwp_ring_count(r);
	unsigned stored = 0;

	while (n--) {
		const int rc = lwp_ring_store(r, bytes, &record);

		if (rc < 0)
			return;
		stored += 1;
	}
	if (lwp_ring_count(r) - had + (r->missed - missed) != stored)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_Alignas(8) uint8_t block[LWP_BLOCK_FIXED];
	lwp_features_t f;
	lwp_block_t b;
	lwp_ring_t r;

	if (size < sizeof(block) + 2)
		return 0;
	memcpy(block, data, sizeof(block));
	lwp_features_version1(&f);
	lwp_block_decode(&b, block, sizeof(block), &f);
	const uint32_t event_size = data[sizeof(block)];
	const unsigned stores = data[sizeof(block) + 1];

	data += sizeof(block) + 2;
	size -= sizeof(block) + 2;
	if (stores & 1)
		b.buffer_size = (uint32_t)size;
	/* Memory of exactly this size, so that each byte beyond is noticed. */
	uint8_t *bytes = malloc(size ? size : 1);

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (lwp_ring_init(&r, &b, bytes, size, event_size) >= 0) {
		read_slots(&r);
		lwp_ring_acquire(&r, block);
		lwp_ring_release(&r, block, stores);
		store(&r, bytes, stores);
		read_slots(&r);
	}
	free(bytes);
	return 0;
}
