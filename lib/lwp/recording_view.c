/* Recordings: the records of a ring, by its LWPCB and the state of XSAVE. */
#include <errno.h>

#include "lwp/recording.h"

void recording_features(const struct recording *r, lwp_features_t *f)
{
	lwp_cpuid_t c = {0};

	for (int i = 0; i < 4; i++)
		c.lwp[i] = r->cpuid[i];
	if (r->cpuid[1])
		lwp_features_decode(f, &c);
	else
		lwp_features_version1(f);
	/* A later processor may have made the records. */
	if (!r->cpuid[1])
		f->available |= LWP_FLAG_CONT | LWP_FLAG_PTSC;
	f->event_offset = r->event_offset;
	f->event_size = r->event_size;
}

/* The state of a thread that used the ring is newer than the LWPCB in memory. */
static void use_state(struct recording_view *v, const uint8_t *state)
{
	lwp_state_decode(&v->state, state);
	v->block.head = v->state.head;
	v->block.buffer_base = v->state.base;
	v->block.buffer_size = v->state.size;
	v->block.filters = v->state.filters;
}

int recording_view(const struct recording *r, const struct recording_ring *ring,
		   struct recording_view *v)
{
	lwp_features_t f;

	*v = (struct recording_view){0};
	recording_features(r, &f);
	/* What comes after the LWPCB in memory is not part of it. */
	const size_t all = f.event_offset + (size_t)8 * f.max_events;
	const size_t size = ring->block_size < all ? ring->block_size : all;
	if (lwp_block_decode(&v->block, ring->block, size, &f) == 0)
		v->problems = lwp_block_check(ring->block, size, &f);
	else
		v->problems = LWP_BAD_SHORT;
	if (ring->state)
		use_state(v, ring->state);
	if ((v->problems & LWP_BAD_SHORT) && !ring->state && !v->block.buffer_size) {
		errno = EINVAL;
		return -1;
	}
	const int problems =
		lwp_ring_init(&v->ring, &v->block, ring->bytes, ring->size, f.event_size);
	if (problems == -1)
		return -1;
	v->problems |= (unsigned)problems;
	return 0;
}
