#include "suite/tell/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cpc/cpc.h"

struct names {
	const char *prefix;
	size_t len; /* of prefix */
	unsigned n;
	char **name;
	int failed;
};

static void visit(void *arg, const char *name, const char *title)
{
	struct names *w = arg;

	(void)title;
	if (strncmp(name, w->prefix, w->len) != 0 || w->failed)
		return;
	w->failed = array_grow(&w->name, w->n, sizeof *w->name) == -1 ||
		    !(w->name[w->n] = strdup(name));
	w->n += !w->failed;
}

static void visit_row(void *arg, const struct evtab *tab, const char *name,
		      const char *title)
{
	(void)tab;
	visit(arg, name, title);
}

/* The names of a table, if the prefix begins with "TABLE::". */
static void visit_table(struct names *w)
{
	const char *sep = strstr(w->prefix, "::");

	for (unsigned t = 0; sep && evtabs[t]; t++) {
		const struct evtab *tab = evtabs[t];
		const size_t len = strlen(tab->name);

		if (len != (size_t)(sep - w->prefix) ||
		    memcmp(tab->name, w->prefix, len) != 0)
			continue;
		for (unsigned i = 0; i < tab->n; i++) {
			char name[CPC_MAX_EVENT_LEN];

			snprintf(name, sizeof name, "%s::%s", tab->name, tab->ev[i].name);
			visit(w, name, NULL);
		}
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void report(const struct names *w, void *arg,
		   void (*fn)(void *arg, const char *name))
{
	if (w->n > 0)
		qsort(w->name, w->n, sizeof *w->name, by_name);
	for (unsigned i = 0; i < w->n; i++)
		if (i == 0 || strcmp(w->name[i - 1], w->name[i]) != 0)
			fn(arg, w->name[i]);
}

int names_walk(cpc_t *cpc, const char *prefix, int tracepoints, void *arg,
	       void (*fn)(void *arg, const char *name))
{
	const struct scope *s = &cpc->scope;
	struct names w = {.prefix = prefix, .len = strlen(prefix)};
	const struct engine_walk own = {.kinds = ENGINE_EVENTS |
						 (tracepoints ? ENGINE_TRACEPOINTS : 0),
					.arg = &w,
					.name = visit};

	if (!s->cpu) {
		s->ops->walk(s->engine, &own);
		visit_table(&w);
	}
	if (!s->cpu && cpc->automatic && s->ops != &engine_sim)
		engine_sim.walk(NULL, &own);
	resolve_walk_tables(s, &w, visit_row);
	if (!w.failed)
		report(&w, arg, fn);
	for (unsigned i = 0; i < w.n; i++)
		free(w.name[i]);
	free(w.name);
	if (!w.failed)
		return 0;
	errno = ENOMEM;
	return -1;
}
