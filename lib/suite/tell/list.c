#include "suite/tell/list.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "cpc/status.h"

struct catalog {
	cpc_t *cpc;
	const char *pattern;
	void *arg;
	void (*fn)(void *arg, const struct list_entry *e);
	unsigned n;
	int cpus;	    /* try events on CPUs, not on the caller */
	int exact;	    /* the pattern was the whole name of an event of the engine */
	struct engine *sim; /* tried if the session's engine cannot count; or NULL */
};

static int is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[") != NULL;
}

static int matches(const char *pattern, const char *name)
{
	if (!pattern)
		return 1;
	if (is_glob(pattern))
		return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
	return strcasestr(name, pattern) != NULL;
}

static void list_event(struct catalog *c, const struct evtab *tab, const char *name,
		       const char *title)
{
	const struct scope *scope = &c->cpc->scope;
	struct engine_request req = {.name = name, .flags = CPC_COUNT_USER};
	struct resolved res;
	struct status_trial own, sim = {.err = EINVAL};

	if (tab && resolve_in(tab, name, &res) == 0)
		req.row = res.row, req.tab = tab;
	status_try(&own, c->cpc, scope->ops, scope->engine, &req, c->cpus);
	if (own.err && c->sim)
		status_try(&sim, c->cpc, &engine_sim, c->sim, &req, 0);
	const struct status_trial *best =
		!sim.err || status_is_shortage(sim.err) ? &sim : &own;
	if (!best->err || status_is_shortage(best->err) || c->pattern) {
		const struct list_entry e = {
			.name = name,
			.source = tab			     ? tab->name
				  : best->ops == &engine_sim ? "model"
							     : "host",
			.title = title,
			.engine = best->err ? NULL : best->ops->name,
			.class =
				best->err ? CPC_UNAVAILABLE : best->ops->class(best->sel),
			.how = best->err ? best->why.text
					 : best->ops->words->note(best->sel),
		};
		c->fn(c->arg, &e);
		c->n++;
		c->exact |= !tab && c->pattern && strcasecmp(name, c->pattern) == 0;
	}
	status_end(&own);
	if (sim.ops)
		status_end(&sim);
}

static void visit(void *arg, const struct evtab *tab, const char *name, const char *title)
{
	const struct catalog *c = arg;

	if (matches(c->pattern, name))
		list_event(arg, tab, name, title);
}

/* The names of the simulation's model, which the session's engine does not know. */
static void visit_model(void *arg, const char *name, const char *title)
{
	visit(arg, NULL, name, title);
}

/*
 * List the pattern itself if it is a name that the walks do not visit: a breakpoint, a
 * PMU with terms, a number, "table::NAME", another spelling, or a name that the engine
 * does not list because it cannot count the event.
 */
static void list_pattern(struct catalog *c)
{
	struct resolved res;

	if (is_glob(c->pattern) ? c->n > 0 : c->exact)
		return;
	if (resolve_name(&c->cpc->scope, c->pattern, &res) == 0 &&
	    (c->n == 0 || !res.tab))
		list_event(c, res.tab, res.row ? res.row->name : c->pattern,
			   res.row ? res.row->title : NULL);
}

unsigned list_walk(cpc_t *cpc, const char *pattern, int cpus, void *arg,
		   void (*fn)(void *arg, const struct list_entry *e))
{
	struct catalog c = {
		.cpc = cpc, .pattern = pattern, .cpus = cpus, .arg = arg, .fn = fn};
	const struct engine_walk model = {
		.kinds = ENGINE_EVENTS, .arg = &c, .name = visit_model};
	struct why why;

	if (!cpus && cpc->automatic && cpc->scope.ops != &engine_sim)
		c.sim = engine_sim.open(&why);
	resolve_walk(&cpc->scope, &c, visit);
	if (c.sim && !cpc->scope.cpu)
		engine_sim.walk(c.sim, &model);
	if (pattern)
		list_pattern(&c);
	engine_sim.close(c.sim);
	return c.n;
}
