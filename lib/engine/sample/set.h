/* The perf events that a set of events opens. */
#ifndef ENGINE_SAMPLE_SET_H
#define ENGINE_SAMPLE_SET_H

#include <linux/perf_event.h>

#include "engine/kernel/event.h"
#include "engine/sample/ring.h"

/* What was found of an event of the set. */
struct sample_choice {
	enum sample_kind kind;
	unsigned n; /* parts: one for each kind of core */
	struct perf_event_attr attr[SAMPLE_CORES];
	char origin[96];
};

struct sample_set {
	const struct kernel_env *env;
	uint64_t format;  /* read_format */
	unsigned ncores;  /* PMUs of cores; 0: unknown, or none */
	unsigned precise; /* the highest precise_ip that means something to them */
	unsigned n;
	struct sample_source source[SAMPLE_SOURCES];
	struct sample_choice choice[SAMPLE_SOURCES];
};

/* read_format of Linux 6.0: the number of lost records. */
#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1u << 4)
#endif

/* Open a perf event on an LWP. Returns its descriptor, or -1 with errno. */
int sample_set_open(const struct sample_set *s, const struct perf_event_attr *attr,
		    pid_t tid);

/*
 * Describe in *why that perf_event_open(2) refuses an event of the set for an LWP (0: the
 * caller) with error. Returns -1 with that errno.
 */
int sample_set_refuse(const struct sample_set *s, unsigned event, pid_t tid, int error,
		      struct why *why);

#endif
