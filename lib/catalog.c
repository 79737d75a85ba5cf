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
};

static int matches(const char *pattern, const char *name)
{
	if (!pattern)
		return 1;
	if (strpbrk(pattern, "*?["))
		return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
	return strcasestr(name, pattern) != NULL;
}

static void look_up(void *arg, const struct evtab *tab, const char *name, const char *title)
{
	struct catalog *c = arg;
	const struct engine_ops *ops = c->cpc->scope.ops;
	struct engine *engine = c->cpc->scope.engine;
	struct evask ask = {.name = name, .flags = CPC_COUNT_USER};
	struct meaning m;
	struct why why = {""};

	if (!matches(c->pattern, name))
		return;
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
	}
	ops->drop(sel);
}

unsigned catalog_walk(cpc_t *cpc, const char *pattern, void *arg,
		      void (*fn)(void *arg, const struct catalog_entry *e))
{
	struct catalog c = {cpc, pattern, arg, fn, 0};

	resolve_walk(&cpc->scope, &c, look_up);
	return c.n;
}
