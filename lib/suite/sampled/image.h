/*
 * A process image whose events are sampled: the records of its threads, as LWP rings, and
 * what is mapped in it.
 */
#ifndef SUITE_SAMPLED_IMAGE_H
#define SUITE_SAMPLED_IMAGE_H

#include "engine/sample/sample.h"
#include "lwp/recording.h"

/* The records of a thread. */
struct sampled_ring {
	pid_t tid;
	char name[16];
	uint8_t *bytes;
	uint32_t n, room; /* records */
	uint64_t missed;
};

struct sampled {
	pid_t pid;
	unsigned n;	       /* number of the image in its process, from 0 */
	uint64_t begun;	       /* ns since 1970 */
	struct recording fact; /* at the start of the image */
	struct recording_mapping *mapping; /* now */
	size_t nmapping;
	void **memory; /* of the mappings that were added */
	size_t nmemory;
	struct sampled_ring **ring;
	size_t nring;
	uint64_t count[SAMPLE_SOURCES];
	int shared; /* an event had no counter for some time, so that count is too low */
	int unread; /* the counts of an LWP could not be read, so that count lacks them */
	int lost;   /* memory ran out */
	int error;  /* errno if facts of a living process could not be read, or 0 */
};

/* Begin an image of a stopped process. */
void sampled_begin(struct sampled *m, pid_t pid, unsigned n);

/* Free all of an image. */
void sampled_end(struct sampled *m);

/* Add a ring for a thread, which the image owns. Returns NULL if memory ran out. */
struct sampled_ring *sampled_add(struct sampled *m, pid_t tid);

/* Store a record; without room for the record, it counts as missed. */
void sampled_store(struct sampled_ring *r, const lwp_record_t *record);

/* Add a mapping, which replaces what it overlaps. */
void sampled_map(struct sampled *m, const struct sample_mapping *mapping);

/* Name a thread of the image. */
void sampled_name(struct sampled *m, pid_t tid, const char *name);

/* The records that the image has, and those that were missed. */
struct sampled_sum {
	uint64_t stored, missed;
};
struct sampled_sum sampled_sum(const struct sampled *m);

/* Write a recording to fd. Returns 0, or -1 with errno. */
int sampled_write(const struct sampled *m, const struct sample_set *events, int fd);

#endif
