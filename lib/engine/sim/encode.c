#include "engine/sim/encode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/say.h"
#include "engine/machine.h"
#include "engine/why.h"
#include "table/table.h"

/* The machine that is simulated if no event names one. */
static const char any_machine[] = "generic";

/*
 * Add a machine to those that the session knows. Returns the copy, or NULL with ENOMEM.
 */
static const struct machine *add_machine(struct sim_machine *session,
					 const struct machine *m)
{
	if (array_grow(&session->known, session->nknown, sizeof *session->known) == -1)
		return NULL;
	struct machine *const known = malloc(sizeof *known);
	if (!known)
		return NULL;
	*known = *m;
	return session->known[session->nknown++] = known;
}

int sim_machine_use(struct sim_machine *session, const struct machine *m, int chosen)
{
	session->model = add_machine(session, m);
	if (!session->model)
		return -1;
	session->given = 1;
	session->chosen = chosen;
	session->users = 1;
	return 0;
}

void sim_machine_free(struct sim_machine *session)
{
	while (session->nknown)
		free(session->known[--session->nknown]);
	free(session->known);
	session->known = NULL;
}

/* Keep the first message about a machine. */
static void keep_mistake(void *arg, const char *text)
{
	struct why *why = arg;

	if (!*why->text)
		snprintf(why->text, sizeof why->text, "%s", text);
}

/* Returns a machine of this name, or NULL with errno and *why. */
static const struct machine *find_machine(struct sim_machine *session, const char *name,
					  struct why *why)
{
	const struct machine_choice choice = {
		.name = name, .changes = {session->user.nset, session->user.set}};
	struct machine_mistakes mistakes = {why, keep_mistake, 0};
	const struct machine *known = NULL;
	struct machine m;

	for (unsigned i = 0; i < session->nknown; i++)
		if (strcmp(session->known[i]->name, name) == 0)
			return session->known[i];
	why->text[0] = '\0';
	if (machine_open(&choice, &m, NULL, &mistakes) == 0)
		known = add_machine(session, &m);
	if (!known && !mistakes.n)
		why_refuse(why, errno, "machine %s: %s", name, strerror(errno));
	return known;
}

const struct machine *sim_machine(struct sim_machine *session, struct why *why)
{
	struct why ignored;

	return session->users ? session->model
			      : find_machine(session, any_machine, why ? why : &ignored);
}

static const char *simnote(const struct event *row)
{
	const struct evcol *note = row ? evtab_col(row, "simnote") : NULL;

	return note && note->text ? note->text : NULL;
}

/*
 * Encode a row of a table: its expression, and in *m the machine that the user chose, or
 * else the model of the table's processor.
 */
static int encode_row(struct sim_machine *session, const struct engine_request *req,
		      struct evsel *s, const struct machine **m, struct why *why)
{
	const struct event *row = req->row;
	const char *model = req->tab ? req->tab->machine : NULL, *note = simnote(row);

	if (evtab_col(row, "sw"))
		return why_refuse(why, ENOTSUP,
				  "%s: the kernel's own events are not simulated",
				  req->name);
	if (!model)
		return why_refuse(why, ENOTSUP, "%s: there is no model of the %s",
				  req->name, req->tab ? req->tab->title : "processor");
	*m = session->chosen ? session->model : find_machine(session, model, why);
	if (!*m)
		return -1;
	if (!row->sim || sim_expression_parse(row->sim, &s->x) == -1)
		return why_refuse(
			why, ENOTSUP, "%s: the %s model cannot count this event%s%s",
			req->name, (*m)->name, note ? ": " : "", note ? note : "");
	s->class = row->simclass == SIM_ESTIMATED ? CPC_ESTIMATED : CPC_SIMULATED;
	return 0;
}

/*
 * Encode one of the model's own names. An exact counter depends only on the instruction
 * stream and belongs to no machine; the others are counted on the generic machine, or on
 * the machine that this program itself runs on.
 */
static int encode_word(struct sim_machine *session, const struct engine_request *req,
		       struct evsel *s, const struct machine **m, struct why *why)
{
	const enum sim_counter c =
		sim_expression_word(req->name, (unsigned)strlen(req->name));

	if ((unsigned)c == SIM_NVOCAB)
		return why_refuse(why, ENOENT, "%s: the model has no such counter",
				  req->name);
	s->x.n = 1;
	s->x.term[0].minus = 0;
	s->x.term[0].counter = c;
	s->class = sim_vocab[c].class == SIM_ESTIMATED ? CPC_ESTIMATED : CPC_SIMULATED;
	if (sim_vocab[c].class == SIM_EXACT)
		return 0;
	*m = session->given ? session->model : find_machine(session, any_machine, why);
	return *m ? 0 : -1;
}

