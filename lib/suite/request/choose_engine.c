#include "suite/request/choose_engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <opencpc.h>
#include "base/text.h"
#include "cpc/assign.h"
#include "cpc/cpc.h"
#include "cpc/session.h"
#include "cpc/status.h"

/* The attempt to count with an engine: its session and sets, or its errors. */
struct trial {
	cpc_t *cpc;
	struct sets *sets;
	int error; /* 0 or errno */
	int bad;   /* the engine does not understand a specification; see err */
	char err[4096];
	struct withheld message; /* of the session's error handler */
};

const char *choose_engine_wanted(const struct engine_choice *choice)
{
	if (choice->engine && strcmp(choice->engine, "auto") != 0)
		return choice->engine;
	return engine_inside() || choice->reproducible ? "sim" : NULL;
}

/*
 * Test whether the engine can open all events of a set. Running out of descriptors does
 * not change the engine; binding the set will report it.
 */
static int probe_set(cpc_t *cpc, const cpc_set_t *set)
{
	struct why why;

	for (unsigned i = 0; i < set->reqs->ncounted; i++) {
		if (cpc->scope.ops->probe(cpc->scope.engine, set->reqs->sel[i], 0,
					  &why) == 0)
			continue;
		if (errno == EMFILE || errno == ENFILE)
			return 0;
		cpc_report(cpc, "cpc_bind_pctx", CPC_REFUSED, "%s", why.text);
		return -1;
	}
	return 0;
}

/* Refuse events that cannot be counted together now, before a program is started. */
static int check_set(cpc_t *cpc, cpc_set_t *set)
{
	if (assign_counters(cpc, "cpc_bind_pctx", set) == 0)
		return 0;
	errno = ENOTSUP;
	return -1;
}

/* Refuse a specification without an event, such as "" or "nouser". */
static int check_events(struct trial *t, const char *spec)
{
	char text[160];

	if (t->sets->member[t->sets->n - 1].show.n > 0)
		return 0;
	snprintf(text, sizeof text, "%s", spec);
	text_clean(text, "");
	snprintf(t->err, sizeof t->err, "the specification '%s' names no event", text);
	errno = EINVAL;
	return -1;
}

static int add_set(struct trial *t, const char *spec, unsigned set_flags, int probe)
{
	if (sets_add(t->sets, spec, t->err, sizeof t->err) == -1 ||
	    check_events(t, spec) == -1)
		return -1;
	cpc_set_t *set = t->sets->member[t->sets->n - 1].set;
	cpc_set_flags(t->cpc, set, set_flags);
	if (check_set(t->cpc, set) == -1)
		return -1;
	return probe ? probe_set(t->cpc, set) : 0;
}

/*
 * An event of an earlier specification cannot be counted, for errno and t->message. A
 * malformed specification from index i on is the better reason. Returns -1 with errno.
 */
static int find_malformed(struct trial *t, const struct engine_choice *choice, unsigned i)
{
	const struct withheld message = t->message;
	const int e = errno;

	for (; i < choice->nspecs && !*t->err; i++)
		if (sets_add(t->sets, choice->spec[i], t->err, sizeof t->err) == 0)
			check_events(t, choice->spec[i]);
	t->message = message;
	errno = *t->err ? EINVAL : e;
	return -1;
}

static int add_sets(struct trial *t, const struct engine_choice *choice, int probe)
{
	t->sets = sets_new(t->cpc);
	if (!t->sets)
		return -1;
	for (unsigned i = 0; i < choice->nspecs; i++)
		if (add_set(t, choice->spec[i], choice->set_flags, probe) == -1)
			return *t->err ? -1 : find_malformed(t, choice, i + 1);
	return 0;
}

/* A process can only be simulated from its start. */
static int check_running(struct trial *t, const struct engine_choice *choice)
{
	if (!choice->running || t->cpc->scope.ops != &engine_sim)
		return 0;
	errno = ENOTSUP;
	cpc_report(t->cpc, "cpc_bind_pctx", CPC_REFUSED,
		   "a running process cannot be simulated; start it under %s",
		   program_invocation_short_name);
	return -1;
}

/* Let the engine run the program the same everywhere, if that is wanted. */
static int make_reproducible(struct trial *t, const struct engine_choice *choice)
{
	const struct scope *s = &t->cpc->scope;
	struct why why = {
		"the kernel runs programs as they are; --engine=sim runs them the "
		"same everywhere"};

	if (!choice->reproducible)
		return 0;
	if (s->ops->reproduce &&
	    s->ops->reproduce(s->engine, choice->reproducible, &why) == 0)
		return 0;
	errno = ENOTSUP;
	cpc_report(t->cpc, "cpc_open_cpu", CPC_REFUSED, "--reproducible: %s", why.text);
	return -1;
}

