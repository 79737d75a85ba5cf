/*
 * Records of LWP's events from samples of perf events: which perf event stands for an
 * event on this machine, and the rings of samples of LWPs that run.
 */
#ifndef ENGINE_SAMPLE_SAMPLE_H
#define ENGINE_SAMPLE_SAMPLE_H

#include <stdint.h>
#include <sys/types.h>

#include <lwp.h>
#include "engine/engine.h"

struct kernel_env;

/* An event, and where its records come from on this machine. */
struct sample_source {
	uint8_t id;	    /* LWP_EVENT_IRE to LWP_EVENT_RNH */
	const char *name;   /* such as "ire" */
	uint64_t interval;  /* one record stands for so many events */
	const char *origin; /* such as "perf instructions:upp" */
	int substitute;	    /* 1: cpu-clock stands for cycles; interval is in ns */
	int counts;	    /* 1: struct sample_state counts the event itself */
};

enum { SAMPLE_SOURCES = 5 };

/* The events that are to be sampled. */
struct sample_set;

/*
 * Returns an empty set, or NULL with ENOMEM. env is the environment of a session, which
 * the caller keeps; NULL: this machine.
 */
struct sample_set *sample_set_new(const struct kernel_env *env);
void sample_set_free(struct sample_set *s); /* NULL is allowed */

/*
 * Add an event of the name ire, bre, dme, cnh or rnh, of whose user mode every
 * interval-th makes a record; 0: the default of the event. Returns 0; or -1 with *why and
 * EINVAL: no such event, or an interval that the event cannot have; EEXIST: it is there
 * already; EBUSY: it needs a counter that another event of the set has; ENOTSUP: this
 * machine does not have the event; or errno of perf_event_open(2).
 */
int sample_set_add(struct sample_set *s, const char *name, uint64_t interval,
		   struct why *why);

/* Returns the sources of a set in the order of their addition; *n is their number. */
const struct sample_source *sample_set_sources(const struct sample_set *s, unsigned *n);

/* Memory that the sampled process has mapped. */
struct sample_mapping {
	uint64_t start, end, offset;
	uint32_t major, minor; /* of the file's device */
	uint64_t inode;
	const char *path; /* as in /proc/PID/maps; NULL: anonymous */
};

/* Receives what a ring has, in the order of its records. */
struct sample_handler {
	void *arg;
	void (*record)(void *arg, const lwp_record_t *record);
	void (*mapping)(void *arg, const struct sample_mapping *mapping);
	void (*name)(void *arg, pid_t tid, const char *name);
};

/* The ring of an LWP. */
struct sample_lwp;

/*
 * Begin to sample an LWP, which is stopped, with each event of a set that is not empty.
 * Returns NULL with errno and *why. The ring is smaller where the kernel limits locked
 * memory. *s is used until the ring is closed.
 */
struct sample_lwp *sample_lwp_open(const struct sample_set *s, pid_t tid,
				   struct why *why);

/* Pass on what the LWP has put into its ring since the last call. */
void sample_lwp_read(struct sample_lwp *l, const struct sample_handler *to);

struct sample_state {
	uint64_t missed;		/* samples without a record */
	uint64_t throttled;		/* pauses that the kernel made */
	int shared;			/* 1: an event had no counter for some time */
	uint64_t count[SAMPLE_SOURCES]; /* events so far, if the source counts them */
};

/*
 * Read the state after the last sample_lwp_read(). Returns 0, or -1 with errno if the
 * counts cannot be read; missed and throttled are then what the ring alone says.
 */
int sample_lwp_state(const struct sample_lwp *l, struct sample_state *state);

/* End sampling and free l; NULL is allowed. */
void sample_lwp_close(struct sample_lwp *l);

#endif
