/*
 * lwp_show FILE: print the events of a recording, and the records of its rings:
 *	event ID INTERVAL EVENTS SOURCE
 *	ring THREAD RECORDS MISSED
 *	record ID FLAGS DATA1 DATA2
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <lwp.h>
#include "lwp/recording.h"

static const char *name_of(const struct recording *r, pid_t tid)
{
	for (size_t i = 0; i < r->nthread; i++)
		if (r->thread[i].tid == tid && r->thread[i].name)
			return r->thread[i].name;
	return "-";
}

static void print_ring(const struct recording *r, const struct recording_ring *ring)
{
	lwp_features_t f;
	lwp_block_t block;
	lwp_ring_t l;

	lwp_features_version1(&f);
	if (lwp_block_decode(&block, ring->block, ring->block_size, &f) == -1 ||
	    lwp_ring_init(&l, &block, ring->bytes, ring->size, LWP_EVENT_SIZE) == -1)
		errx(1, "the ring of thread %d cannot be read", (int)ring->tid);
	printf("ring %s %u %" PRIu64 "\n", name_of(r, ring->tid), lwp_ring_count(&l),
	       l.missed);
	for (uint32_t i = 0; i < lwp_ring_count(&l); i++) {
		lwp_record_t record;

		lwp_record_decode(&record, lwp_ring_slot(&l, i, NULL));
		printf("record %u %x %" PRIu32 " %" PRIu64 "\n", record.id, record.flags,
		       record.data1, record.data2);
	}
}

int main(int argc, char **argv)
{
	struct recording r;
	struct stat st;
	char why[256];
	const int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd == -1 || fstat(fd, &st) == -1)
		err(1, "cannot open the recording");
	const void *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		err(1, "cannot read %s", argv[1]);
	if (recording_read(&r, file, (size_t)st.st_size, NULL, 0, why, sizeof why) == -1)
		errx(1, "%s", why);
	for (size_t i = 0; i < r.nevent; i++)
		printf("event %u %" PRIu64 " %" PRIu64 " %s\n", r.event[i].id,
		       r.event[i].interval, r.event[i].events, r.event[i].source);
	for (size_t i = 0; i < r.nring; i++)
		print_ring(&r, &r.ring[i]);
	recording_free(&r);
	return 0;
}
