#include "engine/kernel/modes.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "engine/why.h"

void kernel_modes_set(struct kernel_event *ev, unsigned flags)
{
	ev->exclude_user = !(flags & CPC_COUNT_USER);
	ev->exclude_kernel = !(flags & CPC_COUNT_SYSTEM);
	ev->exclude_hv = ev->exclude_kernel;
}

/*
 * With exclude_kernel these would count nothing, for ever: they happen, or the kernel
 * notes them, in system mode alone.
 */
int kernel_modes_only_kernel(const struct kernel_event *ev)
{
	if (ev->type == PERF_TYPE_TRACEPOINT)
		return 1;
	return ev->type == PERF_TYPE_SOFTWARE &&
	       (ev->config[0] == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		ev->config[0] == PERF_COUNT_SW_CPU_MIGRATIONS ||
		ev->config[0] == PERF_COUNT_SW_CGROUP_SWITCHES);
}

/* Count an event of the kernel whatever mode was asked; asking for no mode stays 0. */
void kernel_modes_set_all(struct evsel *s, unsigned flags)
{
	s->kernel_only = 1;
	if (flags & (CPC_COUNT_USER | CPC_COUNT_SYSTEM))
		for (unsigned i = 0; i < s->n; i++)
			kernel_modes_set(&s->ev[i], CPC_COUNT_USER | CPC_COUNT_SYSTEM);
}

/* These kinds always take exclude bits; of the others it must be tried. */
int kernel_modes_always_work(const struct kernel_event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE || ev->type == PERF_TYPE_TRACEPOINT ||
	       ev->type == PERF_TYPE_BREAKPOINT;
}

/* Exclude less; hv alone, or nothing any more. Returns whether that changed anything. */
static int exclude_less(struct evsel *s, int hv_alone)
{
	int changed = 0;

	for (unsigned i = 0; i < s->n; i++) {
		struct kernel_event *ev = &s->ev[i];
		if (kernel_modes_always_work(ev))
			continue;
		changed |= ev->exclude_hv;
		ev->exclude_hv = 0;
		if (hv_alone)
			continue;
		changed |= ev->exclude_user || ev->exclude_kernel;
		ev->exclude_user = ev->exclude_kernel = 0;
	}
	return changed;
}

static int is_refusal_of_modes(void)
{
	return errno == EINVAL || errno == EOPNOTSUPP;
}

/*
 * Some PMUs refuse exclude_hv, some every exclude bit (perf_event_open(2)): find what
 * they take. 0 if *s can be opened; -1 with the errno of what *s then is, as asked if
 * excluding less does not help.
 */
int kernel_modes_settle(const struct select_env *env, struct evsel *s, struct why *why)
{
	if (env->opens(env->arg, s, why) == 0)
		return 0;
	if (!is_refusal_of_modes())
		return -1;
	const int err = errno;
	const struct evsel asked = *s;
	struct why other;
	if (exclude_less(s, 1) && env->opens(env->arg, s, &other) == 0)
		return 0;
	if (exclude_less(s, 0)) {
		s->together = 1;
		if (env->opens(env->arg, s, &other) == 0)
			return 0;
		if (!is_refusal_of_modes()) {
			*why = other;
			return -1;
		}
	}
	*s = asked;
	errno = err;
	return -1;
}

/*
 * "HOW", "HOW, modes together" or NULL into s->note; worsens the class where modes are
 * mixed.
 */
int kernel_modes_describe(struct evsel *s, const char *how, struct why *why)
{
	static const char mixed[] = "user and system mode together";

	if (s->together)
		s->class = CPC_APPROXIMATE;
	if (!*how && !s->together)
		return 0;
	if (asprintf(&s->note, "%s%s%s", how, *how && s->together ? ", " : "",
		     s->together ? mixed : "") < 0) {
		s->note = NULL;
		return why_refuse(why, ENOMEM, "%s: %s", s->name, strerror(ENOMEM));
	}
	return 0;
}
