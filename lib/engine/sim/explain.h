/* What an event of the simulation is counted by: an expression over the model's counters. */
#ifndef SIM_EXPLAIN_H
#define SIM_EXPLAIN_H

#include "engine/engine.h"

/* As explain() of struct engine_ops. */
void sim_explain(const struct evsel *s, void *arg,
		 void (*fn)(void *arg, const struct engine_part *p));

#endif
