#include "suite/explain/explain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpc/assign.h"
#include "cpc/cpc.h"
#include "cpc/session.h"
#include "suite/explain/clash.h"
#include "suite/explain/engine.h"
#include "suite/explain/itanium2.h"
#include "suite/explain/json.h"
#include "suite/explain/registers.h"
#include "suite/explain/set.h"
#include "suite/explain/text.h"
#include "table/assign.h"

enum { MAX_REQUESTS = 64 };

/* A session that is only told of sets. */
struct session {
	cpc_t *cpc;
	const struct evtab *cpu; /* the table whose registers are reported, or NULL */
	const char *engine;	 /* that is asked, or NULL */
	const struct explain_ask *ask;
};

/* One set on its way from the specification to what is printed. */
struct work {
	struct explain_set set;
	struct explain_req req[MAX_REQUESTS];
	char why[1024];
	struct spec *clash; /* or NULL: the requests are in sets */
	struct sets *sets;
};

static int is_named(const char *engine)
{
	return engine && *engine && strcmp(engine, "auto") != 0;
}

static void no_words(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn;
	(void)subcode;
	(void)fmt;
	(void)ap;
}

/* The engine that would count, or NULL with errno ENODEV and err. */
static const char *engine_of(const struct engine_choice *choice, char *err, size_t size)
{
	const char *wanted = choice->engine ? choice->engine : getenv("CPC_ENGINE");
	struct sets *sets;
	cpc_t *cpc;

	if (choose_engine(choice, no_words, &cpc, &sets, err, size) == 0) {
		const char *name = cpc->scope.ops->name;

		sets_free(sets);
		cpc_close(cpc);
		return name;
	}
	if (errno == ENODEV && *err)
		return NULL;
	*err = '\0';
	return is_named(wanted) ? wanted : "kernel";
}

/*
 * Finds the table whose registers are reported and the engine that is asked. Returns -1
 * with ENODEV if no engine can count.
 */
static int choose(struct session *s, char *err, size_t size)
{
	const struct engine_choice *choice = &s->ask->choice;
	const struct evtab *tab = choice->cpu ? evtab_find(choice->cpu) : NULL;

	s->cpu = tab && (tab->nregs || tab->dispatch) ? tab : NULL;
	if (!s->cpu) {
		s->engine = s->ask->cpus && !is_named(choice->engine)
				    ? "kernel"
				    : engine_of(choice, err, size);
		return s->engine ? 0 : -1;
	}
	s->engine = is_named(choice->engine) ? choice->engine : NULL;
	return 0;
}

static enum explain_asked asked(const struct session *s)
{
	return !s->engine ? ASK_NOTHING : s->ask->cpus ? ASK_CPUS : ASK_LWPS;
}

static int open_session(struct session *s, cpc_errhndlr_t *say, char *err, size_t size)
{
	const struct engine_choice *choice = &s->ask->choice;

	if (choose(s, err, size) == -1)
		return -1;
	s->cpc = cpc_open_cpu(CPC_VER_CURRENT, choice->cpu,
			      s->engine ? s->engine : "kernel");
	if (!s->cpc && errno == EINVAL) {
		snprintf(err, size, "there is no engine '%s'", s->engine);
		errno = ENODEV;
	}
	if (!s->cpc)
		return -1;
	cpc_seterrhndlr(s->cpc, say);
	if (explain_engine_take(s->cpc, asked(s)) == 0)
		return 0;
	cpc_close(s->cpc);
	errno = ENOMEM;
	return -1;
}

/* Without what kind of error it is: the sentence says more. */
static const char *sentence(const struct withheld *words)
{
	const char *kind = words->fn ? cpc_subcode_text(words->subcode) : NULL;
	const size_t len = kind ? strlen(kind) : 0;

	if (!words->fn)
		return "there is no event in it";
	return len && strncmp(words->text, kind, len) == 0 && words->text[len] == ':'
		       ? words->text + len + 2
		       : words->text;
}

/* Counters for all; what is in the way goes into w->why. */
static void give_counters(struct session *s, struct work *w, cpc_set_t *set)
{
	struct withheld words = {0};

	s->cpc->withheld = &words;
	if (assign_counters(s->cpc, "explain", set) == -1) {
		snprintf(w->why, sizeof w->why, "%s", sentence(&words));
		w->set.refused = w->why;
	}
	s->cpc->withheld = NULL;
}

/* The processor's own name of an event that was asked for by another, or NULL. */
static const char *native(const struct event *own, const char *name)
{
	return own && strcmp(own->name, name) != 0 ? own->name : NULL;
}

static void describe(struct work *w, const struct requests *r)
{
	for (unsigned i = 0; i < r->n; i++) {
		const struct request *q = &r->req[i];
		const struct explain_told *told = explain_engine_told(q->sel);
		const struct event *row = q->event.own ? q->event.own : q->event.row;

		w->req[i] = (struct explain_req){
			.name = q->name,
			.native = native(q->event.own, q->name),
			.title = row ? row->title : NULL,
			.flags = q->flags,
			.pic = r->assigned ? (int)q->pic : -1,
			.class = told->class,
			.note = told->note,
			.refused = told->refused,
		};
	}
}

/* The ESCR that a request takes, once more as it was assigned. */
static void take_resources(const struct evtab *tab, const struct requests *r,
			   struct explain_use *use)
{
	struct assign_request ask[MAX_REQUESTS];
	struct assign_result choice[MAX_REQUESTS];
	uint64_t clash;

