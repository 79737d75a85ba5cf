/* --machine and --set: the machine that is simulated. */
#ifndef COMMON_MACHINE_H
#define COMMON_MACHINE_H

#include "engine/engine.h"
#include "options.h"

/*
 * Check --machine and --set, of which any needs the simulation, and read the machine into
 * s->simulated. alone: nothing is to be counted or shown; then --machine shows the
 * machine, or the list of --machine=list, which is refused otherwise. Exits with
 * EXIT_USAGE after a message for each mistake.
 */
void machine_choose(struct options_shared *s, int alone);

/* Returns the choice for the library. Its members live as long as those of s. */
struct engine_machine machine_chosen(const struct options_shared *s);

/* Print the machine as text, or the list of machines. Returns the exit status. */
int machine_show(const struct options_shared *s);

#endif
