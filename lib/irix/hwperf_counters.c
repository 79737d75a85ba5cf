#include "irix/hwperf_counters.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cpc/cpc.h"

static const struct requests *requests_of(const struct hwperf_counters *c, unsigned pair)
{
	return c->setup->pair[pair].set->reqs;
}

/*
 * The caller is counted by its tid, not by tid 0: only the LWP that has opened counters
 * of tid 0 can read them, but any LWP of the process may read these. The simulator counts
 * tid 0 alone.
 */
static struct group *open_pair(struct hwperf_counters *c, unsigned pair,
			       const struct hwperf_target *t, int threads)
{
	const struct hwperf_pair *p = &c->setup->pair[pair];
	const struct requests *r = requests_of(c, pair);
	uint64_t *after = c->after[pair];
	struct target target = {
		.tid = engine_inside() && t->tid == gettid() ? 0 : t->tid,
		.pid = t->pid,
		.tree = t->tree,
		.threads = threads,
		.on_exec = t->on_exec,
		.signo = t->signo,
		.repeats = 1,
	};
	struct why why;

	for (unsigned k = 0; k < p->n; k++) {
		const int freq = c->setup->arg.hwp_ovflw_freq[p->index[k]];
		after[k] = t->signo ? (uint64_t)freq : 0;
		if (after[k])
			target.after = after;
	}
	return r->ops->bind(c->setup->cpc->scope.engine, &target, r->sel, r->ncounted,
			    &why);
}

static int has_thresholds(const struct hwperf_setup *s, int signo)
{
	return signo && hwperf_arg_has_threshold(&s->arg);
}

int hwperf_counters_open(struct hwperf_counters *c, struct hwperf_setup *s,
			 const struct hwperf_target *t)
{
	memset(c, 0, sizeof *c);
	c->setup = hwperf_setup_keep(s);
	c->tid = t->tid;
	/*
	 * The signals of thresholds go to this LWP, so no other LWP may cause them:
	 * events with thresholds are not inherited.
	 */
	int threads = !t->tree && !has_thresholds(s, t->signo) && !engine_inside();
	for (unsigned i = 0; i < s->n; i++) {
		c->group[i] = open_pair(c, i, t, threads);
		if (!c->group[i] && threads && i == 0 && errno == EINVAL) {
			threads = 0;
			c->group[i] = open_pair(c, i, t, threads);
		}
		if (!c->group[i]) {
			hwperf_counters_close(c);
			return -1;
		}
	}
	return 0;
}

int hwperf_counters_read(const struct hwperf_counters *c, hwperf_values_t *values)
{
	if (c->setup && engine_inside() && c->tid != gettid()) {
		errno = ENOTSUP;
		return -1;
	}
	for (unsigned i = 0; c->setup && i < c->setup->n; i++) {
		struct count count[2];
		uint64_t on;
		int64_t ns;

		if (requests_of(c, i)->ops->read(c->group[i], count, &ns, &on) == -1)
			return -1;
		hwperf_pair_add(&c->setup->pair[i], count, values);
	}
	return 0;
}

void hwperf_counters_close(struct hwperf_counters *c)
{
	const int e = errno;

	for (unsigned i = 0; c->setup && i < c->setup->n; i++)
		requests_of(c, i)->ops->unbind(c->group[i]);
	hwperf_setup_drop(c->setup);
	memset(c, 0, sizeof *c);
	errno = e;
}
