/* L3, which all CPUs share. Both calls do nothing on a machine without L3. */
#ifndef SIM_MODEL_L3_H
#define SIM_MODEL_L3_H

#include "sim/model/model_state.h"

/* An L2 miss refers to the line of addr; a miss in L3 increments the counter miss. */
void l3_ref(struct sim *s, uint64_t addr, enum sim_counter miss);

/* L2 writes back the dirty line of addr. */
void l3_write(struct sim *s, uint64_t addr);

#endif
