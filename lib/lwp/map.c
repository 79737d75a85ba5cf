/* Recordings: mappings that replace older ones. */
#include <string.h>

#include "lwp/recording.h"

/* Move the start of a mapping up to an address in it. */
static void cut_front(struct recording_mapping *m, uint64_t start)
{
	m->offset += start - m->start;
	m->start = start;
	m->head = NULL;
	m->head_size = 0;
}

/*
 * Take the memory from start to end from the mapping at i. Returns how many mappings are
 * left of it, 0 to 2; for the second there must be room behind all others.
 */
static unsigned punch(struct recording *r, size_t i, uint64_t start, uint64_t end)
{
	struct recording_mapping *const m = &r->mapping[i];
	struct recording_mapping rest = *m;

	if (m->end <= start || m->start >= end)
		return 1;
	if (m->start >= start && m->end <= end) {
		memmove(m, m + 1, (--r->nmapping - i) * sizeof *m);
		return 0;
	}
	if (m->start >= start) {
		cut_front(m, end);
		return 1;
	}
	m->end = start;
	if (rest.end <= end)
		return 1;
	cut_front(&rest, end);
	memmove(m + 2, m + 1, (r->nmapping++ - i - 1) * sizeof *m);
	m[1] = rest;
	return 2;
}

void recording_map(struct recording *r, const struct recording_mapping *m)
{
	size_t i = 0;

	while (i < r->nmapping)
		i += punch(r, i, m->start, m->end);
	for (i = 0; i < r->nmapping && r->mapping[i].start < m->start;)
		i++;
	memmove(&r->mapping[i + 1], &r->mapping[i], (r->nmapping++ - i) * sizeof *m);
	r->mapping[i] = *m;
}
