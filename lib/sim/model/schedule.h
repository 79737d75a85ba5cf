/*
 * A static schedule: the cycles that a block of code takes on a machine as long as
 * nothing misses, estimated from what its instructions do and which results they use. The
 * block is thought to be repeated, so that it takes the longest of these times:
 * - its instructions, at the machine's width;
 * - its operations, at the repeat rates of the units that can do them;
 * - for each register the longest path of latencies that leads from its value before
 *   the block to its value after the block;
 * - on a machine that issues in order, the longest path of latencies in the block up to
 *   the start of an instruction, because a block begins when all of the one before have
 *   begun.
 */
#ifndef SIM_MODEL_SCHEDULE_H
#define SIM_MODEL_SCHEDULE_H

#include "sim/shared/machine.h"

/* Registers 0 to 15 are the integer ones, 16 to 31 those of vectors. */
enum { SCHEDULE_INSNS = 64, SCHEDULE_REGS = 32, SCHEDULE_GROUPS = 32 };

/* The values that an instruction uses. */
struct schedule_uses {
	uint64_t insns; /* bit i: a result of instruction i */
	uint32_t regs;	/* bit r: the value of register r before the block */
};

struct schedule_insn {
	struct schedule_uses address; /* for addresses of loads and stores */
	struct schedule_uses data;    /* for its operation, and stored values */
	uint8_t op;		      /* enum machine_op; MOP_NOPS: no operation */
	uint16_t bytes; /* of the operation's vectors; 0: the operation is scalar */
	uint8_t elem;	/* bytes of an element of these vectors */
	uint8_t fp;	/* loads go to FP or vector registers */
	uint16_t loads, stores; /* each is a pass through a unit: see schedule_passes() */
};

struct schedule_block {
	unsigned n;	 /* instructions in insn */
	unsigned issued; /* instructions that count for the width */
	struct schedule_insn insn[SCHEDULE_INSNS];
	uint8_t writer[SCHEDULE_REGS]; /* 1 + the last instruction that writes; 0: none */
};

/* A machine's units, prepared for schedules. */
struct schedule {
	const struct machine *m;
	unsigned ngroups;
	struct {
		uint32_t units; /* a set of units that share operations */
		uint32_t ops;	/* bit op: no other unit can do this operation */
		unsigned n;	/* number of units */
	} group[SCHEDULE_GROUPS];
};

/* Prepares for machine m, which must live as long as s. */
void schedule_open(struct schedule *s, const struct machine *m);

/* Returns how many loads or stores the machine needs for an access of size bytes. */
unsigned schedule_passes(const struct schedule *s, unsigned size);

/* Returns the time of one operation of this kind, in sixteenths of a cycle. */
unsigned schedule_operation(const struct schedule *s, enum machine_op op);

/* Returns the time in which n instructions are issued, in sixteenths of a cycle. */
unsigned schedule_issue(const struct schedule *s, unsigned n);

/* Returns the time of a block, in sixteenths of a cycle. */
unsigned schedule_cycles(const struct schedule *s, const struct schedule_block *b);

#endif
