#include <lwp.h>

#include <endian.h>
#include <errno.h>
#include <string.h>

/*
 * The slot at an offset. LLWPCB takes 0 for a head that is behind the last slot's start.
 */
static uint32_t head_slot(const lwp_ring_t *r, uint32_t head, unsigned *problems)
{
	if (head > r->size - r->event_size) {
		*problems |= LWP_BAD_HEAD;
		return 0;
	}
	if (head % r->event_size)
		*problems |= LWP_BAD_HEAD_STEP;
	return head - head % r->event_size;
}

static uint32_t tail_slot(const lwp_ring_t *r, uint32_t tail, unsigned *problems)
{
	if (tail >= r->size) {
		*problems |= LWP_BAD_TAIL;
		return 0;
	}
	if (tail % r->event_size)
		*problems |= LWP_BAD_TAIL_STEP;
	return tail - tail % r->event_size;
}

int lwp_ring_init(lwp_ring_t *r, const lwp_block_t *b, const void *bytes, size_t size,
		  uint32_t event_size)
{
	unsigned problems = 0;

	if (event_size < LWP_EVENT_SIZE || b->buffer_size < event_size) {
		errno = EINVAL;
		return -1;
	}
	*r = (lwp_ring_t){
		.bytes = bytes,
		.size = b->buffer_size - b->buffer_size % event_size,
		.event_size = event_size,
		.missed = b->missed,
	};
	r->present = size < r->size ? (uint32_t)size : r->size;
	r->head = head_slot(r, b->head, &problems);
	r->tail = tail_slot(r, b->tail, &problems);
	if (r->size != b->buffer_size)
		problems |= LWP_BAD_SIZE_STEP;
	if (r->present < r->size)
		problems |= LWP_BAD_SHORT;
	return (int)problems;
}

uint32_t lwp_ring_count(const lwp_ring_t *r)
{
	const uint32_t used =
		r->head >= r->tail ? r->head - r->tail : r->size - r->tail + r->head;

	return used / r->event_size;
}

uint32_t lwp_ring_slots(const lwp_ring_t *r)
{
	return r->size / r->event_size;
}

const void *lwp_ring_slot(const lwp_ring_t *r, uint32_t i, uint32_t *n)
{
	const uint32_t slots = lwp_ring_slots(r), count = lwp_ring_count(r);
	const uint32_t first = r->tail / r->event_size;

	if (n)
		*n = 0;
	if (i >= slots)
		return NULL;
	const uint32_t at = i < slots - first ? first + i : i - (slots - first);
	const uint32_t present = r->present / r->event_size;

	if (at >= present)
		return NULL;
	if (n) {
		/* The slots up to the end of the records, or of all, that are there. */
		const uint32_t left = (i < count ? count : slots) - i;

		*n = left < present - at ? left : present - at;
	}
	return r->bytes + (size_t)at * r->event_size;
}

static int is_aligned(const void *block)
{
	if ((uintptr_t)block % 8 == 0)
		return 1;
	errno = EINVAL;
	return 0;
}

int64_t lwp_ring_acquire(lwp_ring_t *r, const void *block)
{
	const uint8_t *b = block;
	unsigned ignored = 0;

	if (!is_aligned(block))
		return -1;
	const uint32_t head =
		__atomic_load_n((const uint32_t *)(b + LWP_BLOCK_HEAD), __ATOMIC_ACQUIRE);
	const uint64_t missed = __atomic_load_n((const uint64_t *)(b + LWP_BLOCK_MISSED),
						__ATOMIC_RELAXED);

	r->head = head_slot(r, le32toh(head), &ignored);
	r->missed = le64toh(missed);
	return lwp_ring_count(r);
}

int lwp_ring_release(lwp_ring_t *r, void *block, uint32_t n)
{
	uint8_t *b = block;

	if (!is_aligned(block))
		return -1;
	if (n > lwp_ring_count(r)) {
		errno = EINVAL;
		return -1;
	}
	const uint32_t bytes = n * r->event_size, left = r->size - r->tail;

	r->tail = bytes < left ? r->tail + bytes : bytes - left;
	__atomic_store_n((uint32_t *)(b + LWP_BLOCK_TAIL), htole32(r->tail),
			 __ATOMIC_RELEASE);
	return 0;
}

int lwp_ring_store(lwp_ring_t *r, void *bytes, const lwp_record_t *record)
{
	uint8_t *slot = (uint8_t *)bytes + r->head;
	uint32_t next = r->head + r->event_size;

	if (next > r->present) {
		errno = EINVAL;
		return -1;
	}
	lwp_record_encode(slot, record);
	memset(slot + LWP_EVENT_SIZE, 0, r->event_size - LWP_EVENT_SIZE);
	if (next == r->size)
		next = 0;
	if (next == r->tail) {
		r->missed++;
		return 0;
	}
	r->head = next;
	return 1;
}
