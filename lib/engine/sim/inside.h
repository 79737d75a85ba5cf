/* Requests of a program that runs under the simulator: it can read its own counters. */
#ifndef ENGINE_SIM_INSIDE_H
#define ENGINE_SIM_INSIDE_H

#include <stdint.h>

#include "sim/shared/machine.h"
#include "sim/shared/requests.h"

/*
 * Send a request of sim/shared/requests.h to the simulator that runs this program.
 * Returns its answer, or 0 if this program is not simulated, which takes only a few
 * instructions. Async-signal-safe.
 */
uint64_t sim_inside_send(enum sim_request request, uint64_t a, uint64_t b, uint64_t c);

/* Does this program run under the simulator of this version? */
int sim_inside(void);

/*
 * Does this program run under a tool of Valgrind, whose core ends a program that creates
 * a process with the same memory? Not known if Valgrind's header was not installed.
 */
int sim_inside_valgrind(void);

/*
 * Read all PAGES_COUNTERS counters of the calling LWP, exact to the instruction. Returns
 * 0, or -1 if this program is not simulated. Async-signal-safe.
 */
int sim_inside_read(uint64_t *count);

/*
 * Also count these counters (bit n: counter n) from now on. Returns 0, or -1 if the
 * simulator cannot.
 */
int sim_inside_add(uint64_t counters);

/*
 * Store the machine on which this program is simulated. Returns 1, or 2 if the user chose
 * the machine; 0 if this program is not simulated.
 */
int sim_inside_machine(struct machine *m);

#endif
