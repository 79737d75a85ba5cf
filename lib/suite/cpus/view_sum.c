#include "suite/cpus/view_sum.h"

void cpu_view_sum_begin(struct cpu_view_sum *s, unsigned n)
{
	s->n = n;
	s->ns = 0;
	s->cpus = 0;
	s->tick = 0;
	for (unsigned i = 0; i < n; i++) {
		s->have[i] = 0;
		s->value[i] = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	}
}

/* Times of what has no value are told only where there is no value at all. */
static void add(cpc_value_t *sum, uint64_t *have, const cpc_value_t *v)
{
	if (v->quality != CPC_UNAVAILABLE) {
		if (!(*have)++)
			*sum = (cpc_value_t){.quality = CPC_EXACT};
		sum->value += v->value;
		sum->count += v->count;
		/* They are in order, best first. */
		if (sum->quality < v->quality)
			sum->quality = v->quality;
	} else if (*have) {
		return;
	}
	sum->enabled += v->enabled;
	sum->running += v->running;
}

void cpu_view_sum_add(struct cpu_view_sum *s, const struct cpu_sample *sample)
{
	if (!s->cpus++ || s->ns < sample->ns)
		s->ns = sample->ns;
	s->tick += sample->tick;
	for (unsigned i = 0; i < s->n; i++)
		add(&s->value[i], &s->have[i], &sample->value[i]);
}

/* To nearest, half up. */
static uint64_t divide(uint64_t sum, uint64_t by)
{
	const uint64_t rest = sum % by;

	return sum / by + (rest >= by - rest);
}

void cpu_view_sum_mean(struct cpu_view_sum *s)
{
	s->tick = divide(s->tick, s->cpus);
	for (unsigned i = 0; i < s->n; i++) {
		cpc_value_t *const v = &s->value[i];
		const uint64_t by = s->have[i] ? s->have[i] : s->cpus;

		v->value = divide(v->value, by);
		v->count = divide(v->count, by);
		v->enabled = divide(v->enabled, by);
		v->running = divide(v->running, by);
	}
}
