#include "engine/kernel/explain.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "engine/kernel/pfm.h"
#include "engine/kernel/select.h"

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

/* The fields config1 and config2 of a breakpoint are its address and its length. */
static void report_event(const struct kernel_event *ev, const char *from, void *arg,
			 void (*fn)(void *arg, const struct engine_part *p))
{
	const int bp = ev->type == PERF_TYPE_BREAKPOINT;
	const struct engine_field field[] = {
		{"type", ev->type, type_word(ev->type)},
		{"config", ev->config[0], NULL},
		{bp ? "bp_addr" : "config1", ev->config[1],
		 ev->named ? "looked up in the program" : NULL},
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
 * An event that libpfm4 encoded is shown with its full name there. An event of a table
 * has a note with its candidate instead.
 */
void kernel_explain(const struct evsel *s, void *arg,
		    void (*fn)(void *arg, const struct engine_part *p))
{
	const unsigned flags = (s->ev[0].exclude_user ? 0 : CPC_COUNT_USER) |
			       (s->ev[0].exclude_kernel ? 0 : CPC_COUNT_SYSTEM);
	const int named = s->n == 1 && !s->note && s->ev[0].type != PERF_TYPE_SOFTWARE;
	char *full = named ? kernel_pfm_full(s->name, flags) : NULL;

	for (unsigned i = 0; i < s->n; i++)
		report_event(&s->ev[i], full, arg, fn);
	free(full);
}

/* opens() of struct select_env: nothing is opened. */
static int accept_all(void *arg, const struct evsel *s, struct why *why)
{
	(void)arg;
	(void)s;
	(void)why;
	return 0;
}

/*
 * Encode an event of another processor. NULL: errno; *why is changed only if memory is
 * short.
 */
static struct evsel *foreign(const struct engine_request *req, struct why *why)
{
	struct kernel_event ev;

	if (req->nattrs || kernel_pfm_encode(req->name, req->flags, &ev, NULL) ||
	    !ev.foreign)
		return NULL;
	struct evsel *s = kernel_evsel_new(req->name, why);
	if (!s)
		return NULL;
	s->n = 1;
	s->ev[0] = ev;
	return s;
}

struct evsel *kernel_explain_draft(const char *root, const struct kernel_core *core,
				   unsigned ncores, const struct engine_request *req,
				   struct why *why)
{
	const struct select_env senv = {
		.root = root, .core = core, .ncores = ncores, .opens = accept_all};
	struct evsel *s = kernel_select(&senv, req, why);

	if (s || errno != ENOENT || req->row)
		return s;
	s = foreign(req, why);
	if (!s && errno != ENOMEM)
		errno = ENOENT;
	return s;
}
