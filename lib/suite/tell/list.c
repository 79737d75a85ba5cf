#include "suite/tell/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "cpc/status.h"
#include "engine/breakpoint.h"

/* The search in a session. */
struct search {
	struct list *list;
	const struct list_query *query;
	cpc_t *cpc;
	struct engine *sim; /* tried if the session's engine cannot count; or NULL */
	unsigned begin;	    /* the entries before are of other sessions */
	int found;	    /* the list has an event that can be counted */
};

/* The bits of a place, the number by which entries are sorted. */
enum {
	BIT_NUMBER = 0, /* the order in which the entries were found */
	BIT_LENGTH = 24,
	BIT_INSIDE = 32,
	BIT_TITLE = 33,
	BIT_FAME = 34,
	BIT_RANK = 38,
	BIT_OTHER = 41, /* not the event whose name was given */
	BIT_SESSION = 42,
	MAX_LENGTH = 255,
	MAX_NUMBER = 0xffffff
};

/* A short title is that of a general event: "L2 cache misses". */
static unsigned length(const char *title)
{
	unsigned n = 0;

	for (const char *c = title; c && *c; c++)
		n += *c == ' ';
	return !title || n > MAX_LENGTH ? MAX_LENGTH : n;
}

/* The names that are alike on all machines come before those that few people know. */
static unsigned fame(const struct evtab *tab, const struct status_trial *best)
{
	if (!tab)
		return best->ops == &engine_sim ? 3 : 2;
	if (strcmp(tab->name, "software") == 0 || strcmp(tab->name, "linux") == 0)
		return 0;
	return strcmp(tab->name, "generic") == 0 ? 1 : 4;
}

static enum list_rank rank(const struct status_trial *best, const struct event *row)
{
	if (best->err)
		return status_is_shortage(best->err) ? LIST_UNKNOWN : LIST_NOT;
	if (best->ops != &engine_sim)
		return best->ops->class(best->sel) == CPC_EXACT ? LIST_EXACT
								: LIST_APPROXIMATE;
	return row && row->simclass == SIM_ZERO ? LIST_ZERO : LIST_SIMULATED;
}

/* A name that a search has found. */
struct match {
	const struct evtab *tab;
	const char *name, *title;
	enum words_fit fit;
	int inside;
};

static uint64_t place(const struct search *s, const struct match *m,
		      const struct status_trial *best, const struct event *row)
{
	const struct list_query *q = s->query;
	const uint64_t number = s->list->n < MAX_NUMBER ? s->list->n : MAX_NUMBER;
	const uint64_t session = (uint64_t)!q->first << BIT_SESSION |
				 (uint64_t)rank(best, row) << BIT_RANK;

	if (words_are_none(q->words) && q->first)
		return number;
	if (words_are_none(q->words))
		return session | (uint64_t)fame(m->tab, best) << BIT_FAME | number;
	const int other = m->fit != WORDS_EXACT || best->err;
	return session | (uint64_t)other << BIT_OTHER |
	       (uint64_t)fame(m->tab, best) << BIT_FAME |
	       (uint64_t)(m->fit == WORDS_TITLE) << BIT_TITLE |
	       (uint64_t)m->inside << BIT_INSIDE |
	       (uint64_t)length(m->title) << BIT_LENGTH | number;
}

static struct list_entry *grow(struct list *l)
{
	if (array_grow(&l->entry, l->n, sizeof *l->entry) == -1)
		return NULL;
	return &l->entry[l->n];
}

static void free_entry(struct list_entry *e)
{
	free(e->name);
	free(e->title);
	free(e->how);
}

/* Copy a string that may be NULL. */
static char *copy(const char *s, int *failed)
{
	char *new = s ? strdup(s) : NULL;

	*failed |= s && !new;
	return new;
}