/* The texts are long, and most trials write none of them. */
static void begin_trial(struct trial *t)
{
	t->cpc = NULL;
	t->sets = NULL;
	t->error = t->bad = 0;
	t->err[0] = t->message.text[0] = '\0';
	t->message.fn = NULL;
	t->message.subcode = 0;
}

static void try_session(struct trial *t, const struct engine_choice *choice, int probe)
{
	t->cpc->withheld = &t->message;
	t->cpc->places = choice->places;
	errno = 0;
	if (session_machine(t->cpc, &choice->machine) == -1 ||
	    make_reproducible(t, choice) == -1 || check_running(t, choice) == -1 ||
	    add_sets(t, choice, probe) == -1)
		t->error = errno ? errno : EINVAL;
	t->bad = t->error == EINVAL && *t->err;
	t->cpc->withheld = NULL;
}

/* Try an engine, in this session if that is not NULL. */
static void try_engine(struct trial *t, const struct engine_choice *choice,
		       const char *engine, cpc_t *session, int probe)
{
	begin_trial(t);
	t->cpc = session ? session : cpc_open_cpu(CPC_VER_CURRENT, choice->cpu, engine);
	if (t->cpc)
		try_session(t, choice, probe);
	else
		t->error = errno;
}

static void end_trial(struct trial *t)
{
	sets_free(t->sets);
	cpc_close(t->cpc);
	t->sets = NULL;
	t->cpc = NULL;
}

/* Pass the message of a failed trial on to the command's handler. */
static void pass_on(struct trial *t, cpc_errhndlr_t *handler, const char *prefix)
{
	if (!t->cpc || !t->message.fn)
		return;
	t->cpc->errhndlr = handler;
	cpc_report(t->cpc, t->message.fn, t->message.subcode, "%s%s", prefix,
		   t->message.text);
}

/* Hand the session and sets of a successful trial over to the caller. */
static int hand_over(struct trial *t, cpc_errhndlr_t *handler, cpc_t **cpc,
		     struct sets **sets)
{
	t->cpc->errhndlr = handler;
	*cpc = t->cpc;
	*sets = t->sets;
	return 0;
}

/* Has the trial failed because its engine does not know a name? */
static int lacks_name(const struct trial *t)
{
	return t->bad && t->sets && t->sets->unknown;
}

/*
 * Report that no engine can count the sets. An engine that does not know a name knows
 * less about the reason than one that does; if neither knows the name, the kernel's error
 * with its similar names is more likely to help. Other mistakes in a specification are
 * mistakes for every engine.
 */
static int report_failure(struct trial *kernel, struct trial *sim,
			  cpc_errhndlr_t *handler, char *err, size_t size)
{
	struct trial *first =
		lacks_name(kernel) && !sim->bad && sim->message.fn ? sim : kernel;
	const int e = first->error;

	snprintf(err, size, "%s", first->err);
	pass_on(first, handler, "");
	if (first == kernel && !kernel->bad && !sim->bad &&
	    strcmp(kernel->message.text, sim->message.text) != 0)
		pass_on(sim, handler, "the simulation cannot count either: ");
	end_trial(kernel);
	end_trial(sim);
	errno = e;
	return -1;
}

static int report_unknown(const struct engine_choice *choice, const char *engine,
			  char *err, size_t size)
{
	if (choice->cpu && !evtab_find(choice->cpu))
		snprintf(err, size, "no event table is named '%s'", choice->cpu);
	else
		snprintf(err, size,
			 "no engine is named '%s'; the engines are auto, kernel and sim",
			 engine);
	errno = ENODEV;
	return -1;
}

int choose_engine(const struct engine_choice *choice, cpc_errhndlr_t *handler,
		  cpc_t **cpc, struct sets **sets, char *err, size_t size)
{
	const char *engine = choose_engine_wanted(choice);
	struct trial t[2];

	err[0] = '\0';
	try_engine(&t[0], choice, engine ? engine : "kernel", choice->session,
		   !choice->tried && (!engine || strcmp(engine, "sim") == 0));
	if (!t[0].error)
		return hand_over(&t[0], handler, cpc, sets);
	if (!t[0].cpc && t[0].error == EINVAL)
		return report_unknown(choice, engine, err, size);
	/* If memory or descriptors ran out, the kernel may count the command later. */
	if (engine || status_is_shortage(t[0].error)) {
		begin_trial(&t[1]);
		t[1].bad = 1;
		return report_failure(&t[0], &t[1], handler, err, size);
	}
	try_engine(&t[1], choice, "sim", NULL, 1);
	if (!t[1].error) {
		end_trial(&t[0]);
		return hand_over(&t[1], handler, cpc, sets);
	}
	return report_failure(&t[0], &t[1], handler, err, size);
}
