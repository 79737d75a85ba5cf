#include "suite/cpus/sum.h"

int64_t cpu_view_unix_ns(int64_t unix_ns, int64_t ns)
{
	return (int64_t)((uint64_t)unix_ns + (uint64_t)ns);
}

void cpu_view_sum_begin(struct cpu_view_sum *s, unsigned n)
{
	s->n = n;
	s->ns = 0;
	s->cpus = 0;
	s->tick = 0;
	for (unsigned i = 0; i < n; i++) {
		s->have[i] = 0;
		s->missed[i] = 0;
		s->value[i] = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	}
}

/* The times of unavailable values are added only if all values are unavailable. */
static inline void add_value(cpc_value_t *sum, uint64_t *have, uint64_t *missed,
			     const cpc_value_t *v)
{
	if (v->quality == CPC_UNAVAILABLE) {
		*missed += v->enabled;
		if (*have)
			return;
	} else {
		if (!(*have)++)
			*sum = (cpc_value_t){.quality = CPC_EXACT};
		sum->value += v->value;
		sum->count += v->count;
		/* classes are in order, best first */
		if (sum->quality < v->quality)
			sum->quality = v->quality;
	}
	sum->enabled += v->enabled;
	sum->running += v->running;
}

static void add_times(struct cpu_view_sum *s, const struct cpu_sample *sample)
{
	if (!s->cpus++ || s->ns < sample->ns)
		s->ns = sample->ns;
	s->tick += sample->tick;
}

void cpu_view_sum_add(struct cpu_view_sum *s, const struct cpu_sample *sample)
{
	add_times(s, sample);
	for (unsigned i = 0; i < s->n; i++)
		add_value(&s->value[i], &s->have[i], &s->missed[i], &sample->value[i]);
}

/*
 * Most values are available, and of the best class: their sum stays in registers until a
 * value is not.
 */
static void sum_value(struct cpu_view_sum *s, unsigned i, const struct cpu_sample *sample,
		      unsigned samples)
{
	uint64_t value = 0, count = 0, enabled = 0, running = 0;
	unsigned k = 0;

	for (; k < samples && sample[k].value[i].quality == CPC_EXACT; k++) {
		const cpc_value_t *v = &sample[k].value[i];
		value += v->value;
		count += v->count;
		enabled += v->enabled;
		running += v->running;
	}
	s->have[i] = k;
	s->missed[i] = 0;
	s->value[i] = (cpc_value_t){value, count, enabled, running,
				    k ? CPC_EXACT : CPC_UNAVAILABLE};
	for (; k < samples; k++)
		add_value(&s->value[i], &s->have[i], &s->missed[i], &sample[k].value[i]);
}

void cpu_view_sum_all(struct cpu_view_sum *s, unsigned n, const struct cpu_sample *sample,
		      unsigned samples)
{
	s->n = n;
	s->ns = 0;
	s->cpus = 0;
	s->tick = 0;
	for (unsigned k = 0; k < samples; k++)
		add_times(s, &sample[k]);
	for (unsigned i = 0; i < n; i++)
		sum_value(s, i, sample, samples);
}

void cpu_view_extrapolate(cpc_value_t *v, uint64_t ns)
{
	const uint64_t all = v->enabled + ns;

	if (v->enabled)
		v->value = (uint64_t)((unsigned __int128)v->value * all / v->enabled);
	/* What was counted did not take any time: it tells nothing about the rest. */
	if (!v->running)
		*v = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	else if (v->quality < CPC_SCALED)
		v->quality = CPC_SCALED;
	v->enabled = all;
}

void cpu_view_sum_complete(struct cpu_view_sum *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->have[i] && s->missed[i])
			cpu_view_extrapolate(&s->value[i], s->missed[i]);
}

void cpu_view_sum_put(const struct cpu_view_sum *s, struct row *row, int64_t unix_ns)
{
	row->ns = s->ns;
	row->unix_ns = cpu_view_unix_ns(unix_ns, s->ns);
	row->cpus = (unsigned)s->cpus;
	row->tick = s->tick;
	row->value = s->value;
}

/* Divide and round to nearest, half up. */
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
