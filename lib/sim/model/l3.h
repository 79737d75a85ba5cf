/* L3, which all CPUs have in common. */
#ifndef SIM_MODEL_L3_H
#define SIM_MODEL_L3_H

#include "sim/model/model_state.h"

/* L2 misses; the counter that a miss increments. Nothing, where there is no L3. */
void l3_ref(struct sim *s, uint64_t addr, enum sim_counter miss);

/* A dirty line comes from L2. */
void l3_write(struct sim *s, uint64_t addr);

#endif
