/*
 * Expressions over the counters of the model, as in column sim= of the tables: counters
 * joined by + and -, and their values on a machine.
 */
#ifndef ENGINE_SIM_EXPRESSION_H
#define ENGINE_SIM_EXPRESSION_H

#include <stdint.h>

#include "sim/shared/machine.h"
#include "sim/shared/vocab.h"

enum { SIM_EXPR_TERMS = 12 };

struct sim_expression {
	unsigned n; /* terms; an expression without terms is 0 */
	struct {
		int minus;
		enum sim_counter counter;
	} term[SIM_EXPR_TERMS];
};

/* Parse the text of an expression. Returns 0, or -1 with EINVAL. */
int sim_expression_parse(const char *text, struct sim_expression *x);

/* Returns the counter with this name of len bytes, or SIM_NVOCAB. */
enum sim_counter sim_expression_word(const char *name, unsigned len);

/* Returns the counters (bit n: counter n) that the value needs on a machine. */
uint64_t sim_expression_needs(const struct sim_expression *x, const struct machine *m);

/* Does a counter or an estimate include the time that a schedule of the code gives? */
int sim_expression_has_schedule(enum sim_counter c);

/* Does the expression have counters of a third cache level? */
int sim_expression_wants_l3(const struct sim_expression *x);

/*
 * Returns what each count of a counter adds to the value, which may be negative: the
 * value before it is rounded is the sum of all counts, each times its weight.
 */
double sim_expression_weight(const struct sim_expression *x, const struct machine *m,
			     enum sim_counter counter);

/* Returns the value for these counts. Estimates are rounded; the value is at least 0. */
uint64_t sim_expression_value(const struct sim_expression *x, const struct machine *m,
			      const uint64_t count[SIM_NCOUNTERS]);

#endif
