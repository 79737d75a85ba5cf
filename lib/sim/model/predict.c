/* Predictors of the directions and targets of branches. */
#include "sim/model/model.h"

#include "sim/model/model_fast.h"

void sim_cond(struct sim *s, uint64_t pc, int taken)
{
	const struct machine *m = s->m;

	if (!s->bp)
		return;
	uint8_t *state = &s->bp[sim_bp_index(m, pc) ^ s->history];
	const unsigned i = *state / SIM_BP_SCALE * 2 + !!taken;

	*state = (uint8_t)((SIM_BP_NEXT >> 2 * i & 3) * SIM_BP_SCALE);
	s->count[CTR_BR_MISP_TK] += SIM_BP_MISP_TK >> i & 1;
	s->count[CTR_BR_MISP_NT] += SIM_BP_MISP_NT >> i & 1;
	s->history = (s->history << 1 | !!taken) & sim_bp_history(m);
}

void sim_indirect(struct sim *s, uint64_t pc, uint64_t target)
{
	if (!(s->parts & SIM_TARGETS))
		return;
	if (!s->m->ind) {
		s->count[CTR_BR_MISP_IND]++;
		return;
	}
	uint64_t *last = &s->cpu->ind[pc & (s->m->ind - 1)];

	if (*last == target)
		return;
	s->count[CTR_BR_MISP_IND]++;
	*last = target;
}

void sim_call(struct sim *s, uint64_t return_address)
{
	struct simcpu *c = s->cpu;

	if (!(s->parts & SIM_TARGETS) || !s->m->ras)
		return;
	c->ras[c->top] = return_address;
	c->top = c->top + 1 == s->m->ras ? 0 : c->top + 1;
	if (c->depth < s->m->ras)
		c->depth++;
}

void sim_return(struct sim *s, uint64_t target)
{
	struct simcpu *c = s->cpu;

	if (!(s->parts & SIM_TARGETS))
		return;
	if (!c->depth) {
		s->count[CTR_BR_MISP_RET]++;
		return;
	}
	c->top = c->top ? c->top - 1 : s->m->ras - 1;
	c->depth--;
	if (c->ras[c->top] != target)
		s->count[CTR_BR_MISP_RET]++;
}
