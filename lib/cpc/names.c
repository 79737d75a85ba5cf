#include "cpc/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static uint64_t all_pics(unsigned npic)
{
	return npic >= 64 ? UINT64_MAX : (UINT64_C(1) << npic) - 1;
}

static int is_row(struct resolved *m, const struct evtab *tab, const struct event *row,
		  uint64_t pics)
{
	*m = (struct resolved){.tab = tab, .row = row, .pics = pics};
	return 0;
}

/* Find the event that has this number in a table. */
static const struct event *by_number(const struct evtab *tab, const char *name)
{
	char *end;
	errno = 0;
	const unsigned long num = strtoul(name, &end, 0);

	if (!isdigit((unsigned char)*name) || *end || errno || num > UINT32_MAX)
		return NULL;
	return evtab_num(tab, (unsigned)num);
}

/*
 * A PAPI_* name of a processor takes the counters of the processor's own event; the
 * generic table says how the event is counted on this machine.
 */
int resolve_in(const struct evtab *tab, const char *name, struct resolved *m)
{
	const struct event *row = evtab_name(tab, name);
	const struct evgeneric *g = row ? NULL : evtab_generic(tab, name);
	const struct event *here = g ? evtab_name(evtab_find("generic"), name) : NULL;

	if (g)
		row = evtab_name(tab, g->native);
	if (!row)
		row = by_number(tab, g ? g->native : name);
	if (!row) {
		errno = EINVAL;
		return -1;
	}
	is_row(m, tab, here ? here : row, row->pics);
	m->own = row;
	return 0;
}

/* Returns the table of "table::NAME", or NULL if there is no such table. */
static const struct evtab *prefix_table(const char *name, const char **rest)
{
	const char *sep = strstr(name, "::");
	char table[32];

	if (!sep || (size_t)(sep - name) >= sizeof table)
		return NULL;
	memcpy(table, name, (size_t)(sep - name));
	table[sep - name] = '\0';
	const struct evtab *tab = evtab_find(table);
	if (tab)
		*rest = sep + 2;
	return tab;
}

int resolve_name(const struct scope *s, const char *name, struct resolved *m)
{
	if (s->cpu)
		return resolve_in(s->cpu, name, m);

	const uint64_t pics = all_pics(s->ops->npic(s->engine));
	const char *rest = NULL;
	const struct evtab *tab = prefix_table(name, &rest);
	const struct event *row = tab ? evtab_name(tab, rest) : NULL;

	if (row)
		return is_row(m, tab, row, pics);
	tab = evtab_find("software");
	row = tab ? evtab_name(tab, name) : NULL;
	if (row)
		return is_row(m, tab, row, pics);
	if (s->ops->knows(s->engine, name))
		return is_row(m, NULL, NULL, pics);
	for (unsigned i = 0; evtabs[i]; i++) {
		row = evtab_name(evtabs[i], name);
		if (row)
			return is_row(m, evtabs[i], row, pics);
	}
	errno = EINVAL;
	return -1;
}

struct own {
	void *arg;
	void (*fn)(void *arg, const struct evtab *tab, const char *name,
		   const char *title);
};

static void walk_own(void *arg, const char *name, const char *title)
{
	const struct own *own = arg;

	own->fn(own->arg, NULL, name, title);
}

static void walk_table(const struct evtab *tab, const struct own *own)
{
	for (unsigned i = 0; i < tab->n; i++)
		own->fn(own->arg, tab, tab->ev[i].name, tab->ev[i].title);
}

/* The PAPI_* names of a processor have the titles of the rows that say how to count. */
static void walk_generic(const struct evtab *cpu, const struct own *own)
{
	for (unsigned i = 0; i < cpu->ngeneric; i++) {
		const char *name = cpu->generic[i].name;
		struct resolved m;

		own->fn(own->arg, cpu, name,
			resolve_in(cpu, name, &m) == 0 ? m.row->title : NULL);
	}
}

void resolve_walk(const struct scope *s, void *arg,
		  void (*fn)(void *arg, const struct evtab *tab, const char *name,
			     const char *title))
{
	struct own own = {arg, fn};
	const struct engine_walk w = {
		.kinds = ENGINE_ALL_NAMES, .arg = &own, .name = walk_own};

	if (!s->cpu)
		s->ops->walk(s->engine, &w);
	resolve_walk_tables(s, arg, fn);
}

void resolve_walk_tables(const struct scope *s, void *arg,
			 void (*fn)(void *arg, const struct evtab *tab, const char *name,
				    const char *title))
{
	const struct own own = {arg, fn};

	if (s->cpu) {
		walk_table(s->cpu, &own);
		walk_generic(s->cpu, &own);
		return;
	}
	for (unsigned i = 0; evtabs[i]; i++)
		walk_table(evtabs[i], &own);
}

/*
 * The engine's names are valid only during the call, so the ones to be offered later are
 * copied.
 */
struct offers {
	struct nearest near;
	char copy[NEAREST_MAX][CPC_MAX_EVENT_LEN];
};

static int is_kept(const struct nearest *near, const char *name)
{
	for (unsigned i = 0; i < near->n; i++)
		if (near->name[i] == name)
			return 1;
	return 0;
}

static void offer(void *arg, const struct evtab *tab, const char *name, const char *title)
{
	struct offers *o = arg;
	unsigned slot = 0;

	(void)title;
	nearest_add(&o->near, name);
	for (unsigned i = 0; !tab && i < o->near.n; i++)
		if (o->near.name[i] == name) {
			while (is_kept(&o->near, o->copy[slot]))
				slot++;
			o->near.name[i] = strcpy(o->copy[slot], name);
			return;
		}
}

const char *resolve_suggest(const struct scope *s, const char *name, char *buf,
			    unsigned size)
{
	const char *rest = name;
	const struct evtab *tab = s->cpu ? NULL : prefix_table(name, &rest);
	struct offers o;

	nearest_init(&o.near, rest);
	for (unsigned i = 0; tab && i < tab->n; i++)
		nearest_add(&o.near, tab->ev[i].name);
	if (!tab)
		resolve_walk(s, &o, offer);
	return nearest_text(&o.near, buf, size);
}
