/*
 * Expressions over the counters of the model, as in column sim= of the tables: terms with
 * + and -, and what they are worth on a machine.
 */
#ifndef ENGINE_SIM_EXPRESSION_H
#define ENGINE_SIM_EXPRESSION_H

#include <stdint.h>

#include "sim/shared/machine.h"
#include "sim/shared/vocab.h"

enum { SIM_EXPR_TERMS = 12 };

struct sim_expression {
	unsigned n; /* 0: its value is 0 */
	struct {
		int minus;
		enum sim_counter counter;
	} term[SIM_EXPR_TERMS];
};

/* -1: EINVAL. */
int sim_expression_parse(const char *text, struct sim_expression *x);

/* The word of the vocabulary, or SIM_NVOCAB. */
enum sim_counter sim_expression_word(const char *name, unsigned len);

/* Bit n: counter n of the model must be counted for it. */
uint64_t sim_expression_needs(const struct sim_expression *x, const struct machine *m);

/* Does it have counters of a third cache level? */
int sim_expression_wants_l3(const struct sim_expression *x);

/* Of what was counted; estimates are rounded, and nothing is less than 0. */
uint64_t sim_expression_value(const struct sim_expression *x, const struct machine *m,
			      const uint64_t count[SIM_NCOUNTERS]);

#endif
