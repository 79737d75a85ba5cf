/*
 * Expressions over the counters of the model, as in column sim= of the tables: terms with
 * + and -, and what they are worth on a machine.
 */
#ifndef SIM_EXPR_H
#define SIM_EXPR_H

#include <stdint.h>

#include "sim/shared/machine.h"
#include "sim/shared/vocab.h"

enum { SIM_EXPR_TERMS = 12 };

struct sim_expr {
	unsigned n; /* 0: its value is 0 */
	struct {
		int minus;
		enum sim_counter counter;
	} term[SIM_EXPR_TERMS];
};

/* -1: EINVAL. */
int sim_expr_parse(const char *text, struct sim_expr *x);

/* The word of the vocabulary, or SIM_NVOCAB. */
enum sim_counter sim_expr_word(const char *name, unsigned len);

/* Bit n: counter n of the model must be counted for it. */
uint64_t sim_expr_needs(const struct sim_expr *x, const struct machine *m);

/* Does it have counters of a third cache level? */
int sim_expr_wants_l3(const struct sim_expr *x);

/* Of what was counted; estimates are rounded, and nothing is less than 0. */
uint64_t sim_expr_value(const struct sim_expr *x, const struct machine *m,
			const uint64_t count[SIM_NCOUNTERS]);

#endif
