#include "suite/tell/list.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "cpc/cpc.h"

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

/* The attempt to count an event with an engine. */
struct trial {
	const struct engine_ops *ops;
	struct evsel *sel;
	int countable;
	int lacks; /* memory or descriptors; with more, the event might be countable */
	struct why why;
};

static void try_engine(struct trial *t, const struct engine_ops *ops,
		       struct engine *engine, int cpus, const struct engine_request *req)
{
	t->ops = ops;
	t->sel = ops->encode(engine, req, &t->why);
	t->countable = t->sel && ops->probe(engine, t->sel, cpus, &t->why) == 0;
	t->lacks =
		!t->countable && (errno == ENOMEM || errno == EMFILE || errno == ENFILE);
}

static void list_event(struct catalog *c, const struct evtab *tab, const char *name,
		       const char *title)
{
	const struct scope *scope = &c->cpc->scope;
	struct engine_request req = {.name = name, .flags = CPC_COUNT_USER};
	struct resolved res;
	struct trial own, sim = {.countable = 0};

	if (tab && resolve_in(tab, name, &res) == 0)
		req.row = res.row, req.tab = tab;
	try_engine(&own, scope->ops, scope->engine, c->cpus, &req);
	if (!own.countable && c->sim)
		try_engine(&sim, &engine_sim, c->sim, 0, &req);
	const struct trial *best = sim.countable || sim.lacks ? &sim : &own;
	if (best->countable || best->lacks || c->pattern) {
		const struct list_entry e = {
			.name = name,
			.source = tab			     ? tab->name
				  : best->ops == &engine_sim ? "model"
							     : "host",
			.title = title,
			.engine = best->countable ? best->ops->name : NULL,
			.class = best->countable ? best->ops->class(best->sel)
						 : CPC_UNAVAILABLE,
			.how = best->countable ? best->ops->words->note(best->sel)
					       : best->why.text,
		};
		c->fn(c->arg, &e);
		c->n++;
		c->exact |= !tab && c->pattern && strcasecmp(name, c->pattern) == 0;
	}
	own.ops->drop(own.sel);
	if (sim.ops)
		sim.ops->drop(sim.sel);
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
	struct why why;

	if (!cpus && cpc->automatic && cpc->scope.ops != &engine_sim)
		c.sim = engine_sim.open(&why);
	resolve_walk(&cpc->scope, &c, visit);
	if (c.sim && !cpc->scope.cpu)
		engine_sim.walk(c.sim, &c, visit_model);
	if (pattern)
		list_pattern(&c);
	engine_sim.close(c.sim);
	return c.n;
}