	for (unsigned i = 0; i < r->n; i++) {
		const struct event *own = r->req[i].event.own;

		ask[i] = (struct assign_request){.can = UINT64_C(1) << r->req[i].pic,
						 .nneeds = own ? own->nneeds : 0,
						 .needs = own ? own->needs : NULL};
	}
	if (assign_pics(ask, r->n, choice, &clash) == -1)
		return;
	for (unsigned i = 0; i < r->n; i++)
		if (ask[i].nneeds)
			use[i].escr = &tab->res[choice[i].res];
}

static void program(const struct session *s, struct work *w, const struct requests *r)
{
	const struct evtab *tab = s->cpc->scope.cpu;
	struct explain_use use[MAX_REQUESTS];

	for (unsigned i = 0; i < r->n; i++) {
		const struct request *q = &r->req[i];

		use[i] = (struct explain_use){
			.row = q->event.own,
			.pic = q->pic,
			.flags = q->flags,
			.nattrs = q->nattrs,
			.attrs = q->attrs,
			.generic = evtab_generic(tab, q->name),
			.items = &w->req[i].items,
		};
		if (s->cpu->useronly && q->flags != CPC_COUNT_USER)
			w->req[i].refused = s->cpu->useronly;
	}
	take_resources(tab, r, use);
	explain_regs(tab, use, r->n, &w->set.shared);
}

/* What an engine told goes behind the registers. */
static int append_told(struct work *w, const struct requests *r)
{
	int failed = w->set.shared.failed;

	for (unsigned i = 0; i < r->n; i++) {
		const struct explain_told *told = explain_engine_told(r->req[i].sel);
		struct explain_items *to = &w->req[i].items;

		for (unsigned k = 0; k < told->items.n; k++) {
			const struct explain_item *from = &told->items.item[k];
			struct explain_item *it = explain_add(to, from->name);

			if (!it)
				break;
			*it = *from;
			it->from = from->from ? strdup(from->from) : NULL;
			to->failed |= from->from && !it->from;
		}
		failed |= to->failed;
	}
	return failed ? -1 : 0;
}

/* -1: ENOMEM. */
static int explain_made(struct session *s, struct work *w, const struct requests *r)
{
	describe(w, r);
	w->set.n = r->n;
	if (!w->set.refused && s->cpu && s->cpu->dispatch &&
	    explain_itanium2(r, s->ask->cpus, &w->set, w->why, sizeof w->why) == -1)
		w->set.refused = w->why;
	else if (!w->set.refused && s->cpu && s->cpu->nregs)
		program(s, w, r);
	if (append_told(w, r) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

/* What clashes by its counters alone is no bad specification, but the answer. */
static int explain_clashing(struct session *s, struct work *w)
{
	w->clash = explain_clash(s->cpc, w->set.spec, w->why, sizeof w->why);
	if (!w->clash || w->clash->n > MAX_REQUESTS)
		return -1;
	w->set.refused = w->why;
	w->set.n = w->clash->n;
	for (unsigned i = 0; i < w->clash->n; i++) {
		struct resolved m = {0};

		resolve_name(&s->cpc->scope, w->clash->req[i].event, &m);
		w->req[i] = (struct explain_req){
			.name = w->clash->req[i].event,
			.native = native(m.own, w->clash->req[i].event),
			.title = m.own ? m.own->title : NULL,
			.flags = w->clash->req[i].flags,
			.pic = -1,
		};
	}
	return 0;
}

static int explain_set(struct session *s, struct work *w, char *err, size_t size)
{
	w->sets = sets_new(s->cpc);
	if (!w->sets)
		return -1;
	if (sets_add(w->sets, w->set.spec, err, size) == 0) {
		cpc_set_t *set = w->sets->member[0].set;

		give_counters(s, w, set);
		return explain_made(s, w, set->reqs);
	}
	if (errno != EINVAL || !*err)
		return -1;
	if (explain_clashing(s, w) == 0) {
		*err = '\0';
		return 0;
	}
	errno = EINVAL;
	return -1;
}

static void work_free(struct work *w)
{
	for (unsigned i = 0; i < MAX_REQUESTS; i++)
		explain_items_free(&w->req[i].items);
	explain_items_free(&w->set.shared);
	spec_free(w->clash);
	sets_free(w->sets);
	free(w);
}

static int explain_one(struct session *s, unsigned i, struct textbuf *b, int *works,
		       char *err, size_t size)
{
	const struct evtab *cpu = s->cpc->scope.cpu;
	struct work *w = calloc(1, sizeof *w);

	if (!w)
		return -1;
	w->set = (struct explain_set){
		.number = i,
		.spec = s->ask->choice.spec[i],
		.cpu = cpu ? cpu->name : NULL,
		.title = cpu ? cpu->title : NULL,
		.source = s->cpu ? s->cpu->regref : NULL,
		.engine = s->engine,
		.req = w->req,
	};
	const int r = explain_set(s, w, err, size);
	const int error = errno;
	if (r == 0 && s->ask->format == TEXT_JSON)
		explain_json(b, &w->set);
	else if (r == 0)
		explain_text(b, &w->set);
	*works &= explain_set_works(&w->set);
	work_free(w);
	errno = error;
	return r;
}

int explain_sets(const struct explain_ask *ask, cpc_errhndlr_t *say, char **text,
		 int *works, char *err, size_t size)
{
	struct session s = {.ask = ask};
	struct textbuf b = {0};
	int r = 0;

	*text = NULL;
	*works = 1;
	err[0] = '\0';
	if (open_session(&s, say, err, size) == -1)
		return -1;
	for (unsigned i = 0; r == 0 && i < ask->choice.nspecs; i++)
		r = explain_one(&s, i, &b, works, err, size);
	const int error = errno;
	cpc_close(s.cpc);
	*text = textbuf_end(&b);
	if (r == 0)
		return *text ? 0 : -1;
	free(*text);
	*text = NULL;
	errno = error;
	return -1;
}
