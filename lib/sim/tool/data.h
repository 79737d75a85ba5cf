/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts and reports an instruction's operands in memory, from its intermediate code. */
#ifndef SIM_TOOL_DATA_H
#define SIM_TOOL_DATA_H

#include "sim/tool/emit.h"

/* The accesses of the current instruction; arrays: [0] reads, [1] writes. */
struct data {
	IRTypeEnv *types;
	unsigned size[2]; /* bytes read, and written */
	unsigned n[2];	  /* number of accesses */
	unsigned seen[2]; /* accesses instrumented so far */
	int has_cas;	  /* the code has a compare-and-swap */
	int modifies; /* the bytes that the instruction reads are those that it writes */
};

/* Counts the operands in the instruction's statements, from (inclusive) to end. */
void data_begin(struct block *b, struct data *d, const IRSB *in, int from, int end);

/* Instruments the accesses of a statement, which was just emitted. */
void data_statement(struct block *b, struct data *d, const IRStmt *s);

/*
 * Returns whether the instruction x has a load that its statements lack: VEX drops loads
 * whose value nothing uses.
 */
int data_lacks_load(const struct x86_insn *x, const IRSB *in, int from, int end);

#endif
