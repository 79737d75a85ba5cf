/* The directory: effects of misses and stores on the caches of other CPUs. */
#ifndef SIM_MODEL_COHERENCE_H
#define SIM_MODEL_COHERENCE_H

#include "sim/model/model_state.h"

/* Removes the CPU's L1 lines that are part of the L2 line of addr. */
void coherence_drop_l1(struct sim *s, struct simcpu *c, uint64_t addr, uint64_t *count);

/* Writes back the dirty L2 line of addr, to L3 if the machine has one. */
void coherence_write_back(struct sim *s, uint64_t addr, uint64_t *count);

/*
 * The running CPU misses the line of addr. A read leaves the line shared in other CPUs; a
 * write removes it from them. Both return whether another CPU had the line.
 */
int coherence_read(struct sim *s, uint64_t addr);
int coherence_write(struct sim *s, uint64_t addr);

#endif
