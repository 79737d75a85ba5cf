/* Sets bound to CPUs, and where the calling LWP runs meanwhile. */
#ifndef CPC_CPU_H
#define CPC_CPU_H

#include "cpc/cpc.h"

/*
 * Sample a set that is bound to a CPU. -1: EAGAIN, the CPU went offline since and the set
 * must be bound anew; or as the engine's read().
 */
int cpu_sample(cpc_set_t *set, cpc_buf_t *buf);

/* Give back what a bound set has besides its group, and the caller's binding. */
void cpu_unbind(cpc_set_t *set);

#endif
