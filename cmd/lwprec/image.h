/*
 * A process image that is recorded: its rings with their LWPCBs, saved when their threads
 * end or stop using them, and the facts about the process.
 */
#ifndef LWPREC_IMAGE_H
#define LWPREC_IMAGE_H

#include "lwp/emulate.h"
#include "lwp/recording.h"

struct image_ring;

struct image {
	pid_t pid;
	unsigned n;	       /* number of the image in its process, for record_name() */
	uint64_t begun;	       /* ns since 1970 */
	struct recording fact; /* pid 0: not known */
	struct image_ring *ring;
	size_t nring;
	uint64_t values, markers; /* LWPVAL and LWPINS of threads that have ended */
	uint64_t interval; /* of LWPVAL in all rings, as struct recording_event's */
	int lost;	   /* memory ran out, or the facts could not be read */
};

/*
 * Save the ring and the LWPCB that a thread of the image used last, in place of those
 * that were saved for the same thread and LWPCB. Head and counter of the saved LWPCB are
 * those of *s, because the LWPCB in the memory of the thread can be older.
 */
void image_save_ring(struct image *m, pid_t tid, const struct emulate_state *s);

/* Add what a thread that has ended has executed. */
void image_add(struct image *m, const struct emulate_state *s);

/* Read the facts, which replace those that were read before. */
void image_read_facts(struct image *m);

/* Returns how many events the rings have missed. */
uint64_t image_missed(const struct image *m);

/* Write a recording to fd. Returns 0, or -1 with errno. */
int image_write(struct image *m, int fd);

/* Forget all, for the next image of the process. */
void image_next(struct image *m);

#endif
