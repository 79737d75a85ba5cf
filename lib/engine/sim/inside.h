/* A program that runs under the simulator asks it for what it has counted. */
#ifndef ENGINE_SIM_INSIDE_H
#define ENGINE_SIM_INSIDE_H

#include <stdint.h>

#include "sim/shared/machine.h"
#include "sim/shared/requests.h"

/*
 * A request of requests.h to the simulator that this program runs under: 0 where there is
 * none, or where it cannot be told. Costs next to nothing there. Async-signal-safe.
 */
uint64_t sim_inside_ask(enum sim_request request, uint64_t a, uint64_t b, uint64_t c);

/* Is this program simulated? */
int sim_inside(void);

/*
 * All counters of the calling LWP, exact to the instruction; room for PAGES_COUNTERS. -1:
 * it is not simulated. Async-signal-safe.
 */
int sim_inside_read(uint64_t *count);

/* Count these too from now on. -1: it cannot. */
int sim_inside_add(uint64_t counters);

/* The machine that is simulated, or NULL. */
const struct machine *sim_inside_machine(void);

#endif
