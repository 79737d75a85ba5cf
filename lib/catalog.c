#include "catalog.h"

#include <fnmatch.h>
#include <string.h>

#include "libcpc_impl.h"

struct catalog {
	cpc_t *cpc;
	const char *pattern;
	void *arg;
	void (*fn)(void *arg, const struct catalog_entry *e);
	unsigned n;
	int itself; /* the pattern was a name of the engine, as it stands */
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

static void look_up(struct catalog *c, const struct evtab *tab, const char *name,
		    const char *title)
{
	const struct engine_ops *ops = c->cpc->scope.ops;
	struct engine *engine = c->cpc->scope.engine;
	struct evask ask = {.name = name, .flags = CPC_COUNT_USER};
	struct meaning m;
	struct why why = {""};

	if (tab && resolve_in(tab, name, &m) == 0)
		ask.row = m.row;
	struct evsel *sel = ops->encode(engine, &ask, &why);
	const int can = sel && ops->probe(engine, sel, &why) == 0;
	if (can || c->pattern) {
		const struct catalog_entry e = {
			.name = name,
			.source = tab ? tab->name : "host",
			.title = title,
			.engine = can ? ops->name : NULL,
			.class = can ? ops->class(sel) : CPC_UNAVAILABLE,
			.how = can ? ops->note(sel) : why.text,
		};
		c->fn(c->arg, &e);
		c->n++;
		c->itself |= !tab && c->pattern && strcasecmp(name, c->pattern) == 0;
	}
	ops->drop(sel);
}

static void offer(void *arg, const struct evtab *tab, const char *name, const char *title)
{
	const struct catalog *c = arg;

	if (matches(c->pattern, name))
		look_up(arg, tab, name, title);
}

/*
 * Names that no list can hold: breakpoints, PMUs with terms, numbers, "table::NAME",
 * other spellings; and the engine's own that it does not list where they cannot be
 * counted.
 */
static void look_up_itself(struct catalog *c)
{
	struct meaning m;

	if (is_glob(c->pattern) ? c->n > 0 : c->itself)
		return;
	if (resolve_name(&c->cpc->scope, c->pattern, &m) == 0 && (c->n == 0 || !m.tab))
		look_up(c, m.tab, m.row ? m.row->name : c->pattern,
			m.row ? m.row->title : NULL);
}

unsigned catalog_walk(cpc_t *cpc, const char *pattern, void *arg,
		      void (*fn)(void *arg, const struct catalog_entry *e))
{
	struct catalog c = {cpc, pattern, arg, fn, 0, 0};

	resolve_walk(&cpc->scope, &c, offer);
	if (pattern)
		look_up_itself(&c);
	return c.n;
}
