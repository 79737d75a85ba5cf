/* The simulation engine: a model of a processor counts what a program executes. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "engine/engine.h"
#include "engine/machine.h"
#include "engine/sim/by_code.h"
#include "engine/sim/encode.h"
#include "engine/sim/group.h"
#include "engine/sim/inside.h"
#include "engine/sim/locate.h"
#include "engine/sim/run.h"
#include "engine/sim/sampling.h"
#include "engine/sim/software.h"
#include "engine/why.h"

/*
 * The most events of a set, as many as the kernel can count. Expressions over the model's
 * counters cost nothing while the program runs.
 */
enum { NPIC = ENGINE_MOST_PICS };

struct engine {
	struct sim_run run;
	struct sim_command command;
	struct sim_by_code by_code;
	char cciname[128], notice[1024], model[64];
};

int engine_inside(void)
{
	return sim_inside();
}

/* A simulated program can count only on its own machine. */
static int use_own_machine(struct sim_run *run)
{
	struct machine m;
	const int how = run->inside ? sim_inside_machine(&m) : 0;

	return how ? sim_machine_use(&run->machine, &m, how == 2) : 0;
}

static struct engine *open_session(struct why *why)
{
	struct engine *e = calloc(1, sizeof *e);

	if (!e) {
		why_refuse(why, ENOMEM, "simulation: %s", strerror(ENOMEM));
		return NULL;
	}
	e->run.pages.fd = -1;
	e->by_code.file.fd = -1;
	e->run.inside = sim_inside();
	if (use_own_machine(&e->run) == 0)
		return e;
	why_refuse(why, ENOMEM, "simulation: %s", strerror(ENOMEM));
	free(e);
	return NULL;
}

static void close_session(struct engine *e)
{
	if (!e)
		return;
	sim_run_free_command(&e->command);
	sim_by_code_close(&e->by_code);
	sim_software_close(&e->run.software);
	sim_pages_free(&e->run.pages);
	sim_machine_free(&e->run.machine);
	free(e);
}

static int use_machine(struct engine *e, const struct engine_machine *m, struct why *why)
{
	if (e->run.inside)
		return why_refuse(why, ENOTSUP,
				  "a simulated program cannot choose its machine; give "
				  "--machine and --set to the command that simulates it");
	e->run.machine.user = *m;
	if (!m->machine || sim_machine_use(&e->run.machine, m->machine, 1) == 0)
		return 0;
	return why_refuse(why, ENOMEM, "simulation: %s", strerror(ENOMEM));
}

static void beside(struct engine *e, const struct engine_ops *kernel)
{
	e->run.software.kernel = kernel;
}

/*
 * Describe a machine that the user chose or changed: "r10000 with l2.size=1M, hash ..."
 */
static void describe_choice(const struct engine *e, const struct machine *m, char *text,
			    size_t size)
{
	const struct engine_machine *user = &e->run.machine.user;

	snprintf(text, size, " (%.200s", user->name ? user->name : m->name);
	for (unsigned i = 0; i < user->nset; i++)
		say_add(text, size - 32, "%s%s", i ? ", " : " with ", user->set[i]);
	say_add(text, size, ", hash %016" PRIx64 ")", machine_hash(m));
}

static int is_users(const struct engine *e)
{
	return e->run.machine.user.name || e->run.machine.user.nset;
}

static const char *cciname(struct engine *e)
{
	snprintf(e->cciname, sizeof e->cciname, "Simulated %s",
		 e->run.machine.users ? sim_machine(&e->run.machine, NULL)->title
				      : "processor");
	return e->cciname;
}

static const char *notice(struct engine *e)
{
	const struct machine *m = sim_machine(&e->run.machine, NULL);

	const char *on = sim_run_level(&e->run);
	char choice[640] = "";

	if (m && is_users(e))
		describe_choice(e, m, choice, sizeof choice);
	snprintf(e->notice, sizeof e->notice,
		 "simulated: model of %s%s fed with the x86-64 instruction stream%s%s",
		 m ? m->title : "no machine", choice,
		 on ? ", reproducible on x86-64-" : "", on ? on : "");
	return e->notice;
}

static int reproduce(struct engine *e, const char *name, struct why *why)
{
	return sim_run_reproduce(&e->run, name, why);
}

static const char *level(struct engine *e)
{
	return sim_run_level(&e->run);
}

static const char *model(struct engine *e)
{
	const struct machine *m = sim_machine(&e->run.machine, NULL);

	if (m && is_users(e))
		snprintf(e->model, sizeof e->model, "%s:%016" PRIx64, m->name,
			 machine_hash(m));
	return !m ? NULL : is_users(e) ? e->model : m->name;
}

static unsigned npic(struct engine *e)
{
	(void)e;
	return NPIC;
}

static int knows(struct engine *e, const char *name)
{
	(void)e;
	return (unsigned)sim_expression_word(name, (unsigned)strlen(name)) < SIM_NVOCAB;
}

static void walk(struct engine *e, const struct engine_walk *w)
{
	(void)e;
	for (unsigned i = 0; (w->kinds & ENGINE_EVENTS) && i < SIM_NVOCAB; i++)
		w->name(w->arg, sim_vocab[i].name, sim_vocab[i].means);
}

static const char *const *attrs(struct engine *e)
{
	static const char *const none[] = {NULL};

	(void)e;
	return none;
}

static void doctor(struct engine *e, void *arg,
		   void (*report)(void *arg, enum finding finding, const char *what,
				  const char *text))
{
	char launcher[PATH_MAX];
	struct why why;

	if (e->run.inside)
		report(arg, FINDING_INFO, "simulator",
		       "this program runs under the simulator");
	else if (sim_locate(launcher, &why) == 0)
		report(arg, FINDING_OK, "simulator", launcher);
	else
		report(arg, FINDING_MISSING, "simulator", why.text);
}

