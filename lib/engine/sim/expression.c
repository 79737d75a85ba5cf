#include "engine/sim/expression.h"

#include <errno.h>
#include <string.h>

_Static_assert(CTR_EST_WB - CTR_EST_FETCH == (int)COST_WB - (int)COST_FETCH,
	       "estimates and groups of costs have the same order");

enum sim_counter sim_expression_word(const char *name, unsigned len)
{
	unsigned i = 0;

	while (i < SIM_NVOCAB && (strlen(sim_vocab[i].name) != len ||
				  memcmp(sim_vocab[i].name, name, len) != 0))
		i++;
	return (enum sim_counter)i;
}

int sim_expression_parse(const char *text, struct sim_expression *x)
{
	x->n = 0;
	if (strcmp(text, "0") == 0)
		return 0;
	for (int minus = 0;; minus = *text++ == '-') {
		const unsigned len = (unsigned)strcspn(text, "+-");
		const enum sim_counter c = sim_expression_word(text, len);

		if ((unsigned)c == SIM_NVOCAB || x->n == SIM_EXPR_TERMS)
			break;
		x->term[x->n].minus = minus;
		x->term[x->n++].counter = c;
		text += len;
		if (!*text)
			return 0;
	}
	errno = EINVAL;
	return -1;
}

/* Does the counter count misses of the last cache level? */
static int is_last_miss(const struct machine *m, enum sim_counter c)
{
	if (m->l3.size)
		return c == CTR_L3_I_MISS || c == CTR_L3_RD_MISS || c == CTR_L3_WR_MISS;
	return c == CTR_L2_I_MISS || c == CTR_L2_RD_MISS || c == CTR_L2_WR_MISS;
}

/* Does the estimate include this penalty? */
static int is_part(enum sim_counter estimate, const struct machine *m,
		   const struct penalty *p)
{
	if (estimate == CTR_CYCLES_EST)
		return 1;
	if (estimate == CTR_EST_MEM)
		return (p->group == COST_FETCH || p->group == COST_LOAD) &&
		       is_last_miss(m, p->counter);
	return (int)p->group == (int)estimate - (int)CTR_EST_FETCH;
}

int sim_expression_has_schedule(enum sim_counter c)
{
	return c == CTR_SCHED16 || c == CTR_CYCLES_EST || c == CTR_EST_BASE;
}

static uint64_t bit(enum sim_counter c)
{
	return UINT64_C(1) << c;
}

uint64_t sim_expression_needs(const struct sim_expression *x, const struct machine *m)
{
	uint64_t needs = 0;

	for (unsigned i = 0; i < x->n; i++) {
		const enum sim_counter c = x->term[i].counter;

		if (c < SIM_NCOUNTERS) {
			needs |= bit(c);
			continue;
		}
		if (sim_expression_has_schedule(c))
			needs |= bit(CTR_SCHED16);
		for (unsigned k = 0; k < m->npenalties; k++)
			if (is_part(c, m, &m->penalty[k]))
				needs |= bit(m->penalty[k].counter);
	}
	return needs;
}

int sim_expression_wants_l3(const struct sim_expression *x)
{
	for (unsigned i = 0; i < x->n; i++)
		switch (x->term[i].counter) {
		case CTR_L3_I_MISS:
		case CTR_L3_RD_MISS:
		case CTR_L3_WR_MISS:
		case CTR_L3_WB:
			return 1;
		default:
			break;
		}
	return 0;
}

/* sim.vocab: cycles_est is the time of the code itself plus all groups of costs. */
static double estimate(enum sim_counter c, const struct machine *m, const uint64_t *count)
{
	double sum = sim_expression_has_schedule(c) ? (double)count[CTR_SCHED16] / 16 : 0;

	for (unsigned k = 0; k < m->npenalties; k++)
		if (is_part(c, m, &m->penalty[k]))
			sum += m->penalty[k].cycles *
			       (double)count[m->penalty[k].counter];
	return sum;
}

/* Returns the cycles of an estimate that a count of a counter stands for. */
static double estimate_weight(enum sim_counter estimated, const struct machine *m,
			      enum sim_counter counter)
{
	double sum = 0;

	if (counter == CTR_SCHED16)
		return sim_expression_has_schedule(estimated) ? 1.0 / 16 : 0;
	for (unsigned k = 0; k < m->npenalties; k++)
		if (m->penalty[k].counter == counter &&
		    is_part(estimated, m, &m->penalty[k]))
			sum += m->penalty[k].cycles;
	return sum;
}

double sim_expression_weight(const struct sim_expression *x, const struct machine *m,
			     enum sim_counter counter)
{
	double sum = 0;

	for (unsigned i = 0; i < x->n; i++) {
		const enum sim_counter c = x->term[i].counter;
		const double one = c >= SIM_NCOUNTERS ? estimate_weight(c, m, counter)
						      : c == counter;

		sum += x->term[i].minus ? -one : one;
	}
	return sum;
}

uint64_t sim_expression_value(const struct sim_expression *x, const struct machine *m,
			      const uint64_t count[SIM_NCOUNTERS])
{
	uint64_t plus = 0, minus = 0;
	double cycles = 0;

	for (unsigned i = 0; i < x->n; i++) {
		const enum sim_counter c = x->term[i].counter;

		if (c >= SIM_NCOUNTERS)
			cycles += (x->term[i].minus ? -1 : 1) * estimate(c, m, count);
		else
			*(x->term[i].minus ? &minus : &plus) += count[c];
	}
	const uint64_t exact = plus > minus ? plus - minus : 0;

	return exact + (cycles > 0 ? (uint64_t)(cycles + 0.5) : 0);
}
