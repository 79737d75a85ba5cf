#include "engine/kernel/explain.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernel/pfm.h"
#include "engine/kernel/refusal.h"
#include "engine/kernel/select.h"
#include "engine/why.h"

static const char *type_word(uint32_t type)
{
	static const char *const word[] = {
		[PERF_TYPE_HARDWARE] = "PERF_TYPE_HARDWARE",
		[PERF_TYPE_SOFTWARE] = "PERF_TYPE_SOFTWARE",
		[PERF_TYPE_TRACEPOINT] = "PERF_TYPE_TRACEPOINT",
		[PERF_TYPE_HW_CACHE] = "PERF_TYPE_HW_CACHE",
		[PERF_TYPE_RAW] = "PERF_TYPE_RAW",
		[PERF_TYPE_BREAKPOINT] = "PERF_TYPE_BREAKPOINT",
	};

	return type < sizeof word / sizeof word[0] ? word[type] : NULL;
}

/* Of breakpoints config1 and config2 are the address and the length. */
static void tell(const struct kernel_event *ev, const char *from, void *arg,
		 void (*fn)(void *arg, const struct engine_part *p))
{
	const int bp = ev->type == PERF_TYPE_BREAKPOINT;
	const struct engine_field field[] = {
		{"type", ev->type, type_word(ev->type)},
		{"config", ev->config[0], NULL},
		{bp ? "bp_addr" : "config1", ev->config[1], NULL},
		{bp ? "bp_len" : "config2", ev->config[2], NULL},
		{"exclude_user", ev->exclude_user, NULL},
		{"exclude_kernel", ev->exclude_kernel, NULL},
		{"exclude_hv", ev->exclude_hv, NULL},
		{"exclude_host", ev->exclude_host, NULL},
		{"exclude_guest", ev->exclude_guest, NULL},
		{"precise_ip", ev->precise, NULL},
		{"bp_type", ev->bp_type, NULL},
	};
	const unsigned n = sizeof field / sizeof field[0];

	fn(arg, &(struct engine_part){"perf_event_attr", from, bp ? n : n - 1, field});
}

/*
 * What libpfm4 was given, or makes of it; an event of a table has its candidate in the
 * note.
 */
void kernel_explain(const struct evsel *s, void *arg,
		    void (*fn)(void *arg, const struct engine_part *p))
{
	const unsigned flags = (s->ev[0].exclude_user ? 0 : CPC_COUNT_USER) |
			       (s->ev[0].exclude_kernel ? 0 : CPC_COUNT_SYSTEM);
	const int named = s->n == 1 && !s->note && s->ev[0].type != PERF_TYPE_SOFTWARE;
	char *full = named ? kernel_pfm_full(s->name, flags) : NULL;

	for (unsigned i = 0; i < s->n; i++)
		tell(&s->ev[i], full, arg, fn);
	free(full);
}

/* For select_env: the machine is not asked. */
static int opens(void *arg, const struct evsel *s, struct why *why)
{
	(void)arg;
	(void)s;
	(void)why;
	return 0;
}

/* An event of other processors. NULL: errno; *why is as it was unless memory is short. */
static struct evsel *foreign(const struct engine_request *ask, struct why *why)
{
	struct kernel_event ev;

	if (ask->nattrs || kernel_pfm_encode(ask->name, ask->flags, &ev, NULL) ||
	    !ev.foreign)
		return NULL;
	struct evsel *s = kernel_evsel_new(ask->name, why);
	if (!s)
		return NULL;
	s->n = 1;
	s->ev[0] = ev;
	return s;
}

struct evsel *kernel_explain_draft(const char *root, const struct kernel_core *core,
				   unsigned ncores, const struct engine_request *ask,
				   struct why *why)
{
	const struct select_env place = {
		.root = root, .core = core, .ncores = ncores, .opens = opens};
	struct evsel *s = kernel_select(&place, ask, why);

	if (s || errno != ENOENT || ask->row)
		return s;
	s = foreign(ask, why);
	if (!s && errno != ENOMEM)
		errno = ENOENT;
	return s;
}