static struct evsel *encode(struct engine *e, const struct engine_request *req,
			    struct why *why)
{
	return sim_software_takes(&e->run.software, req)
		       ? sim_software_encode(&e->run.software, req, why)
		       : sim_encode(&e->run.machine, req, why);
}

static void drop(struct evsel *s)
{
	if (s && s->counted)
		sim_software_drop(s);
	else
		sim_encode_drop(s);
}

static const char *lacking(const struct evsel *s)
{
	return s->counted ? s->kernel->lacking(s->counted) : NULL;
}

static unsigned modes_of(const struct evsel *s)
{
	return s->counted ? s->kernel->words->modes(s->counted) : s->modes;
}

static enum source source_of(const struct evsel *s)
{
	return s->counted ? s->kernel->source(s->counted) : sim_encode_source(s);
}

static void explain(const struct evsel *s, void *arg,
		    void (*fn)(void *arg, const struct engine_part *p))
{
	if (s->counted)
		s->kernel->words->explain(s->counted, arg, fn);
	else
		sim_explain(s, arg, fn);
}

static cpc_class_t class_of(const struct evsel *s)
{
	return s->class;
}

static const char *note(const struct evsel *s)
{
	return s->note;
}

/*
 * Every event that can be encoded can be counted if the simulator is installed, and, if
 * it is a software event, if the kernel counts it.
 */
static int probe(struct engine *e, const struct evsel *s, int cpus, struct why *why)
{
	char launcher[PATH_MAX];

	if (cpus)
		return why_refuse(why, ENOTSUP,
				  "the simulator counts programs, not CPUs");
	if (!sim_machine(&e->run.machine, why))
		return -1;
	if (!e->run.inside && sim_locate(launcher, why) == -1)
		return -1;
	return sim_software_probe(&e->run.software, s, why);
}

static char *const *command(struct engine *e, char *const *argv,
			    const struct evsel *const *sel, unsigned n, struct why *why)
{
	return sim_by_code_begin(&e->by_code, &e->run, sel, n, why) == 0 &&
			       sim_run_command(&e->run, &e->command, argv, sel, n, why) ==
				       0
		       ? e->command.argv
		       : NULL;
}

static void set_by_code(struct engine *e, int on)
{
	e->by_code.on = on;
}

static int read_by_code(struct engine *e, const struct evsel *const *sel, unsigned n,
			void *arg, int (*fn)(void *arg, const struct engine_image *image))
{
	return sim_by_code_read(&e->by_code, &e->run, sel, n, arg, fn);
}

static unsigned run_notes(struct engine *e, void *arg,
			  void (*fn)(void *arg, const char *text))
{
	return sim_run_notes(&e->run, arg, fn);
}

static int run_failed(struct engine *e)
{
	return sim_run_failed(&e->run);
}

static struct group *bind_list(struct engine *e, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why)
{
	return sim_group_bind(&e->run, t, sel, n, why);
}

/* Time is not simulated: on is a number of instructions, and so are the cycles. */
static uint64_t cycles(struct engine *e, uint64_t on)
{
	(void)e;
	return on;
}

static const char *smpl_iname(struct engine *e)
{
	(void)e;
	return "Simulated sampling";
}

/* Only a program that is itself simulated can take records. */
static unsigned smpl_npic(struct engine *e)
{
	return e->run.inside ? SIM_SAMPLES : 0;
}

static struct evsel *smpl_encode(struct engine *e, const struct engine_request *req,
				 unsigned latency, struct why *why)
{
	return sim_sampling_encode(&e->run, req, latency, why);
}

static uint64_t smpl_probe(struct engine *e, const struct evsel *s, struct why *why)
{
	return sim_sampling_probe(&e->run, s, why);
}

static struct smpl_source *smpl_open(struct engine *e, const struct evsel *s,
				     const struct engine_sampling *how, struct why *why)
{
	(void)e;
	return sim_sampling_open(s, how, why);
}

static const struct engine_records records = {
	.iname = smpl_iname,
	.npic = smpl_npic,
	.encode = smpl_encode,
	.probe = smpl_probe,
	.open = smpl_open,
	.close = sim_sampling_close,
	.freeze = sim_sampling_freeze,
	.thaw = sim_sampling_thaw,
	.period = sim_sampling_period,
	.owns = sim_sampling_owns,
	.read = sim_sampling_read,
};

static const struct engine_words words = {
	.note = note,
	.modes = modes_of,
	.explain = explain,
	.doctor = doctor,
	.run_notes = run_notes,
	.run_failed = run_failed,
	.notice = notice,
	.model = model,
	.level = level,
};

static const struct engine_by_code by_code = {.set = set_by_code, .read = read_by_code};

const struct engine_ops engine_sim = {
	.name = "sim",
	.by_code = &by_code,
	.records = &records,
	.words = &words,
	.open = open_session,
	.close = close_session,
	.machine = use_machine,
	.beside = beside,
	.cciname = cciname,
	.npic = npic,
	.knows = knows,
	.walk = walk,
	.attrs = attrs,
	.encode = encode,
	.drop = drop,
	.lacking = lacking,
	.class = class_of,
	.source = source_of,
	.probe = probe,
	.reproduce = reproduce,
	.command = command,
	.bind = bind_list,
	.descriptors = sim_software_descriptors,
	.read = sim_group_read,
	.cycles = cycles,
	.unbind = sim_group_unbind,
	.freeze = sim_group_freeze,
	.thaw = sim_group_thaw,
};
