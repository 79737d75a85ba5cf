/* Counts by instruction in the runs of a session: its events as the tool records them. */
#ifndef ENGINE_SIM_BY_CODE_H
#define ENGINE_SIM_BY_CODE_H

#include "engine/by_code.h"
#include "engine/engine.h"
#include "engine/sim/group.h"
#include "engine/sim/image.h"

/* Starts as zeros, but for file.fd, which is -1. */
struct sim_by_code {
	int on; /* the next program is counted so */
	struct sim_image_file file;
	char option[64]; /* of the tool */
};

/*
 * Prepare the next run of a session, which counts sel[0..n-1]. Returns 0; or -1 with *why
 * and ENOMEM, or ENOTSUP if there can be no file or too many counters are needed.
 */
int sim_by_code_begin(struct sim_by_code *c, struct sim_run *run,
		      const struct evsel *const *sel, unsigned n, struct why *why);
void sim_by_code_close(struct sim_by_code *c);

/* read() of struct engine_by_code. */
int sim_by_code_read(struct sim_by_code *c, struct sim_run *run,
		     const struct evsel *const *sel, unsigned n, void *arg,
		     int (*fn)(void *arg, const struct engine_image *image));

#endif
