/*
 * Reads the images of a records file (sim/shared/records.h) from outside the run. The
 * user's processes write the file: nothing in it is trusted.
 */
#ifndef ENGINE_SIM_IMAGE_H
#define ENGINE_SIM_IMAGE_H

#include <stddef.h>
#include <sys/types.h>

#include "sim/shared/records.h"

/* An exact count of an event at an instruction. */
struct sim_image_count {
	uint64_t pc, count;
	uint32_t event; /* index in the head */
};

struct sim_image_mapping {
	uint64_t start, end, offset;
	const char *path;    /* NULL: executable memory that is no file's */
	const uint8_t *head; /* the first bytes of the file, or NULL */
	size_t head_size;
};

/* The records of an LWP, in the order of their events. */
struct sim_image_ring {
	pid_t tid;
	const char *name; /* or NULL */
	uint64_t n, missed;
	struct records_record *record; /* memory that the caller may change */
};

/* A process image. Arrays are of the order in which the program made their elements. */
struct sim_image {
	pid_t pid;
	enum records_start start;
	uint64_t unix_ns;    /* when it began */
	const char *program; /* path */
	const char *argv;    /* the words of the command, each ended by NUL */
	size_t argv_size;
	size_t ncount, nmapping, nring;
	struct sim_image_count *count; /* in ascending order of event, then pc; no 0s */
	struct sim_image_mapping *mapping; /* later ones replace what they overlap */
	struct sim_image_ring *ring;
	void **memory; /* what the other members point into */
	size_t nmemory;
};

void sim_image_free(struct sim_image *image);

/* A chunk of the file that is in use. */
struct sim_image_chunk {
	uint64_t unit;
	struct records_chunk head;
};

struct sim_image_file {
	int fd; /* owned; -1: none */
	struct records_head head;
	uint32_t nchunks;
	struct sim_image_chunk *chunk;
};

/* Create an anonymous file with this head. Returns 0, or -1 with errno. */
int sim_image_make(struct sim_image_file *f, const struct records_head *head);
void sim_image_close(struct sim_image_file *f);

/* sim_record_images() and sim_record_read() of record.h, in this order. */
uint32_t sim_image_find(struct sim_image_file *f, int *incomplete);
int sim_image_read(const struct sim_image_file *f, uint32_t image, struct sim_image *to);

#endif
