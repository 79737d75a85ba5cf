/* Walks over the names that a session knows: events, attributes, processors. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include <opencpc.h>
#include "cpc/cpc.h"
#include "cpc/sampling.h"
#include "cpc/session.h"
#include "cpc/status.h"

struct walk {
	cpc_t *sampled; /* if not NULL, only events that give records are offered */
	void *arg;
	uint_t picno;
	int alike; /* every counter counts the same events */
	/* One of these is called. */
	void (*all)(void *arg, const char *event);
	void (*titled)(void *arg, const char *event, const char *title);
	void (*pic)(void *arg, uint_t picno, const char *event);
};

/* Try whether the event of this name gives records. */
static int gives_records(cpc_t *cpc, const char *name)
{
	struct resolved m;

	if (resolve_name(&cpc->scope, name, &m) == -1)
		return 0;
	const struct engine_request req = {
		.name = name, .row = m.row, .tab = m.tab, .flags = CPC_COUNT_USER};
	return smpl_can(cpc, &req);
}

static void offer(const struct walk *w, const char *name, const char *title)
{
	if (w->sampled && !gives_records(w->sampled, name))
		return;
	if (w->all)
		w->all(w->arg, name);
	else if (w->titled)
		w->titled(w->arg, name, title);
	else
		w->pic(w->arg, w->picno, name);
}

static void offer_own(void *arg, const char *name, const char *title)
{
	offer(arg, name, title);
}

static void offer_table(const struct evtab *tab, const struct walk *w)
{
	for (unsigned i = 0; i < tab->n; i++)
		if (!w->pic || w->sampled || (tab->ev[i].pics & engine_pic_bit(w->picno)))
			offer(w, tab->ev[i].name, tab->ev[i].title);
}

/*
 * Offer the events of the processor; without one, the software events and the names of
 * the engine.
 */
static void walk_platform(cpc_t *cpc, struct walk *w)
{
	if (cpc->scope.cpu) {
		offer_table(cpc->scope.cpu, w);
		return;
	}
	const struct engine_walk own = {
		.kinds = ENGINE_ALL_NAMES, .arg = w, .name = offer_own};

	w->alike = 1;
	offer_table(evtab_find("software"), w);
	cpc->scope.ops->walk(cpc->scope.engine, &own);
}

/* Returns 1 if this machine can count a row; the reason why not is dropped. */
static int countable(cpc_t *cpc, const struct evtab *tab, const struct event *row)
{
	const struct engine_request req = {
		.name = row->name, .row = row, .tab = tab, .flags = CPC_COUNT_USER};
	struct status_trial t;

	status_try(&t, cpc, cpc->scope.ops, cpc->scope.engine, &req, 0);
	status_end(&t);
	return t.err == 0;
}

/*
 * Offer the PAPI_* names that the processor has events for; without a processor, those
 * that this machine can count.
 */
static void walk_generic(cpc_t *cpc, struct walk *w)
{
	const struct evtab *cpu = cpc->scope.cpu, *tab = evtab_find("generic");

	for (unsigned i = 0; cpu && i < cpu->ngeneric; i++) {
		struct resolved m;

		if (resolve_name(&cpc->scope, cpu->generic[i].name, &m) == 0 &&
		    (!w->pic || (m.pics & engine_pic_bit(w->picno))))
			offer(w, cpu->generic[i].name, m.row->title);
	}
	for (unsigned i = 0; !cpu && i < tab->n; i++)
		if (countable(cpc, tab, &tab->ev[i]))
			offer(w, tab->ev[i].name, tab->ev[i].title);
}

static void walk_locked(cpc_t *cpc, struct walk *w,
			void (*fn)(cpc_t *cpc, struct walk *w))
{
	if (!session_is_open(cpc) || (!w->all && !w->pic && !w->titled)) {
		errno = EINVAL;
		return;
	}
	cpc_lock(cpc);
	fn(cpc, w);
	cpc_unlock(cpc);
}

/* Returns 1 if the counter exists, else 0 with EINVAL. */
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

	walk_locked(cpc, &w, walk_platform);
}

void cpc_walk_events_pic(cpc_t *cpc, uint_t picno, void *arg,
			 void (*action)(void *arg, uint_t picno, const char *event))
{
	struct walk w = {.arg = arg, .picno = picno, .pic = action};

	if (check_pic(cpc, picno))
		walk_locked(cpc, &w, walk_platform);
}

