/*
 * Checks that all addresses in a recording lie in its memory, and that the recording can
 * be written to a file.
 */
#ifndef FUZZ_RECORDING_H
#define FUZZ_RECORDING_H

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "lwp/recording.h"

/* The sum of all bytes that were read: it keeps the compiler from leaving reads out. */
static unsigned recording_sum;

static inline void read_bytes(const void *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		recording_sum += ((const uint8_t *)p)[i];
}

static inline void read_string(const char *s)
{
	if (s)
		read_bytes(s, strlen(s));
}

/* Reads all slots of a ring, in their order. */
static inline void read_slots(const lwp_ring_t *ring)
{
	lwp_record_t record;

	for (uint32_t i = 0, n; i < lwp_ring_slots(ring); i += n ? n : 1) {
		const uint8_t *p = lwp_ring_slot(ring, i, &n);

		for (uint32_t k = 0; p && k < n; k++) {
			lwp_record_decode(&record, p + (size_t)k * ring->event_size);
			recording_sum += record.id;
		}
		/* A ring can claim 8 million slots that are not there. */
		if (!p && i > 4096)
			break;
	}
}

/* Reads all bytes that a recording points to. */
static inline void recording_touch(const struct recording *r)
{
	struct recording_view v;

	read_string(r->command);
	read_string(r->program);
	read_string(r->clock);
	read_bytes(r->auxv, r->auxv_size);
	for (size_t i = 0; i < r->nmapping; i++) {
		read_string(r->mapping[i].path);
		read_bytes(r->mapping[i].build_id, r->mapping[i].build_id_size);
		read_bytes(r->mapping[i].head, r->mapping[i].head_size);
	}
	for (size_t i = 0; i < r->nthread; i++)
		read_string(r->thread[i].name);
	for (size_t i = 0; i < r->nevent; i++) {
		read_string(r->event[i].name);
		read_string(r->event[i].source);
	}
	for (size_t i = 0; i < r->ncount; i++)
		check(r->count[i].event < r->nevent, "counts are of events");
	for (size_t i = 0; i < r->nring; i++) {
		read_bytes(r->ring[i].block, r->ring[i].block_size);
		read_bytes(r->ring[i].bytes, r->ring[i].size);
		if (recording_view(r, &r->ring[i], &v) == 0)
			read_slots(&v.ring);
	}
}

/* Write a recording and read it again. */
static inline void recording_repeat(const struct recording *r)
{
	struct recording again;
	char why[256];

	const int fd = memfd_create("recording", MFD_CLOEXEC);
	check(fd != -1 && recording_write(fd, r) == 0, "what was read can be written");
	const size_t size = (size_t)lseek(fd, 0, SEEK_END);
	void *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	check(file != MAP_FAILED, "mmap");
	if (recording_read(&again, file, size, NULL, 0, why, sizeof why) == -1) {
		fprintf(stderr, "%s\n", why);
		check(0, "what was written can be read");
	}
	check(again.nring == r->nring && again.nmapping == r->nmapping &&
		      again.nevent == r->nevent && again.ncount == r->ncount,
	      "nothing is lost");
	for (size_t i = 0; i < r->nring; i++)
		check(again.ring[i].size == r->ring[i].size &&
			      (!r->ring[i].size ||
			       memcmp(again.ring[i].bytes, r->ring[i].bytes,
				      r->ring[i].size) == 0),
		      "rings are the same");
	recording_free(&again);
	munmap(file, size);
	close(fd);
}

#endif
