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

enum { MAX_REQUESTS = SPEC_MAX_PICS };

/* A session whose sets are explained, not counted. */
struct session {
	cpc_t *cpc;
	const struct evtab *cpu; /* the table whose registers are reported, or NULL */
	const char *engine;	 /* the engine to query, or NULL */
	const struct explain_options *opt;
};

/* One set, from its specification to the text about it. */
struct explanation {
	struct explain_set set;
	struct explain_req req[MAX_REQUESTS];
	char why[1024];	    /* why the set cannot be programmed */
	struct spec *clash; /* the requests, if they clash; else NULL, they are in sets */
	struct sets *sets;
};

static int is_named(const char *engine)
{
	return engine && strcmp(engine, "auto") != 0;
}

static void ignore_error(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn;
	(void)subcode;
	(void)fmt;
	(void)ap;
}

/*
 * Returns the name of the engine that would count. NULL: ENODEV and err, there is no such
 * table or engine.
 */
static const char *find_engine(const struct engine_choice *choice, char *err, size_t size)
{
	struct sets *sets;
	cpc_t *cpc;

	if (choose_engine(choice, ignore_error, &cpc, &sets, err, size) == 0) {
		const char *name = cpc->scope.ops->name;

		sets_free(sets);
		cpc_close(cpc);
		return name;
	}
	if (errno == ENODEV && *err)
		return NULL;
	*err = '\0';
	return is_named(choice->engine) ? choice->engine : "kernel";
}

/*
 * Finds the table whose registers are reported and the engine to query. Returns 0, or -1
 * with ENODEV and err if there is no such table or engine.
 */
static int choose_sources(struct session *s, char *err, size_t size)
{
	const struct engine_choice *choice = &s->opt->choice;
	const struct evtab *tab = choice->cpu ? evtab_find(choice->cpu) : NULL;

	s->cpu = tab && (tab->nregs || tab->dispatch) ? tab : NULL;
	if (!s->cpu) {
		s->engine = s->opt->cpus && !is_named(choice->engine)
				    ? "kernel"
				    : find_engine(choice, err, size);
		return s->engine ? 0 : -1;
	}
	s->engine = is_named(choice->engine) ? choice->engine : NULL;
	return 0;
}

static enum explain_query query_of(const struct session *s)
{
	return !s->engine ? QUERY_NONE : s->opt->cpus ? QUERY_CPUS : QUERY_LWPS;
}

static int open_session(struct session *s, cpc_errhndlr_t *handler, char *err,
			size_t size)
{
	const struct engine_choice *choice = &s->opt->choice;

	if (choose_sources(s, err, size) == -1)
		return -1;
	s->cpc = cpc_open_cpu(CPC_VER_CURRENT, choice->cpu,
			      s->engine ? s->engine : "kernel");
	if (!s->cpc && errno == EINVAL) {
		snprintf(err, size,
			 "no engine is named '%s'; the engines are auto, kernel and sim",
			 s->engine);
		errno = ENODEV;
	}
	if (!s->cpc)
		return -1;
	cpc_seterrhndlr(s->cpc, handler);
	s->cpc->places = choice->places;
	if (session_machine(s->cpc, &choice->machine) == 0 &&
	    explain_engine_install(s->cpc, query_of(s)) == 0)
		return 0;
	const int e = errno;
	cpc_close(s->cpc);
	errno = e;
	return -1;
}

/* Returns the error without the text of its subcode, which says less than the rest. */
static const char *error_sentence(const struct withheld *error)
{
	const char *kind = error->fn ? cpc_subcode_text(error->subcode) : NULL;
	const size_t len = kind ? strlen(kind) : 0;

	if (!error->fn)
		return "the set has no events";
	return len && strncmp(error->text, kind, len) == 0 && error->text[len] == ':'
		       ? error->text + len + 2
		       : error->text;
}

/* Assigns counters to all requests, or writes into e->why what prevents it. */
static void assign_set(struct session *s, struct explanation *e, cpc_set_t *set)
{
	struct withheld error = {0};

	s->cpc->withheld = &error;
	if (assign_counters(s->cpc, "explain", set) == -1) {
		snprintf(e->why, sizeof e->why, "%s", error_sentence(&error));
		e->set.refused = e->why;
	}
	s->cpc->withheld = NULL;
}

/* Returns the processor's own name of an event that the user named otherwise, or NULL. */
static const char *native_name(const struct event *own, const char *name)
{
	return own && strcmp(own->name, name) != 0 ? own->name : NULL;
}

static void describe_requests(struct explanation *e, const struct requests *r)
{
	for (unsigned i = 0; i < r->n; i++) {
		const struct request *q = &r->req[i];
		const struct explain_answer *answer = explain_engine_answer(q->sel);
		const struct event *row = q->event.own ? q->event.own : q->event.row;

		e->req[i] = (struct explain_req){
			.name = q->name,
			.native = native_name(q->event.own, q->name),
			.title = row ? row->title : NULL,
			.flags = q->flags,
			.pic = r->assigned ? (int)q->pic : -1,
			.class = answer->class,
			.note = answer->note,
			.refused = answer->refused,
		};
	}
}

/* Repeats the assignment of the set to find the ESCR of each request. */
static void assign_escrs(const struct evtab *tab, const struct requests *r,
			 struct explain_assigned *assigned)
{
	struct assign_request req[MAX_REQUESTS];
	struct assign_result result[MAX_REQUESTS];
	uint64_t clash;

