/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes generated code report to the model what its simulated parts need. */
#ifndef SIM_TOOL_FEED_H
#define SIM_TOOL_FEED_H

#include "sim/tool/emit.h"

void feed_fetch(struct block *b, Addr addr);
void feed_access(struct block *b, enum access kind, IRExpr *addr, unsigned size,
		 IRExpr *guard);
void feed_modification(struct block *b, IRExpr *addr, unsigned size);
void feed_prefetch(struct block *b);

/*
 * Counts a conditional branch, and predicts it. exits: 1 if the code takes the branch's
 * exit, else 0; table: an index in tool.branch.
 */
void feed_cond(struct block *b, IRExpr *exits, unsigned table);

void feed_target(struct block *b, IRExpr *target);

/* Counts and reports an element of a string instruction; second: of its second source. */
void feed_string(struct block *b, enum access kind, int second, IRExpr *addr,
		 unsigned size);
void feed_string_end(struct block *b, IRExpr *guard);

#endif