static void add(struct search *s, const struct match *m, const struct status_trial *best,
		const struct event *row)
{
	const char *only = words_name(s->query->words);
	struct list_entry *e = grow(s->list);
	int failed = !e;

	if (e) {
		*e = (struct list_entry){
			.name = copy(m->name, &failed),
			.source = m->tab		     ? m->tab->name
				  : best->ops == &engine_sim ? "model"
							     : "host",
			.title = copy(m->title, &failed),
			.engine = best->err ? NULL : best->ops->name,
			.class =
				best->err ? CPC_UNAVAILABLE : best->ops->class(best->sel),
			.how = copy(best->err ? best->why.text
					      : best->ops->words->note(best->sel),
				    &failed),
			.is_first = s->query->first,
			.is_named = only && strcasecmp(m->name, only) == 0,
			.rank = rank(best, row),
			.place = place(s, m, best, row),
		};
		if (failed)
			free_entry(e);
		else
			s->list->n++;
	}
	s->list->failed |= failed;
}

/* Try to count an event, also by simulation, and add it. */
static void try_event(struct search *s, const struct match *m)
{
	const struct scope *scope = &s->cpc->scope;
	struct engine_request req = {.name = m->name, .flags = CPC_COUNT_USER};
	struct status_trial own, sim = {.err = EINVAL};
	struct resolved res;

	if (m->tab && resolve_in(m->tab, m->name, &res) == 0)
		req.row = res.row, req.tab = m->tab;
	status_try(&own, s->cpc, scope->ops, scope->engine, &req, s->query->cpus);
	if (own.err && s->sim)
		status_try(&sim, s->cpc, &engine_sim, s->sim, &req, 0);
	add(s, m, !sim.err || status_is_shortage(sim.err) ? &sim : &own, req.row);
	status_end(&own);
	if (sim.ops)
		status_end(&sim);
}

/* Returns 1 if an earlier table has the name: -c NAME would not mean this table. */
static int is_shadowed(const struct search *s, const struct evtab *tab, const char *name)
{
	for (unsigned i = 0; !s->cpc->scope.cpu && evtabs[i] != tab; i++)
		if (evtab_name(evtabs[i], name))
			return 1;
	return 0;
}

/* Returns 1 if the event has the words. */
static int fits(const struct search *s, struct match *m)
{
	m->fit = words_find(s->query->words, m->name, m->title, &m->inside);
	return m->fit != WORDS_NONE;
}

static void visit_row(void *arg, const struct evtab *tab, const char *name,
		      const char *title)
{
	struct search *s = arg;
	struct match m = {.tab = tab, .name = name, .title = title};

	if (s->query->first && !evtab_name(tab, name))
		return;
	if (fits(s, &m) && !is_shadowed(s, tab, name))
		try_event(s, &m);
}

static void visit_own(void *arg, const char *name, const char *title)
{
	struct match m = {.name = name, .title = title};

	if (fits(arg, &m))
		try_event(arg, &m);
}

static int is_countable(const struct list_entry *e)
{
	return e->rank != LIST_NOT;
}

static unsigned count_countable(const struct list *l)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->n; i++)
		n += is_countable(&l->entry[i]);
	return n;
}

/* There are thousands of tracepoints. */
static void visit_tracepoint(void *arg, const char *name, const char *title)
{
	struct search *s = arg;
	const struct list_query *q = s->query;
	struct match m = {.name = name, .title = title};

	if (!fits(s, &m))
		return;
	if (q->all || words_match_group(q->words, name) ||
	    (!s->found && !words_are_none(q->words)))
		try_event(s, &m);
	else
		s->list->more++, s->list->tracepoints++;
}

/* Has the walk of the engine's own names found this name, in whatever case of letters? */
static int has_own(const struct search *s, const char *name)
{
	for (unsigned i = s->begin; i < s->list->n; i++) {
		const struct list_entry *e = &s->list->entry[i];

		if (strcasecmp(e->name, name) == 0 && strcmp(e->source, "host") == 0)
			return 1;
	}
	return 0;
}

/*
 * The only word may be a name that the walks do not visit: a breakpoint, a PMU with
 * terms, a number, "table::NAME", another spelling, or a name that the engine does not
 * list because it cannot count the event.
 */
static void find_name(struct search *s)
{
	const char *name = words_name(s->query->words);
	struct resolved res;

	if (!name || s->query->first || resolve_name(&s->cpc->scope, name, &res) == -1)
		return;
	if (s->list->n > s->begin &&
	    (res.tab || words_have_group(s->query->words) || has_own(s, name)))
		return;
	struct match m = {.tab = res.tab,
			  .name = res.row ? res.row->name : name,
			  .title = res.row ? res.row->title : NULL,
			  .fit = WORDS_EXACT};
	try_event(s, &m);
}

