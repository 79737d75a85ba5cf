/*
 * A process image that the simulator recorded, as a recording: its records become LWP
 * rings with their control blocks, and its counts by instruction stay counts.
 */
#ifndef SUITE_SIMULATED_IMAGE_H
#define SUITE_SIMULATED_IMAGE_H

#include "engine/sim/record.h"
#include "lwp/recording.h"

/* The most records of a ring, whose size in bytes has 28 bits. */
enum { SIMULATED_MAX_RECORDS = (1 << 28) / 32 - 2 };

/*
 * Fill *r with an image. head has the events of the run; source names their source, such
 * as "simulated r10000". *r points to image, head's names and source, and to memory that
 * simulated_free() releases. The records of the image become LWP records in their place,
 * as there may be many: an image is converted once. Returns 0, or -1 with ENOMEM.
 */
int simulated_recording(struct recording *r, const struct sim_image *image,
			const struct records_head *head, const char *source);
void simulated_free(struct recording *r);

/* Returns how many records the rings of a recording could not hold. */
uint64_t simulated_missed(const struct sim_image *image);

#endif