/* Refuse what no simulated event can have: system mode and attributes. */
static int check_request(const struct engine_request *req, struct why *why)
{
	if (req->flags & CPC_COUNT_SYSTEM)
		return why_refuse(
			why, ENOTSUP,
			"%s: the simulation sees user mode only, not the kernel",
			req->name);
	if (req->nattrs && req->tab && evtab_attr(req->tab, req->attrs[0].ca_name))
		return why_attributes(req, why);
	if (req->nattrs)
		return why_refuse(why, ENOTSUP,
				  "%s: the simulation cannot count with attribute '%s'; "
				  "leave it out",
				  req->name, req->attrs[0].ca_name);
	return 0;
}

/* Add an event to the session, which simulates one machine. */
static int join(struct sim_machine *session, const struct machine *m,
		const struct engine_request *req, struct evsel *s, struct why *why)
{
	if (session->users && m && m != session->model)
		return why_refuse(why, EINVAL,
				  "%s is simulated on the %s model, events before it on "
				  "the %s model; a run can use only one model",
				  req->name, m->name, session->model->name);
	if (m && !m->l3.size && sim_expression_wants_l3(&s->x))
		return why_refuse(why, ENOTSUP,
				  "%s: the %s model has no third cache level", req->name,
				  m->name);
	if (m)
		session->model = m;
	s->machine = session;
	s->of_machine = m != NULL;
	__atomic_add_fetch(&session->users, s->of_machine, __ATOMIC_RELAXED);
	return 0;
}

static const char *estimate_origin(const struct sim_expression *x)
{
	int scheduled = 0, costs = 0;

	for (unsigned i = 0; i < x->n; i++) {
		scheduled |= sim_expression_has_schedule(x->term[i].counter);
		costs |= x->term[i].counter >= SIM_NCOUNTERS &&
			 x->term[i].counter != CTR_EST_BASE;
	}
	if (!scheduled)
		return "a table of costs";
	return costs ? "a schedule of the code and a table of costs"
		     : "a schedule of the code";
}

static void make_note(const struct engine_request *req, const struct machine *m,
		      struct evsel *s)
{
	const char *note = simnote(req->row), *sep = note ? "; " : "";
	const enum simclass class =
		req->row ? req->row->simclass : sim_vocab[s->x.term[0].counter].class;
	char model[64] = "the model";

	if (m)
		snprintf(model, sizeof model, "the %s model", m->name);
	if (!note)
		note = "";
	if (class == SIM_ZERO)
		snprintf(s->note, sizeof s->note, "as 0, which it always is in %s%s%s",
			 model, sep, note);
	else if (class == SIM_ESTIMATED)
		snprintf(s->note, sizeof s->note, "by %s from %s%s%s", model,
			 estimate_origin(&s->x), sep, note);
	else
		snprintf(s->note, sizeof s->note, "by %s: %s%s%s", model,
			 class == SIM_EXACT ? "exact" : "modelled", sep, note);
}

struct evsel *sim_encode(struct sim_machine *session, const struct engine_request *req,
			 struct why *why)
{
	struct evsel *s = calloc(1, sizeof *s);
	const struct machine *m = NULL;

	if (!s) {
		why_refuse(why, ENOMEM, "%s: %s", req->name, strerror(ENOMEM));
		return NULL;
	}
	if ((req->row ? encode_row(session, req, s, &m, why)
		      : encode_word(session, req, s, &m, why)) == -1 ||
	    check_request(req, why) == -1)
		goto fail;
	if (join(session, m, req, s, why) == -1)
		goto fail;
	s->modes = req->flags & (CPC_COUNT_USER | CPC_COUNT_SYSTEM);
	make_note(req, m, s);
	return s;
fail:;
	const int e = errno;
	free(s);
	errno = e;
	return NULL;
}

void sim_encode_drop(struct evsel *s)
{
	if (!s)
		return;
	/* LWPs drop evsels without holding the session's lock. */
	__atomic_sub_fetch(&s->machine->users, s->of_machine, __ATOMIC_RELAXED);
	free(s);
}

/* Write an expression in the form of column sim= of the tables. */
static void write_expression(const struct sim_expression *x, char *buf, size_t size)
{
	snprintf(buf, size, "%s", x->n ? "" : "0");
	for (unsigned i = 0; i < x->n; i++)
		say_add(buf, size, "%s%s",
			x->term[i].minus ? "-"
			: i		 ? "+"
					 : "",
			sim_vocab[x->term[i].counter].name);
}

void sim_explain(const struct evsel *s, void *arg,
		 void (*fn)(void *arg, const struct engine_part *p))
{
	char text[512];
	const struct engine_part part = {.name = "model", .from = text};

	write_expression(&s->x, text, sizeof text);
	fn(arg, &part);
}

/* Source: events/sim.vocab: what is no counter of the model is an estimate of cycles. */
enum source sim_encode_source(const struct evsel *s)
{
	for (unsigned i = 0; i < s->x.n; i++)
		if (s->x.term[i].counter >= SIM_NCOUNTERS)
			return SOURCE_COSTS;
	return SOURCE_COUNTER;
}
