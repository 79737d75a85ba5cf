/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction's operands in memory, as its intermediate code accesses them. */
#ifndef SIM_TOOL_DATA_H
#define SIM_TOOL_DATA_H

#include "sim/tool/emit.h"

struct data {
	IRTypeEnv *types;
	unsigned size[2]; /* of all that is read, and written */
	unsigned n[2];	  /* accesses of each kind */
	unsigned seen[2]; /* of them, so far */
	int has_cas;
};

/* Look through statements from to end, and count the operands. */
void data_begin(struct block *b, struct data *d, const IRSB *in, int from, int end);

/* After each statement. */
void data_statement(struct block *b, struct data *d, const IRStmt *s);

/*
 * Has its intermediate code lost an access that the instruction of these statements has?
 * VEX drops loads whose value nothing uses.
 */
int data_lacks_load(const struct x86_insn *x, const IRSB *in, int from, int end);

#endif
