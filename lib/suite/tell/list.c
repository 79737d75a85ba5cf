#include "suite/tell/list.h"

#include <fnmatch.h>
#include <string.h>

#include "cpc/cpc.h"

struct catalog {
	cpc_t *cpc;
	const char *pattern;
	void *arg;
	void (*fn)(void *arg, const struct list_entry *e);
	unsigned n;
	int itself; /* the pattern was a name of the engine, as it stands */
	/* the simulation, which is asked about what the session's engine cannot count */
	struct engine *sim;
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

/* What an engine says of an event. */
struct finding_out {
	const struct engine_ops *ops;
	struct evsel *sel;
	int can;
	struct why why;
};

static void find_out(struct finding_out *f, const struct engine_ops *ops,
		     struct engine *engine, const struct engine_request *ask)
{
	f->ops = ops;
	f->sel = ops->encode(engine, ask, &f->why);
	f->can = f->sel && ops->probe(engine, f->sel, &f->why) == 0;
}

static void look_up(struct catalog *c, const struct evtab *tab, const char *name,
		    const char *title)
{
	const struct scope *scope = &c->cpc->scope;
	struct engine_request ask = {.name = name, .flags = CPC_COUNT_USER};
	struct resolved m;
	struct finding_out f, other = {.can = 0};

	if (tab && resolve_in(tab, name, &m) == 0)
		ask.row = m.row, ask.tab = tab;
	find_out(&f, scope->ops, scope->engine, &ask);
	if (!f.can && c->sim)
		find_out(&other, &engine_sim, c->sim, &ask);
	const struct finding_out *best = other.can ? &other : &f;
	if (best->can || c->pattern) {
		const struct list_entry e = {
			.name = name,
			.source = tab			     ? tab->name
				  : best->ops == &engine_sim ? "model"
							     : "host",
			.title = title,
			.engine = best->can ? best->ops->name : NULL,
			.class =
				best->can ? best->ops->class(best->sel) : CPC_UNAVAILABLE,
			.how = best->can ? best->ops->words->note(best->sel)
					 : best->why.text,
		};
		c->fn(c->arg, &e);
		c->n++;
		c->itself |= !tab && c->pattern && strcasecmp(name, c->pattern) == 0;
	}
	f.ops->drop(f.sel);
	if (other.ops)
		other.ops->drop(other.sel);
}

static void offer(void *arg, const struct evtab *tab, const char *name, const char *title)
{
	const struct catalog *c = arg;

	if (matches(c->pattern, name))
		look_up(arg, tab, name, title);
}

/* The model's own names, of which the session's engine knows nothing. */
static void offer_counter(void *arg, const char *name, const char *title)
{
	offer(arg, NULL, name, title);
}

/*
 * Names that no list can hold: breakpoints, PMUs with terms, numbers, "table::NAME",
 * other spellings; and the engine's own that it does not list where they cannot be
 * counted.
 */
static void look_up_itself(struct catalog *c)
{
	struct resolved m;

	if (is_glob(c->pattern) ? c->n > 0 : c->itself)
		return;
	if (resolve_name(&c->cpc->scope, c->pattern, &m) == 0 && (c->n == 0 || !m.tab))
		look_up(c, m.tab, m.row ? m.row->name : c->pattern,
			m.row ? m.row->title : NULL);
}

unsigned list_walk(cpc_t *cpc, const char *pattern, void *arg,
		   void (*fn)(void *arg, const struct list_entry *e))
{
	struct catalog c = {.cpc = cpc, .pattern = pattern, .arg = arg, .fn = fn};
	struct why why;

	if (cpc->automatic && cpc->scope.ops != &engine_sim)
		c.sim = engine_sim.open(&why);
	resolve_walk(&cpc->scope, &c, offer);
	if (c.sim && !cpc->scope.cpu)
		engine_sim.walk(c.sim, &c, offer_counter);
	if (pattern)
		look_up_itself(&c);
	engine_sim.close(c.sim);
	return c.n;
}
