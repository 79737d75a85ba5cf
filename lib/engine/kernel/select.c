#include "engine/kernel/select.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "engine/kernel/candidates.h"
#include "engine/kernel/modes.h"
#include "engine/kernel/own.h"
#include "engine/why.h"
#include "table/table.h"

/*
 * Settle the modes of s, for which it is opened. A machine that lacks an event lacks it
 * for every target; other refusals may not hold later or for another target, and probe
 * and bind report them. Returns -1 with ENOMEM and *why.
 */
static int open_once(const struct select_env *env, struct evsel *s, struct why *why)
{
	if (kernel_modes_settle(env, s, why) == 0 || errno != ENOENT)
		return 0;
	s->lacking = strdup(why->text);
	return s->lacking ? 0
			  : why_refuse(why, ENOMEM, "%s: %s", s->name, strerror(ENOMEM));
}

/* Does the processor count the event, or stop at it? */
static int needs_processor(const struct kernel_event *ev)
{
	return !kernel_event_is_software(ev) || ev->type == PERF_TYPE_BREAKPOINT;
}

static int select_own(const struct select_env *env, const struct engine_request *req,
		      struct evsel *s, struct why *why)
{
	char unit[160] = "", how[192] = "";

	s->n = 1;
	if (kernel_own_encode(env, req, &s->ev[0], unit, sizeof(unit), why))
		return -1;
	if (kernel_modes_only_kernel(&s->ev[0]))
		kernel_modes_set_all(s, req->flags);
	kernel_evsel_spread(env, s);
	if (needs_processor(&s->ev[0]) && open_once(env, s, why) == -1)
		return -1;
	if (*unit)
		snprintf(how, sizeof(how), "in units of %s", unit);
	return kernel_modes_describe(s, how, why);
}

/* Events of tables take no attributes in this engine. */
static int refuse_attribute(const struct engine_request *req, int software,
			    struct why *why)
{
	const char *attr = req->attrs[0].ca_name;

	if (software)
		return why_refuse(why, EINVAL,
				  "%s: attribute '%s' cannot be set for a software event",
				  req->name, attr);
	if (req->tab && evtab_attr(req->tab, attr))
		return why_attributes(req, why);
	return why_refuse(
		why, EINVAL,
		"%s: attribute '%s' cannot be set: this machine counts the event "
		"by other events, without attributes",
		req->name, attr);
}

static int select_row(const struct select_env *env, const struct engine_request *req,
		      struct evsel *s, struct why *why)
{
	const struct evcol *sw = evtab_col(req->row, "sw");

	if (req->nattrs)
		return refuse_attribute(req, sw != NULL, why);
	if (sw) {
		s->n = 1;
		s->ev[0] = (struct kernel_event){.type = PERF_TYPE_SOFTWARE,
						 .config = {sw->num}};
		kernel_modes_set(&s->ev[0], req->flags);
		if (kernel_modes_only_kernel(&s->ev[0]))
			kernel_modes_set_all(s, req->flags);
		return kernel_modes_describe(s, "", why);
	}
	if (!req->row->host || strcmp(req->row->host, "-") == 0)
		return why_refuse(why, ENOENT,
				  "%s: no processor of today counts it%s%s%s", req->name,
				  req->row->title ? " (" : "",
				  req->row->title ? req->row->title : "",
				  req->row->title ? ")" : "");
	return kernel_candidates_select(env, req, s, why);
}

struct evsel *kernel_select(const struct select_env *env,
			    const struct engine_request *req, struct why *why)
{
	struct evsel *s = kernel_evsel_new(req->name, why);

	if (!s ||
	    (req->row ? select_row(env, req, s, why) : select_own(env, req, s, why)) == 0)
		return s;
	const int err = errno;
	kernel_evsel_free(s);
	errno = err;
	return NULL;
}
