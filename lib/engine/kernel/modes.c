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

/* With exclude_kernel these events stay 0: the kernel counts them in system mode. */
int kernel_modes_only_kernel(const struct kernel_event *ev)
{
	const enum source source = kernel_event_source(ev);

	return source == SOURCE_TRACEPOINT || source == SOURCE_SWITCHES ||
	       source == SOURCE_SCHEDULER ||
	       (ev->type == PERF_TYPE_SOFTWARE &&
		ev->config[0] == PERF_COUNT_SW_BPF_OUTPUT);
}

/* A clock of the kernel has no modes: it counts all of the time. */
static int is_clock(const struct evsel *s)
{
	return kernel_event_source(&s->ev[0]) == SOURCE_CLOCK;
}

void kernel_modes_set_all(struct evsel *s, unsigned flags)
{
	s->kernel_only = 1;
	if (flags & (CPC_COUNT_USER | CPC_COUNT_SYSTEM))
		for (unsigned i = 0; i < s->n; i++)
			kernel_modes_set(&s->ev[i], CPC_COUNT_USER | CPC_COUNT_SYSTEM);
}

unsigned kernel_modes_of(const struct evsel *s)
{
	unsigned flags = 0;

	for (unsigned i = 0; i < s->n; i++) {
		flags |= s->ev[i].exclude_user ? 0 : CPC_COUNT_USER;
		flags |= s->ev[i].exclude_kernel ? 0 : CPC_COUNT_SYSTEM;
	}
	if (flags && is_clock(s))
		flags = CPC_COUNT_USER | CPC_COUNT_SYSTEM;
	return flags;
}

/*
 * Clear exclude_hv or, if hv_only is 0, all exclude bits. Returns whether a bit changed.
 */
static int exclude_less(struct evsel *s, int hv_only)
{
	int changed = 0;

	for (unsigned i = 0; i < s->n; i++) {
		struct kernel_event *ev = &s->ev[i];
		if (kernel_event_is_software(ev))
			continue;
		changed |= ev->exclude_hv;
		ev->exclude_hv = 0;
		if (hv_only)
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

/* Some PMUs refuse exclude_hv, some refuse every exclude bit (perf_event_open(2)). */
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

int kernel_modes_describe(struct evsel *s, const char *how, struct why *why)
{
	static const char none[] = "as 0: neither user nor system mode was requested";
	static const char mixed[] = "user and system mode together";
	const int nothing = kernel_modes_of(s) == 0 && !is_clock(s);

	if (s->together)
		s->class = CPC_APPROXIMATE;
	if (!*how && !s->together && !nothing)
		return 0;
	if (asprintf(&s->note, "%s%s%s%s%s", nothing ? none : "",
		     *how && nothing ? ", " : "", how, *how && s->together ? ", " : "",
		     s->together ? mixed : "") < 0) {
		s->note = NULL;
		return why_refuse(why, ENOMEM, "%s: %s", s->name, strerror(ENOMEM));
	}
	return 0;
}
