/* Fetches, loads, stores and prefetches on machines of every shape: TLBs and L1. */
#ifndef SIM_MODEL_L1_H
#define SIM_MODEL_L1_H

#include "sim/model/model_state.h"

/* The same as sim_fetch(), sim_load(), sim_store() and sim_prefetch(). */
void l1_fetch(struct sim *s, uint64_t addr);
void l1_load(struct sim *s, uint64_t addr, unsigned size);
void l1_store(struct sim *s, uint64_t addr, unsigned size);
void l1_prefetch(struct sim *s, uint64_t addr, int for_writing);

/* An access from addr to end (inclusive), over any number of lines and pages. */
void l1_load_wide(struct sim *s, uint64_t addr, uint64_t end);
void l1_store_wide(struct sim *s, uint64_t addr, uint64_t end);

/* Looks up the page of addr, which is not remembered, and remembers it. */
void l1_data_page(struct sim *s, uint64_t addr);

#endif