/* A breakpoint, mem:ADDRESS, looks like a tracepoint. */
static int wants_tracepoints(const struct list_query *q)
{
	const char *name = words_name(q->words);

	return q->all || (words_have_group(q->words) && !(name && breakpoint_is(name)));
}

static void pass_unread(void *arg, const char *text)
{
	const struct search *s = arg;

	s->query->unread(s->query->arg, text);
}

static void find_own(struct search *s)
{
	const struct scope *scope = &s->cpc->scope;
	const struct list_query *q = s->query;
	struct engine_walk w = {.kinds = ENGINE_EVENTS,
				.arg = s,
				.name = visit_own,
				.unread = q->unread ? pass_unread : NULL};

	scope->ops->walk(scope->engine, &w);
	if (s->sim)
		engine_sim.walk(s->sim, &w);
}

static void find_tracepoints(struct search *s)
{
	const struct scope *scope = &s->cpc->scope;
	const struct engine_walk w = {
		.kinds = ENGINE_TRACEPOINTS,
		.arg = s,
		.name = visit_tracepoint,
		.unread = s->query->unread && wants_tracepoints(s->query) ? pass_unread
									  : NULL};

	scope->ops->walk(scope->engine, &w);
}

void list_find(struct list *l, cpc_t *cpc, const struct list_query *q)
{
	struct search s = {.list = l, .query = q, .cpc = cpc, .begin = l->n};
	struct why why;

	if (!q->cpus && cpc->automatic && cpc->scope.ops != &engine_sim)
		s.sim = engine_sim.open(&why);
	if (!cpc->scope.cpu)
		find_own(&s);
	resolve_walk_tables(&cpc->scope, &s, visit_row);
	s.found = count_countable(l) > 0;
	if (!cpc->scope.cpu)
		find_tracepoints(&s);
	find_name(&s);
	engine_sim.close(s.sim);
}

static int by_place(const void *a, const void *b)
{
	const struct list_entry *x = a, *y = b;

	return x->place < y->place ? -1 : x->place > y->place;
}

static int by_name(const void *a, const void *b)
{
	const struct list_entry *x = a, *y = b;
	const int order = strcmp(x->name, y->name);

	return order ? order : by_place(a, b);
}

/* Free the entries that are not shown. */
static void drop_hidden(struct list *l)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->n; i++)
		if (l->entry[i].is_shown)
			l->entry[n++] = l->entry[i];
		else
			free_entry(&l->entry[i]);
	l->n = n;
}

/* Of the entries with the same name keep the one with the best place. */
static void drop_duplicates(struct list *l)
{
	qsort(l->entry, l->n, sizeof *l->entry, by_name);
	for (unsigned i = 0; i < l->n; i++)
		l->entry[i].is_shown =
			i == 0 || strcmp(l->entry[i - 1].name, l->entry[i].name) != 0;
	drop_hidden(l);
}

/* Leave out the entries that cannot be counted, unless they were asked for. */
static void drop_others(struct list *l, const struct list_query *q)
{
	const int none = words_are_none(q->words);
	const int everything = q->all || (!none && count_countable(l) == 0);

	for (unsigned i = 0; i < l->n; i++) {
		struct list_entry *e = &l->entry[i];

		e->is_shown = everything || is_countable(e) || e->is_named ||
			      (none && e->is_first);
		l->more += !e->is_shown;
	}
	drop_hidden(l);
}

int list_end(struct list *l, const struct list_query *q)
{
	if (l->n > 0) {
		drop_duplicates(l);
		drop_others(l, q);
		qsort(l->entry, l->n, sizeof *l->entry, by_place);
	}
	if (!l->failed)
		return 0;
	errno = ENOMEM;
	return -1;
}

void list_free(struct list *l)
{
	for (unsigned i = 0; i < l->n; i++)
		free_entry(&l->entry[i]);
	free(l->entry);
	*l = (struct list){0};
}
