/*
 * Reads any files as those of process 1 (descriptors.h), whose memory is the file mem,
 * from address 0 on. The first line has the address of an LWPCB. The recording can be
 * written and read again. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "descriptors.h"
#include "recording.h"

enum { MEMORY = 65536 };

/* Checks that a recorded ring has the bytes that the process has at its address. */
static void check_ring(const struct recording_ring *ring)
{
	const struct file *const mem = files_find("/proc/1/mem");

	check(mem != NULL, "no ring without memory");
	check(ring->cb < mem->size && ring->block_size <= mem->size - ring->cb,
	      "the LWPCB is in the memory");
	check(!ring->size ||
		      (ring->base < mem->size && ring->size <= mem->size - ring->base),
	      "the ring is in the memory");
	check(!ring->size || !memcmp(ring->bytes, mem->text + ring->base, ring->size),
	      "the ring has the bytes of the memory");
}

/* A ring of any size is allocated, which takes long if it is not in the memory. */
static int is_large(uint64_t cb)
{
	const struct file *const mem = files_find("/proc/1/mem");
	uint32_t n = 0;

	if (mem && cb < mem->size && mem->size - cb > LWP_BLOCK_SIZE + sizeof n)
		memcpy(&n, mem->text + cb + LWP_BLOCK_SIZE, sizeof n);
	return (n & 0x0fffffff) > MEMORY;
}

static void check_rings(struct recording *r, uint64_t cb)
{
	char why[256] = "";

	if (is_large(cb))
		return;
	if (recording_copy_rings(r, &cb, 1, why, sizeof why) == -1) {
		check(*why, "a refusal has a reason");
		return;
	}
	check(r->nring == 1 && r->ring[0].cb == cb, "the ring is that of the LWPCB");
	check_ring(&r->ring[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording r;
	const uint64_t cb = strtoull(files_open(data, size), NULL, 16);

	if (recording_of_process(&r, 1) == 0) {
		for (size_t i = 0; i < r.nmapping; i++)
			check(r.mapping[i].start < r.mapping[i].end,
			      "a mapping has an address");
		check_rings(&r, cb);
		recording_touch(&r);
		recording_repeat(&r);
		recording_free(&r);
	} else {
		check(!files_find("/proc/1/maps"), "a process with a map is described");
	}
	descriptors_close();
	return 0;
}