	for (unsigned i = 0; i < r->n; i++) {
		const struct event *own = r->req[i].event.own;

		req[i] = (struct assign_request){.can = UINT64_C(1) << r->req[i].pic,
						 .nneeds = own ? own->nneeds : 0,
						 .needs = own ? own->needs : NULL};
	}
	if (assign_pics(req, r->n, result, &clash) == -1)
		return;
	for (unsigned i = 0; i < r->n; i++)
		if (req[i].nneeds)
			assigned[i].escr = &tab->res[result[i].res];
}

static void add_registers(const struct session *s, struct explanation *e,
			  const struct requests *r)
{
	const struct evtab *tab = s->cpc->scope.cpu;
	struct explain_assigned assigned[MAX_REQUESTS];

	for (unsigned i = 0; i < r->n; i++) {
		const struct request *q = &r->req[i];

		assigned[i] = (struct explain_assigned){
			.row = q->event.own,
			.pic = q->pic,
			.flags = q->flags,
			.nattrs = q->nattrs,
			.attrs = q->attrs,
			.generic = evtab_generic(tab, q->name),
			.items = &e->req[i].items,
		};
		if (s->cpu->useronly && q->flags != CPC_COUNT_USER)
			e->req[i].refused = s->cpu->useronly;
	}
	assign_escrs(tab, r, assigned);
	explain_registers(tab, assigned, r->n, &e->set.shared);
}

/* Appends the items of the engine to the registers. Returns -1 if memory ran out. */
static int append_answers(struct explanation *e, const struct requests *r)
{
	int failed = e->set.shared.failed;

	for (unsigned i = 0; i < r->n; i++) {
		const struct explain_answer *answer =
			explain_engine_answer(r->req[i].sel);
		struct explain_items *to = &e->req[i].items;

		for (unsigned k = 0; k < answer->items.n; k++) {
			const struct explain_item *from = &answer->items.item[k];
			struct explain_item *it = explain_add_item(to, from->name);

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

/* Fills e->set from the requests of a set. Returns 0, or -1 with ENOMEM. */
static int explain_requests(struct session *s, struct explanation *e,
			    const struct requests *r)
{
	describe_requests(e, r);
	e->set.n = r->n;
	if (!e->set.refused && s->cpu && s->cpu->dispatch &&
	    explain_itanium2(r, s->opt->cpus, &e->set, e->why, sizeof e->why) == -1)
		e->set.refused = e->why;
	else if (!e->set.refused && s->cpu && s->cpu->nregs)
		add_registers(s, e, r);
	if (append_answers(e, r) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

/*
 * Explains a specification that is correct except that its events clash. Returns 0, or -1
 * if it has another fault.
 */
static int explain_clashing(struct session *s, struct explanation *e)
{
	e->clash = explain_clash(s->cpc, e->set.spec, e->why, sizeof e->why);
	if (!e->clash || e->clash->n > MAX_REQUESTS)
		return -1;
	e->set.refused = e->why;
	e->set.n = e->clash->n;
	for (unsigned i = 0; i < e->clash->n; i++) {
		struct resolved res = {0};

		resolve_name(&s->cpc->scope, e->clash->req[i].event, &res);
		e->req[i] = (struct explain_req){
			.name = e->clash->req[i].event,
			.native = native_name(res.own, e->clash->req[i].event),
			.title = res.own ? res.own->title : NULL,
			.flags = e->clash->req[i].flags,
			.pic = -1,
		};
	}
	return 0;
}

static int explain_spec(struct session *s, struct explanation *e, char *err, size_t size)
{
	e->sets = sets_new(s->cpc);
	if (!e->sets)
		return -1;
	if (sets_add(e->sets, e->set.spec, err, size) == 0) {
		cpc_set_t *set = e->sets->member[0].set;

		assign_set(s, e, set);
		return explain_requests(s, e, set->reqs);
	}
	if (errno != EINVAL || !*err)
		return -1;
	if (explain_clashing(s, e) == 0) {
		*err = '\0';
		return 0;
	}
	errno = EINVAL;
	return -1;
}

static void explanation_free(struct explanation *e)
{
	for (unsigned i = 0; i < MAX_REQUESTS; i++)
		explain_items_free(&e->req[i].items);
	explain_items_free(&e->set.shared);
	spec_free(e->clash);
	sets_free(e->sets);
	free(e);
}

static int explain_one(struct session *s, unsigned i, struct textbuf *b,
		       int *programmable, char *err, size_t size)
{
	const struct evtab *cpu = s->cpc->scope.cpu;
	struct explanation *e = calloc(1, sizeof *e);

	if (!e)
		return -1;
	e->set = (struct explain_set){
		.number = i,
		.spec = s->opt->choice.spec[i],
		.cpu = cpu ? cpu->name : NULL,
		.title = cpu ? cpu->title : NULL,
		.source = s->cpu ? s->cpu->regref : NULL,
		.engine = s->engine,
		.req = e->req,
	};
	const int r = explain_spec(s, e, err, size);
	const int error = errno;
	if (r == 0 && s->opt->format == TEXT_JSON)
		explain_json(b, &e->set);
	else if (r == 0)
		explain_text(b, &e->set);
	*programmable &= explain_set_programmable(&e->set);
	explanation_free(e);
	errno = error;
	return r;
}

int explain_sets(const struct explain_options *opt, cpc_errhndlr_t *handler, char **text,
		 int *programmable, char *err, size_t size)
{
	struct session s = {.opt = opt};
	struct textbuf b = {0};
	int r = 0;

	*text = NULL;
	*programmable = 1;
	err[0] = '\0';
	if (open_session(&s, handler, err, size) == -1)
		return -1;
	for (unsigned i = 0; r == 0 && i < opt->choice.nspecs; i++)
		r = explain_one(&s, i, &b, programmable, err, size);
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
