#include "engine/sim/encode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/why.h"
#include "table/table.h"

/* What stands in where no event names a machine. */
static const char any_machine[] = "generic";

static const struct machine *find_machine(const char *name)
{
	for (unsigned i = 0; machines[i]; i++)
		if (strcmp(machines[i]->name, name) == 0)
			return machines[i];
	return NULL;
}

const struct machine *sim_machine(const struct sim_machine *m)
{
	return m->users ? m->model : find_machine(any_machine);
}

static const char *simnote(const struct event *row)
{
	const struct evcol *note = row ? evtab_col(row, "simnote") : NULL;

	return note && note->text ? note->text : NULL;
}

/* The expression of a row, and the machine that it is of. */
static int of_row(const struct engine_request *ask, struct evsel *s,
		  const struct machine **m, struct why *why)
{
	const struct event *row = ask->row;
	const char *model = ask->tab ? ask->tab->machine : NULL, *note = simnote(row);

	*m = model ? find_machine(model) : NULL;
	if (evtab_col(row, "sw"))
		return why_refuse(why, ENOTSUP,
				  "%s: the kernel's own events are not simulated; "
				  "--engine=kernel counts them",
				  ask->name);
	if (!*m)
		return why_refuse(why, ENOTSUP, "%s: there is no model of the %s",
				  ask->name, ask->tab ? ask->tab->title : "processor");
	if (!row->sim || sim_expression_parse(row->sim, &s->x) == -1)
		return why_refuse(why, ENOTSUP, "%s: the %s model cannot count it%s%s",
				  ask->name, (*m)->name, note ? ": " : "",
				  note ? note : "");
	s->class = row->simclass == SIM_ESTIMATED ? CPC_ESTIMATED : CPC_SIMULATED;
	return 0;
}

/*
 * One of the model's own names. What the instruction stream alone tells is the same on
 * all machines; the rest is of the one that stands in, whatever else is asked for.
 */
static int of_word(const struct sim_machine *session, const struct engine_request *ask,
		   struct evsel *s, const struct machine **m, struct why *why)
{
	const enum sim_counter c =
		sim_expression_word(ask->name, (unsigned)strlen(ask->name));

	if ((unsigned)c == SIM_NVOCAB)
		return why_refuse(why, ENOENT, "%s: the model has no such counter",
				  ask->name);
	s->x.n = 1;
	s->x.term[0].minus = 0;
	s->x.term[0].counter = c;
	s->class = sim_vocab[c].class == SIM_ESTIMATED ? CPC_ESTIMATED : CPC_SIMULATED;
	if (sim_vocab[c].class != SIM_EXACT)
		*m = session->given ? session->model : find_machine(any_machine);
	return 0;
}

/* What no event can ask for. */
static int check_ask(const struct engine_request *ask, struct why *why)
{
	if (ask->flags & CPC_COUNT_SYSTEM)
		return why_refuse(
			why, ENOTSUP,
			"%s: the simulation sees user mode only, not the kernel",
			ask->name);
	if (ask->nattrs && ask->tab && evtab_attr(ask->tab, ask->attrs[0].ca_name))
		return why_attributes(ask, why);
	if (ask->nattrs)
		return why_refuse(why, ENOTSUP,
				  "%s: the simulation counts events without attributes; "
				  "this one has %s",
				  ask->name, ask->attrs[0].ca_name);
	return 0;
}

/* One run is of one machine. */
static int join(struct sim_machine *session, const struct machine *m,
		const struct engine_request *ask, struct evsel *s, struct why *why)
{
	if (session->users && m && m != session->model)
		return why_refuse(why, EINVAL,
				  "%s is simulated on the %s model, events before it on "
				  "the %s model; one run has one model",
				  ask->name, m->name, session->model->name);
	if (m && !m->l3.size && sim_expression_wants_l3(&s->x))
		return why_refuse(why, ENOTSUP,
				  "%s: the %s model has no third cache level", ask->name,
				  m->name);
	if (m)
		session->model = m;
	s->machine = session;
	s->of_machine = m != NULL;
	__atomic_add_fetch(&session->users, s->of_machine, __ATOMIC_RELAXED);
	return 0;
}

static void make_note(const struct engine_request *ask, const struct machine *m,
		      struct evsel *s)
{
	const char *note = simnote(ask->row), *sep = note ? "; " : "";
	const enum simclass class =
		ask->row ? ask->row->simclass : sim_vocab[s->x.term[0].counter].class;
	char model[64] = "the model";

	if (m)
		snprintf(model, sizeof model, "the %s model", m->name);
	if (!note)
		note = "";
	if (class == SIM_ZERO)
		snprintf(s->note, sizeof s->note, "as 0, which it always is in %s%s%s",
			 model, sep, note);
	else if (class == SIM_ESTIMATED)
		snprintf(s->note, sizeof s->note, "by %s from a table of costs%s%s",
			 model, sep, note);
	else
		snprintf(s->note, sizeof s->note, "by %s: %s%s%s", model,
			 class == SIM_EXACT ? "exact" : "modelled", sep, note);
}

struct evsel *sim_encode(struct sim_machine *session, const struct engine_request *ask,
			 struct why *why)
{
	struct evsel *s = calloc(1, sizeof *s);
	const struct machine *m = NULL;

	if (!s) {
		why_refuse(why, ENOMEM, "%s: %s", ask->name, strerror(ENOMEM));
		return NULL;
	}
	if ((ask->row ? of_row(ask, s, &m, why) : of_word(session, ask, s, &m, why)) ==
		    -1 ||
	    check_ask(ask, why) == -1)
		goto fail;
	if (join(session, m, ask, s, why) == -1)
		goto fail;
	make_note(ask, m, s);
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
	/* LWPs drop what they had without the session's lock. */
	__atomic_sub_fetch(&s->machine->users, s->of_machine, __ATOMIC_RELAXED);
	free(s);
}

/* As in column sim=. */
static void write_expression(const struct sim_expression *x, char *buf, size_t size)
{
	size_t len = 0;

	snprintf(buf, size, "0");
	for (unsigned i = 0; i < x->n && len < size; i++) {
		const char *sep = x->term[i].minus ? "-" : i ? "+" : "";
		const int n = snprintf(buf + len, size - len, "%s%s", sep,
				       sim_vocab[x->term[i].counter].name);

		len += n > 0 ? (size_t)n : 0;
	}
}

void sim_explain(const struct evsel *s, void *arg,
		 void (*fn)(void *arg, const struct engine_part *p))
{
	char text[512];
	const struct engine_part part = {.name = "model", .from = text};

	write_expression(&s->x, text, sizeof text);
	fn(arg, &part);
}