void cpc_walk_titles(cpc_t *cpc, void *arg,
		     void (*action)(void *arg, const char *event, const char *title))
{
	struct walk w = {.arg = arg, .titled = action};

	walk_locked(cpc, &w, walk_platform);
	if (cpc && cpc->scope.cpu)
		walk_locked(cpc, &w, walk_generic);
}

void cpc_walk_generic_events_all(cpc_t *cpc, void *arg,
				 void (*action)(void *arg, const char *event))
{
	struct walk w = {.arg = arg, .all = action};

	walk_locked(cpc, &w, walk_generic);
}

void cpc_walk_generic_events_pic(cpc_t *cpc, uint_t picno, void *arg,
				 void (*action)(void *arg, uint_t picno,
						const char *event))
{
	struct walk w = {.arg = arg, .picno = picno, .pic = action};

	if (check_pic(cpc, picno))
		walk_locked(cpc, &w, walk_generic);
}

/* Returns 1 if the target is valid, else 0 with EINVAL. */
static int check_target(int target)
{
	if (target == CPC_TARGET_CPC || target == CPC_TARGET_SMPL)
		return 1;
	errno = EINVAL;
	return 0;
}

void cpc_walk_events_all_common(cpc_t *cpc, void *arg, int target,
				void (*action)(void *arg, const char *event))
{
	struct walk w = {.sampled = target == CPC_TARGET_SMPL ? cpc : NULL,
			 .arg = arg,
			 .all = action};

	if (check_target(target))
		walk_locked(cpc, &w, walk_platform);
}

/* All sampling counters take the same events. */
void cpc_walk_events_pic_common(cpc_t *cpc, uint_t picno, void *arg, int target,
				void (*action)(void *arg, uint_t picno,
					       const char *event))
{
	struct walk w = {.sampled = cpc, .arg = arg, .picno = picno, .pic = action};

	if (!check_target(target))
		return;
	if (target == CPC_TARGET_CPC)
		cpc_walk_events_pic(cpc, picno, arg, action);
	else if (picno < cpc_smpl_npic(cpc))
		walk_locked(cpc, &w, walk_platform);
	else
		errno = EINVAL;
}

void cpc_walk_attrs_common(cpc_t *cpc, void *arg, int target,
			   void (*action)(void *arg, const char *attr))
{
	if (!check_target(target))
		return;
	if (target == CPC_TARGET_SMPL && session_is_open(cpc) && action)
		smpl_walk_attrs(arg, action);
	cpc_walk_attrs(cpc, arg, action);
}

void cpc_walk_attrs(cpc_t *cpc, void *arg, void (*action)(void *arg, const char *attr))
{
	if (!session_is_open(cpc) || !action) {
		errno = EINVAL;
		return;
	}
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
	struct resolved m;

	if (!session_is_open(cpc) || !event || !pics) {
		errno = EINVAL;
		return -1;
	}
	if (resolve_name(&cpc->scope, event, &m) == -1)
		return -1;
	*pics = m.pics;
	return 0;
}

/* The machine has a limited number of counters and debug registers. */
static int takes_counter(cpc_t *cpc, const char *event)
{
	const struct engine_ops *ops = cpc->scope.ops;
	struct resolved m;

	if (resolve_name(&cpc->scope, event, &m) == -1)
		return 1;
	if (m.tab == evtab_find("software"))
		return 0;
	const struct engine_request req = {
		.name = event, .row = m.row, .tab = m.tab, .flags = CPC_COUNT_USER};
	struct why why;
	struct evsel *sel = ops->encode(cpc->scope.engine, &req, &why);
	const enum source source = sel && ops->source ? ops->source(sel) : SOURCE_COUNTER;
	ops->drop(sel);
	return source == SOURCE_COUNTER || source == SOURCE_COSTS ||
	       source == SOURCE_BREAKPOINT;
}

int cpc_event_takes_counter(cpc_t *cpc, const char *event)
{
	if (!session_is_open(cpc) || !event)
		return 1;
	cpc_lock(cpc);
	const int takes = takes_counter(cpc, event);
	cpc_unlock(cpc);
	return takes;
}

const char *cpc_suggest(cpc_t *cpc, const char *event, char *buf, size_t size)
{
	if (!buf || size == 0)
		return "";
	*buf = '\0';
	if (!session_is_open(cpc) || !event)
		return buf;
	return resolve_suggest(&cpc->scope, event, buf,
			       size > UINT_MAX ? UINT_MAX : (unsigned)size);
}

void cpc_cpus(void *arg, void (*action)(void *arg, const char *cpu, const char *title))
{
	for (unsigned i = 0; action && evtabs[i]; i++)
		action(arg, evtabs[i]->name, evtabs[i]->title);
}
