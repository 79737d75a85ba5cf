/* The directory: what a CPU's misses and stores do to the lines of the others. */
#ifndef SIM_MODEL_COHERENCE_H
#define SIM_MODEL_COHERENCE_H

#include "sim/model/model_state.h"

/* All of the CPU's L1 lines that are in the L2 line of addr go. */
void coherence_drop_l1(struct sim *s, struct simcpu *c, uint64_t addr, uint64_t *count);

/* A dirty L2 line is written back: to L3, if there is one. */
void coherence_write_back(struct sim *s, uint64_t addr, uint64_t *count);

/*
 * The running CPU misses the line of addr; to read: the others keep it, shared; to write:
 * they lose it. Returns whether any had it.
 */
int coherence_read(struct sim *s, uint64_t addr);
int coherence_write(struct sim *s, uint64_t addr);

#endif
