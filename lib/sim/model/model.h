/*
 * The processor model: caches, TLBs, branch predictors and the directory between the
 * CPUs of a simulated machine, fed with what a program does. Pure: no C library, no
 * files, memory from the caller. Counters are those of events/sim.vocab.
 *
 * The caller counts what the instruction stream alone tells (class exact, and d1_rd,
 * d1_wr: one for each access, i1_ref); the model adds what an access touches beyond its
 * first line, and all others of class modelled.
 */
#ifndef SIM_MODEL_MODEL_H
#define SIM_MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "sim/model/model_state.h"

/*
 * A machine, cold, with CPU 0 running; s need not be initialised. count[SIM_NCOUNTERS]
 * are increased; they are the running LWP's affair. alloc returns zeroed memory that
 * lives as long as s, aligned for uint64_t (64 bytes are faster), or NULL. -1: no
 * memory, or the machine is one that cannot be modelled, whatever the parts.
 */
int sim_open(struct sim *s, const struct machine *m, unsigned parts, uint64_t *count,
	     void *(*alloc)(size_t size));

/*
 * Simulate these parts too from now on; they are cold. -1: no memory, and all is as
 * before.
 */
int sim_enable(struct sim *s, unsigned parts);

/* CPU cpu runs from now on. -1: no memory, or none of SIM_MAXCPUS; all is as before. */
int sim_switch_cpu(struct sim *s, unsigned cpu);

/*
 * What other CPUs did to a CPU since the last call: ext_itv, ext_inv and what they made
 * it write back (d1_wb_qw, l2_wb, l2_wb_qw), added to count and forgotten. The running
 * CPU's own are there already. A line that such a write-back drives out of L3, which
 * belongs to none of them, is the running CPU's l3_wb.
 */
void sim_collect_external(struct sim *s, unsigned cpu, uint64_t *count);

/* The fetch enters the line of addr. */
void sim_fetch(struct sim *s, uint64_t addr);

/* size: 1 to 4096 bytes, over as many lines and pages as that takes. */
void sim_load(struct sim *s, uint64_t addr, unsigned size);
void sim_store(struct sim *s, uint64_t addr, unsigned size);
void sim_prefetch(struct sim *s, uint64_t addr, int for_writing);

/* Branches, as they are executed. */
void sim_cond(struct sim *s, uint64_t pc, int taken);
void sim_indirect(struct sim *s, uint64_t pc, uint64_t target);
void sim_call(struct sim *s, uint64_t return_address);
void sim_return(struct sim *s, uint64_t target);

#endif
