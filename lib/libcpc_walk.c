/* What a session knows by name: events, attributes, processors. */
#include <errno.h>
#include <string.h>

#include "libcpc.h"
#include "libcpc_impl.h"

struct walk {
	void *arg;
	uint_t picno;
	void (*all)(void *arg, const char *event);
	void (*pic)(void *arg, uint_t picno, const char *event);
};

static void offer(const struct walk *w, const char *name)
{
	if (w->all)
		w->all(w->arg, name);
	else
		w->pic(w->arg, w->picno, name);
}

static void offer_own(void *arg, const char *name, const char *title)
{
	(void)title;
	offer(arg, name);
}

static void offer_table(const struct evtab *tab, const struct walk *w)
{
	for (unsigned i = 0; i < tab->n; i++)
		if (w->all || tab->ev[i].pics >> w->picno & 1)
			offer(w, tab->ev[i].name);
}

/*
 * A processor's own names; of this machine: the software events and what the engine
 * knows.
 */
static void walk_platform(cpc_t *cpc, struct walk *w)
{
	if (cpc->scope.cpu) {
		offer_table(cpc->scope.cpu, w);
		return;
	}
	offer_table(evtab_find("software"), w);
	cpc->scope.ops->walk(cpc->scope.engine, w, offer_own);
}

/* Can this machine count a row? The refusal is nobody's business here. */
static int countable(cpc_t *cpc, const struct event *row)
{
	const struct engine_ops *ops = cpc->scope.ops;
	const struct evask ask = {.name = row->name, .row = row, .flags = CPC_COUNT_USER};
	struct why why;
	struct evsel *sel = ops->encode(cpc->scope.engine, &ask, &why);
	const int can = sel && ops->probe(cpc->scope.engine, sel, &why) == 0;

	ops->drop(sel);
	return can;
}

/*
 * PAPI_* names: those that a processor has events for; of this machine: those that it can
 * count.
 */
static void walk_generic(cpc_t *cpc, struct walk *w)
{
	const struct evtab *cpu = cpc->scope.cpu, *tab = evtab_find("generic");

	for (unsigned i = 0; cpu && i < cpu->ngeneric; i++) {
		struct meaning m;

		if (resolve_name(&cpc->scope, cpu->generic[i].name, &m) == 0 &&
		    (w->all || m.pics >> w->picno & 1))
			offer(w, cpu->generic[i].name);
	}
	for (unsigned i = 0; !cpu && i < tab->n; i++)
		if (countable(cpc, &tab->ev[i]))
			offer(w, tab->ev[i].name);
}

/* Is there such a counter? */
static int check_pic(cpc_t *cpc, uint_t picno)
{
	if (picno < cpc_npic(cpc))
		return 1;
	errno = EINVAL;
	return 0;
}

void cpc_walk_events_all(cpc_t *cpc, void *arg,
			 void (*action)(void *arg, const char *event))
{
	struct walk w = {.arg = arg, .all = action};

	walk_platform(cpc, &w);
}

void cpc_walk_events_pic(cpc_t *cpc, uint_t picno, void *arg,
			 void (*action)(void *arg, uint_t picno, const char *event))
{
	struct walk w = {.arg = arg, .picno = picno, .pic = action};

	if (check_pic(cpc, picno))
		walk_platform(cpc, &w);
}

void cpc_walk_generic_events_all(cpc_t *cpc, void *arg,
				 void (*action)(void *arg, const char *event))
{
	struct walk w = {.arg = arg, .all = action};

	walk_generic(cpc, &w);
}

void cpc_walk_generic_events_pic(cpc_t *cpc, uint_t picno, void *arg,
				 void (*action)(void *arg, uint_t picno,
						const char *event))
{
	struct walk w = {.arg = arg, .picno = picno, .pic = action};

	if (check_pic(cpc, picno))
		walk_generic(cpc, &w);
}

void cpc_walk_attrs(cpc_t *cpc, void *arg, void (*action)(void *arg, const char *attr))
{
	const struct evtab *cpu = cpc->scope.cpu;

	if (cpu)
		for (unsigned i = 0; i < cpu->nattrs; i++)
			action(arg, cpu->attrs[i].name);
	else
		for (const char *const *a = cpc->scope.ops->attrs(cpc->scope.engine); *a;
		     a++)
			action(arg, *a);
	action(arg, "picnum");
}

int cpc_event_pics(cpc_t *cpc, const char *event, uint64_t *pics)
{
	struct meaning m;

	if (resolve_name(&cpc->scope, event, &m) == -1)
		return -1;
	*pics = m.pics;
	return 0;
}

int cpc_event_takes_counter(cpc_t *cpc, const char *event)
{
	struct meaning m;

	return resolve_name(&cpc->scope, event, &m) == -1 ||
	       m.tab != evtab_find("software");
}

const char *cpc_suggest(cpc_t *cpc, const char *event, char *buf, size_t size)
{
	return resolve_suggest(&cpc->scope, event, buf, (unsigned)size);
}

void cpc_cpus(void *arg, void (*action)(void *arg, const char *cpu, const char *title))
{
	for (unsigned i = 0; evtabs[i]; i++)
		action(arg, evtabs[i]->name, evtabs[i]->title);
}
