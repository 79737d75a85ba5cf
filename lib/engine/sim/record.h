/*
 * Runs a program on the simulator, which records events: exact counts by instruction,
 * and records of every n-th event (sim/shared/records.h).
 */
#ifndef ENGINE_SIM_RECORD_H
#define ENGINE_SIM_RECORD_H

#include "engine/engine.h"
#include "engine/sim/image.h"

struct sim_record;

/*
 * Add an event of this name to *head: ire (instructions), bre (branches), dme (misses of
 * the data cache), of which each interval-th of an LWP makes a record, or a counter of
 * the model, which is only counted. Returns 0; or -1 with *why and ENOENT: there is no
 * such event; EINVAL: an interval that the event cannot have; EEXIST: it is there
 * already; ENOTSUP: the counter does not count by instruction; ENOSPC: too many events.
 */
int sim_record_add(struct records_head *head, const char *name, uint64_t interval,
		   struct why *why);

/* Returns the name of an event that sim_record_add() added. */
const char *sim_record_name(const struct records_event *event);

/* How to run a program; the strings live as long as the struct sim_record. */
struct sim_record_run {
	const struct machine *machine;
	int chosen;		  /* the user chose the machine */
	const char *reproducible; /* a level of x86-64: "v1", "v2" or "v3"; or NULL */
	const struct records_head *head; /* with the events, and room of rings */
};

/* Begin a run. Returns NULL with errno and *why. */
struct sim_record *sim_record_open(const struct sim_record_run *run, struct why *why);
void sim_record_close(struct sim_record *r); /* NULL is allowed */

/*
 * The command to execute instead of argv, as command() of struct engine_ops; lives as
 * long as r.
 */
char *const *sim_record_command(struct sim_record *r, char *const *argv, struct why *why);

/*
 * Call fn for each remark on the run, and return their number; returns whether the
 * simulator could not start the program; returns whether the measurement failed, because
 * of that or because the simulator could not go on. As in struct engine_words.
 */
unsigned sim_record_notes(struct sim_record *r, void *arg,
			  void (*fn)(void *arg, const char *text));
int sim_record_unstarted(struct sim_record *r);
int sim_record_failed(struct sim_record *r);

/*
 * When the program has ended: returns how many images the run has, from 0. *incomplete is
 * 1 if memory ran out while the program was recorded.
 */
uint32_t sim_record_images(struct sim_record *r, int *incomplete);

/*
 * Read an image. Returns 0; or -1 with ENOMEM, or with ENOENT if nothing of the image was
 * recorded. sim_image_free() frees *to.
 */
int sim_record_read(struct sim_record *r, uint32_t image, struct sim_image *to);

#endif
