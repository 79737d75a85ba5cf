/* The command that runs a program under the simulator, and what is told of the run. */
#ifndef ENGINE_SIM_RUN_H
#define ENGINE_SIM_RUN_H

#include "engine/engine.h"
#include "engine/sim/group.h"

/* The words of a command, malloc'ed as one. */
struct sim_words {
	char **argv;
	char *text;
};

/*
 * Begin a run that counts sel[0..n-1], and fill *w with its command. -1: as command() of
 * struct engine_ops.
 */
int sim_run_command(struct sim_run *run, struct sim_words *w, char *const *argv,
		    const struct evsel *const *sel, unsigned n, struct why *why);
void sim_run_forget(struct sim_words *w);

/* As run_notes() of struct engine_ops. */
unsigned sim_run_notes(struct sim_run *run, void *arg,
		       void (*fn)(void *arg, const char *text));

#endif
