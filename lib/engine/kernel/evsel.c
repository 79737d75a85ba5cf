#include "engine/kernel/evsel.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "engine/why.h"

struct evsel *kernel_evsel_new(const char *name, struct why *why)
{
	struct evsel *s = calloc(1, sizeof(*s));

	if (s)
		s->name = strdup(name);
	if (!s || !s->name) {
		free(s);
		why_refuse(why, ENOMEM, "%s: %s", name, strerror(ENOMEM));
		return NULL;
	}
	s->factor = 1;
	s->class = CPC_EXACT;
	return s;
}

/*
 * The upper half of config names the PMU that counts a generic event; without it the
 * event counts on one kind of core only (perf_event_open(2), PERF_PMU_TYPE_SHIFT).
 */
void kernel_evsel_spread(const struct select_env *env, struct evsel *s)
{
	int generic = 0;

	for (unsigned i = 0; i < s->n; i++)
		generic |= s->ev[i].type == PERF_TYPE_HARDWARE ||
			   s->ev[i].type == PERF_TYPE_HW_CACHE;
	if (!generic || env->ncores < 2)
		return;
	const unsigned terms = s->n;
	for (unsigned c = 0; c < env->ncores; c++)
		for (unsigned i = 0; i < terms; i++) {
			const struct kernel_event *ev = &s->ev[i];
			if (ev->type != PERF_TYPE_HARDWARE &&
			    ev->type != PERF_TYPE_HW_CACHE)
				continue;
			struct kernel_event *to = c ? &s->ev[s->n++] : &s->ev[i];
			*to = *ev;
			to->core = c;
			to->config[0] = (ev->config[0] & UINT32_MAX) |
					(uint64_t)env->core[c].type
						<< PERF_PMU_TYPE_SHIFT;
		}
}

void kernel_evsel_free(struct evsel *s)
{
	if (!s)
		return;
	free(s->name);
	free(s->note);
	free(s->lacking);
	free(s);
}
