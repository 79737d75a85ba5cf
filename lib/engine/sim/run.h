/* The command that runs a program under the simulator, and remarks on the run. */
#ifndef ENGINE_SIM_RUN_H
#define ENGINE_SIM_RUN_H

#include "engine/engine.h"
#include "engine/sim/group.h"

/*
 * A command for execv(3). Its own words are in text; the program's arguments are the
 * caller's.
 */
struct sim_command {
	char **argv;
	char *text;
};

/*
 * Begin a run that counts sel[0..n-1], and fill *c with its command, which lives until
 * sim_run_free_command(). Returns 0, or -1 with the errno of command() of struct
 * engine_ops.
 */
int sim_run_command(struct sim_run *run, struct sim_command *c, char *const *argv,
		    const struct evsel *const *sel, unsigned n, struct why *why);
void sim_run_free_command(struct sim_command *c);

/* reproduce() of struct engine_ops, and level() of struct engine_words. */
int sim_run_reproduce(struct sim_run *run, const char *level, struct why *why);
const char *sim_run_level(const struct sim_run *run);

/* run_notes() of struct engine_words. */
unsigned sim_run_notes(struct sim_run *run, void *arg,
		       void (*fn)(void *arg, const char *text));

/* Returns 1 if the simulator ended before the program could start, else 0. */
int sim_run_unstarted(struct sim_run *run);

/* run_failed() of struct engine_words. */
int sim_run_failed(struct sim_run *run);

#endif
