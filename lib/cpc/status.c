#include "cpc/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <opencpc.h>
#include "base/text.h"
#include "cpc/session.h"
#include "engine/breakpoint.h"
#include "engine/why.h"

/* Without cpc_place() a breakpoint at a name would count nothing. */
int status_check_place(const cpc_t *cpc, const char *name, struct why *why)
{
	if (cpc->places || !breakpoint_is_named(name))
		return 0;
	return why_refuse(why, EINVAL,
			  "%s: only cputrack and perfex look names up, in the program "
			  "that they run; use an address, which begins with a digit",
			  name);
}

struct evsel *status_encode(const cpc_t *cpc, const struct engine_ops *ops,
			    struct engine *engine, const struct engine_request *req,
			    struct why *why)
{
	if (status_check_place(cpc, req->name, why) == -1)
		return NULL;
	struct evsel *sel = ops->encode(engine, req, why);
	const char *lacking = sel && ops->lacking ? ops->lacking(sel) : NULL;
	if (!lacking)
		return sel;
	snprintf(why->text, sizeof why->text, "%s", lacking);
	ops->drop(sel);
	errno = ENOENT;
	return NULL;
}

int status_check_self(const cpc_t *cpc, struct why *why)
{
	if (cpc->scope.ops != &engine_kernel || !engine_inside())
		return 0;
	return why_refuse(why, ENOTSUP,
			  "this program is simulated; the kernel would count the "
			  "simulator, --engine=sim or auto counts the program");
}

void status_try(struct status_trial *t, const cpc_t *cpc, const struct engine_ops *ops,
		struct engine *engine, const struct engine_request *req, int cpus)
{
	t->ops = ops;
	t->sel = status_encode(cpc, ops, engine, req, &t->why);
	t->err = t->sel && ops->probe(engine, t->sel, cpus, &t->why) == 0 ? 0 : errno;
}

void status_end(struct status_trial *t)
{
	t->ops->drop(t->sel);
}

int status_is_shortage(int err)
{
	return err == ENOMEM || err == EMFILE || err == ENFILE;
}

int status_resolve(const cpc_t *cpc, const char *event, struct resolved *m, char *what,
		   size_t size)
{
	char near[CPC_MAX_EVENT_LEN];

	if (strlen(event) >= CPC_MAX_EVENT_LEN) {
		snprintf(what, size, "the event name is too long");
		errno = EINVAL;
		return -1;
	}
	if (resolve_name(&cpc->scope, event, m) == 0)
		return 0;
	resolve_suggest(&cpc->scope, event, near, sizeof near);
	snprintf(what, size, "%s%s%s", event, *near ? "; " : "", near);
	errno = EINVAL;
	return -1;
}

/* Text from outside may hold control characters (base/text.h). */
static void fill_text(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text ? text : "");
	text_clean(to, "");
}

/* The search for the title of one of the engine's own events. */
struct search {
	const char *name;
	cpc_event_status_t *st;
};

static void take_title(void *arg, const char *name, const char *title)
{
	const struct search *s = arg;

	if (title && strcasecmp(name, s->name) == 0)
		fill_text(s->st->title, sizeof s->st->title, title);
}

/* The engine knows its titles only by a walk. Tracepoints have none. */
static void fill_title(const cpc_t *cpc, const char *event, const struct resolved *m,
		       cpc_event_status_t *st)
{
	struct search s = {event, st};
	const struct engine_walk titles = {
		.kinds = ENGINE_EVENTS, .arg = &s, .name = take_title};

	if (!m->row)
		cpc->scope.ops->walk(cpc->scope.engine, &titles);
	else
		fill_text(st->title, sizeof st->title, m->row->title);
}

/* Fill st with what the engine answers for the caller, then for CPUs. */
static void fill_trial(const cpc_t *cpc, struct status_trial *t, cpc_event_status_t *st)
{
	const struct scope *s = &cpc->scope;
	struct why on_cpu = t->why;

	st->cpu_error = !t->sel						     ? t->err
			: s->ops->probe(s->engine, t->sel, 1, &on_cpu) == -1 ? errno
									     : 0;
	if (st->cpu_error)
		fill_text(st->cpu_reason, sizeof st->cpu_reason, on_cpu.text);
	if (!t->err && status_check_self(cpc, &t->why) == -1)
		t->err = errno;
	st->error = t->err;
	if (st->error)
		fill_text(st->reason, sizeof st->reason, t->why.text);
	if (t->sel)
		fill_text(st->note, sizeof st->note, s->ops->words->note(t->sel));
	if (!st->error || !st->cpu_error)
		st->quality = s->ops->class(t->sel);
}

static void fill_status(const cpc_t *cpc, const char *event, cpc_event_status_t *st)
{
	const struct scope *s = &cpc->scope;
	char what[2 * CPC_MAX_EVENT_LEN];
	struct status_trial t;
	struct resolved m;

	if (status_resolve(cpc, event, &m, what, sizeof what) == -1) {
		st->error = st->cpu_error = errno;
		snprintf(st->reason, sizeof st->reason, "%s: %.900s",
			 cpc_subcode_text(CPC_INVALID_EVENT), what);
		text_clean(st->reason, "");
		memcpy(st->cpu_reason, st->reason, sizeof st->cpu_reason);
		return;
	}
	const struct engine_request req = {
		.name = event, .row = m.row, .tab = m.tab, .flags = CPC_COUNT_USER};
	fill_title(cpc, event, &m, st);
	status_try(&t, cpc, s->ops, s->engine, &req, 0);
	fill_trial(cpc, &t, st);
	status_end(&t);
}

int cpc_event_status(cpc_t *cpc, const char *event, cpc_event_status_t *st)
{
	if (!session_is_open(cpc) || !event || !st) {
		errno = EINVAL;
		return -1;
	}
	memset(st, 0, sizeof *st);
	st->quality = CPC_UNAVAILABLE;
	fill_text(st->engine, sizeof st->engine, cpc->scope.ops->name);
	cpc_lock(cpc);
	fill_status(cpc, event, st);
	cpc_unlock(cpc);
	if (!status_is_shortage(st->error) && !status_is_shortage(st->cpu_error))
		return 0;
	errno = status_is_shortage(st->error) ? st->error : st->cpu_error;
	return -1;
}
