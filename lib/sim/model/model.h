/*
 * The processor model: caches, TLBs, branch predictors and the directory between the CPUs
 * of a simulated machine. The caller reports each fetch, access and branch of a program.
 * The model uses neither a C library nor files, and gets memory from the caller. Its
 * counters are listed in events/sim.vocab.
 *
 * The caller counts what follows from the instructions themselves: the counters of class
 * exact, i1_ref, and d1_rd and d1_wr, one for each access. The model adds to d1_rd and
 * d1_wr the further lines of an access, and counts all others of class modelled.
 */
#ifndef SIM_MODEL_MODEL_H
#define SIM_MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "sim/model/model_state.h"

/*
 * Sets up s, which need not be initialised, as machine m with empty caches, CPU 0
 * running, and these SIM_ parts. The model adds to count[SIM_NCOUNTERS], which the caller
 * may reset or read at any time. alloc returns zeroed memory that must live as long as s,
 * aligned for uint64_t (64 bytes are faster), or NULL. fetched returns an address in the
 * page of the running CPU's last fetch, which generated code may not have reported.
 * Returns 0, or -1 if alloc fails or if the machine cannot be modelled, whatever the
 * parts.
 */
int sim_open(struct sim *s, const struct machine *m, unsigned parts, uint64_t *count,
	     void *(*alloc)(size_t size), uint64_t (*fetched)(void));

/*
 * Simulates these parts too from now on; they begin empty. Returns 0, or -1 if alloc
 * fails; the machine is then as before.
 */
int sim_enable(struct sim *s, unsigned parts);

/*
 * Runs CPU cpu from now on. Returns 0, or -1 if alloc fails or cpu >= SIM_MAXCPUS; the
 * CPU that ran before then runs on.
 */
int sim_switch_cpu(struct sim *s, unsigned cpu);

/*
 * Adds to count what other CPUs caused in a CPU since the last call: ext_itv, ext_inv,
 * and the write-backs d1_wb_qw, l2_wb and l2_wb_qw. If such a write-back replaces a dirty
 * line of L3, the CPU that caused it has already counted an l3_wb.
 */
void sim_collect_external(struct sim *s, unsigned cpu, uint64_t *count);

/* The instruction fetch enters the L1I line of addr. */
void sim_fetch(struct sim *s, uint64_t addr);

/*
 * Adds to the counters what was counted apart. The caller of the fast paths calls this
 * before it reads or resets the counters.
 */
void sim_settle(struct sim *s);

/* size: 1 to 4096 bytes, which may lie in several lines and pages. */
void sim_load(struct sim *s, uint64_t addr, unsigned size);
void sim_store(struct sim *s, uint64_t addr, unsigned size);

/*
 * A prefetch of a mapped address; one of an unmapped address does nothing on any machine.
 * On a machine that drops prefetches which miss the TLB, it depends on SIM_TLBS, too.
 */
void sim_prefetch(struct sim *s, uint64_t addr, int for_writing);

/* Executed branches: conditional ones, indirect jumps and calls, calls, returns. */
void sim_cond(struct sim *s, uint64_t pc, int taken);
void sim_indirect(struct sim *s, uint64_t pc, uint64_t target);
void sim_call(struct sim *s, uint64_t return_address);
void sim_return(struct sim *s, uint64_t target);

#endif
