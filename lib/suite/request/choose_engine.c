#include "suite/request/choose_engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpc/assign.h"
#include "cpc/cpc.h"
#include "cpc/session.h"

/* A session with the sets, or why there is none. */
struct trial {
	cpc_t *cpc;
	struct sets *sets;
	int error; /* errno, 0: it can count them */
	int bad;   /* a specification makes no sense to it; words are in err */
	char err[4096];
	struct withheld words;
};

/* The engine that was asked for by name, or NULL: any. */
static const char *wanted(const struct engine_choice *ask)
{
	const char *name = ask->engine ? ask->engine : getenv("CPC_ENGINE");

	if (name && *name && strcmp(name, "auto") != 0)
		return name;
	return engine_inside() ? "sim" : NULL;
}

/*
 * Can all of it be opened here? Want of descriptors is no reason to count otherwise: who
 * binds is told of it.
 */
static int probe_set(cpc_t *cpc, const cpc_set_t *set)
{
	struct why why;

	for (unsigned i = 0; i < set->reqs->ncounted; i++) {
		if (cpc->scope.ops->probe(cpc->scope.engine, set->reqs->sel[i], &why) ==
		    0)
			continue;
		if (errno == EMFILE || errno == ENFILE)
			return 0;
		cpc_report(cpc, "cpc_bind_pctx", CPC_REFUSED, "%s", why.text);
		return -1;
	}
	return 0;
}

/* What cannot be counted together is refused now, not when a program waits for it. */
static int check_set(cpc_t *cpc, cpc_set_t *set)
{
	if (!set->reqs->n || assign_counters(cpc, "cpc_bind_pctx", set) == 0)
		return 0;
	errno = ENOTSUP;
	return -1;
}

static int fill(struct trial *t, const struct engine_choice *ask, int probe)
{
	t->sets = sets_new(t->cpc);
	if (!t->sets)
		return -1;
	for (unsigned i = 0; i < ask->nspecs; i++) {
		if (sets_add(t->sets, ask->spec[i], t->err, sizeof t->err) == -1)
			return -1;
		if (check_set(t->cpc, t->sets->set[i].set) == -1)
			return -1;
		if (probe && probe_set(t->cpc, t->sets->set[i].set) == -1)
			return -1;
	}
	return 0;
}

/* What is simulated is so from its start. */
static int check_running(struct trial *t, const struct engine_choice *ask)
{
	if (!ask->running || t->cpc->scope.ops != &engine_sim)
		return 0;
	errno = ENOTSUP;
	cpc_report(t->cpc, "cpc_bind_pctx", CPC_REFUSED,
		   "a running process cannot be simulated; start it under %s",
		   program_invocation_short_name);
	return -1;
}

static void try_engine(struct trial *t, const struct engine_choice *ask,
		       const char *engine, int probe)
{
	*t = (struct trial){.cpc = cpc_open_cpu(CPC_VER_CURRENT, ask->cpu, engine)};
	if (!t->cpc) {
		t->error = errno;
		return;
	}
	t->cpc->withheld = &t->words;
	errno = 0;
	if (check_running(t, ask) == -1 || fill(t, ask, probe) == -1)
		t->error = errno ? errno : EINVAL;
	t->bad = t->error == EINVAL && *t->err;
	t->cpc->withheld = NULL;
}

static void end_trial(struct trial *t)
{
	sets_free(t->sets);
	cpc_close(t->cpc);
	t->sets = NULL;
	t->cpc = NULL;
}

/* Words to the command's handler; prefix: whose they are, if two have some. */
static void say_words(struct trial *t, cpc_errhndlr_t *say, const char *prefix)
{
	if (!t->cpc || !t->words.fn)
		return;
	t->cpc->errhndlr = say;
	cpc_report(t->cpc, t->words.fn, t->words.subcode, "%s%s", prefix, t->words.text);
}

/* 0: it can count; it is the caller's from now on. */
static int give(struct trial *t, cpc_errhndlr_t *say, cpc_t **cpc, struct sets **sets)
{
	t->cpc->errhndlr = say;
	*cpc = t->cpc;
	*sets = t->sets;
	return 0;
}

/*
 * Neither can. Who does not even know a name has less to say than who does; if neither
 * does, what the kernel's side knows is likelier to be meant.
 */
static int explain(struct trial *kernel, struct trial *sim, cpc_errhndlr_t *say,
		   char *err, size_t size)
{
	struct trial *first = kernel->bad && !sim->bad && sim->words.fn ? sim : kernel;
	const int e = first->error;

	snprintf(err, size, "%s", first->err);
	say_words(first, say, "");
	if (first == kernel && !kernel->bad && !sim->bad &&
	    strcmp(kernel->words.text, sim->words.text) != 0)
		say_words(sim, say, "nor by simulation: ");
	end_trial(kernel);
	end_trial(sim);
	errno = e;
	return -1;
}

static int unknown(const struct engine_choice *ask, const char *engine, char *err,
		   size_t size)
{
	if (ask->cpu && !evtab_find(ask->cpu))
		snprintf(err, size, "there is no event table '%s'", ask->cpu);
	else
		snprintf(err, size,
			 "there is no engine '%s'; there are: auto, kernel, sim", engine);
	errno = ENODEV;
	return -1;
}

int choose_engine(const struct engine_choice *ask, cpc_errhndlr_t *say, cpc_t **cpc,
		  struct sets **sets, char *err, size_t size)
{
	const char *engine = wanted(ask);
	struct trial t[2];

	err[0] = '\0';
	try_engine(&t[0], ask, engine ? engine : "kernel",
		   !engine || strcmp(engine, "sim") == 0);
	if (!t[0].error)
		return give(&t[0], say, cpc, sets);
	if (!t[0].cpc && t[0].error == EINVAL)
		return unknown(ask, engine, err, size);
	if (engine) {
		t[1] = (struct trial){.bad = 1};
		return explain(&t[0], &t[1], say, err, size);
	}
	try_engine(&t[1], ask, "sim", 1);
	if (!t[1].error) {
		end_trial(&t[0]);
		return give(&t[1], say, cpc, sets);
	}
	return explain(&t[0], &t[1], say, err, size);
}
