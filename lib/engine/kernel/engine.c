#include "engine/kernel/engine.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/kernel/clock.h"
#include "engine/kernel/cpus.h"
#include "engine/kernel/doctor.h"
#include "engine/kernel/explain.h"
#include "engine/kernel/group.h"
#include "engine/kernel/machine.h"
#include "engine/kernel/own.h"
#include "engine/kernel/pfm.h"
#include "engine/kernel/plan.h"
#include "engine/kernel/rdpmc.h"
#include "engine/kernel/refusal.h"
#include "engine/kernel/sampling.h"
#include "engine/kernel/select.h"
#include "engine/kernel/sysfs.h"
#include "engine/kernel/tracepoint.h"
#include "engine/kernel/tsc.h"
#include "engine/why.h"
#include "table/table.h"

enum { NPIC = 32, NOT_LOOKED = -1 }; /* as many counters as a printed row bears well */

struct engine {
	struct kernel_env env;
	struct tsc tsc;
	uint64_t serials; /* given to evsels so far */
	int hardware;	  /* are there hardware counters? Or NOT_LOOKED */
	int ncores;	  /* or NOT_LOOKED */
	struct kernel_core core[KERNEL_SYSFS_CORES];
	char cciname[256];
	char **attrs;
	struct kernel_plans plans;
	struct kernel_pmus pmus;
	int traced; /* a tracepoint was opened */
};

static const struct kernel_open_how try_out = {.format = PERF_FORMAT_TOTAL_TIME_ENABLED |
							 PERF_FORMAT_TOTAL_TIME_RUNNING};

static unsigned cores(struct engine *e)
{
	if (e->ncores == NOT_LOOKED)
		e->ncores = (int)kernel_sysfs_cores(e->env.root, e->core);
	return (unsigned)e->ncores;
}

/* Keeps errno. */
static void refuse(struct engine *e, const struct evsel *s,
		   const struct kernel_failure *f, const struct target *t, unsigned parts,
		   struct why *why)
{
	const int err = errno;
	struct kernel_refusal r = {
		.err = err,
		.name = s->name,
		.ev = *f->ev,
		.fds_need = parts,
		.tid = t->tid,
		.cpu = t->cpu,
		.no_cpu = t->tid == -1 && !kernel_machine_has_cpu(e->env.root, t->cpu),
		.together = s->together,
		.kernel_only = s->kernel_only,
		.no_interrupt = f->no_interrupt,
		.cpus = f->others ? cpulist_text(f->others) : NULL,
	};
	struct kernel_machine m;
	int first;

	if (kernel_pmu_is_percpu(&e->pmus, e->env.root, kernel_pmu_of(f->ev), &first))
		r.ev.percpu = 1;
	kernel_machine_look(e->env.root, &m);
	m.core_pmu = cores(e) > 0;
	kernel_refusal_text(&r, &m, why);
	free(r.cpus);
	errno = r.err;
}

static int try_on(struct engine *e, const struct evsel *s, const struct target *t,
		  struct why *why)
{
	const struct kernel_open_how m = {
		.tid = t->tid, .cpu = t->cpu, .format = try_out.format};
	struct kernel_failure f = {.ev = &s->ev[0]};
	struct group *g = kernel_group_open(&e->env, &m, &s, 1, NULL, &f);

	if (!g) {
		refuse(e, s, &f, t, s->n, why);
		return -1;
	}
	kernel_group_close(g);
	return 0;
}

/*
 * Who may open one tracepoint may open all; closing the last user of one takes the kernel
 * tens of ms, and there are thousands to be listed.
 */
static int probe(struct engine *e, const struct evsel *s, struct why *why)
{
	const int trace = s->ev[0].type == PERF_TYPE_TRACEPOINT;

	if (trace && e->traced)
		return 0;
	const int rc = try_on(e, s, &(struct target){0}, why);
	if (trace && rc == 0)
		e->traced = 1;
	return rc;
}

static void unbind(struct group *g)
{
	if (g)
		kernel_rdpmc_close(g->user);
	kernel_group_close(g);
}

/* Sysfs says that a CPU has none of the events: why, if the CPU is there at all. */
static void refuse_cpu(struct engine *e, const struct evsel *s, const struct target *t,
		       const struct kernel_cpus *l, struct why *why)
{
	const struct kernel_failure f = {.ev = &s->ev[0], .others = &l->others};

	errno = !kernel_machine_has_cpu(e->env.root, t->cpu)	 ? EINVAL
		: !kernel_machine_is_online(e->env.root, t->cpu) ? ENODEV
								 : ENOENT;
	refuse(e, s, &f, t, 0, why);
}

/* Which parts a CPU lacks, into m. -1: all of them, or it cannot be told; *why says so. */
static int look_at_cpu(struct engine *e, const struct target *t, struct kernel_cpus *l,
		       const struct evsel *const *sel, unsigned n,
		       struct kernel_open_how *m, struct why *why)
{
	*l = (struct kernel_cpus){.parts = kernel_group_parts(sel, n)};
	if (t->tid != -1)
		return 0;
	if (kernel_cpus_look(l, &e->pmus, e->env.root, t->cpu, sel, n)) {
		const struct kernel_failure f = {.ev = &sel[0]->ev[0]};
		refuse(e, sel[0], &f, t, kernel_group_parts(sel, n), why);
		return -1;
	}
	m->lacks = l->part;
	if (l->there)
		return 0;
	refuse_cpu(e, sel[0], t, l, why);
	return -1;
}

/*
 * Only the leader of a group is opened disabled and enabled when all are there: each
 * event that is opened enabled would cost an interrupt of the processor that the LWP is
 * on.
 */
static struct group *open_list(struct engine *e, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct kernel_open_how *m, struct kernel_failure *f)
{
	const unsigned hardware = kernel_plan_hardware(sel, n);
	const int hybrid = hardware > 1 && cores(e) > 1;
	const int user =
		t->tid == 0 && !t->tree && hardware == kernel_group_parts(sel, n);

	if (user)
		kernel_rdpmc_ask(e->env.root, e->core, cores(e), m);
	struct group *g = kernel_plan_open(&e->env, &e->plans, hybrid, m, sel, n, f);
	if (!g && m->config1) {
		/* A counter of 64 bits cannot be had so (arm64, EOPNOTSUPP). */
		m->config1 = 0;
		g = kernel_plan_open(&e->env, &e->plans, hybrid, m, sel, n, f);
	}
	if (g && user)
		g->user = kernel_rdpmc_open(g);
	if (g && !t->on_exec && kernel_group_enable(g)) {
		*f = (struct kernel_failure){.ev = &sel[0]->ev[0]};
		unbind(g);
		g = NULL;
	}
	return g;
}

static struct group *bind_list(struct engine *e, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why)
{
	struct kernel_open_how m = {.tid = t->tid,
				    .cpu = t->cpu,
				    .inherit = t->tree,
				    .on_exec = t->on_exec,
				    .after = t->after,
				    .signo = t->signo,
				    .format = try_out.format | PERF_FORMAT_GROUP};
	const unsigned parts = kernel_group_parts(sel, n);
	struct group *g = NULL;
	struct kernel_failure f;
	struct kernel_cpus lack;

	if (!n || parts > KERNEL_GROUP_PARTS) {
		why_refuse(why, n ? E2BIG : EINVAL,
			   "%u events: the kernel engine binds 1 to %d", parts,
			   KERNEL_GROUP_PARTS);
		return NULL;
	}
	if (look_at_cpu(e, t, &lack, sel, n, &m, why) == 0) {
		g = open_list(e, t, sel, n, &m, &f);
		if (!g)
			refuse(e, sel[f.sel], &f, t, lack.parts, why);
	}
	kernel_cpus_free(&lack);
	return g;
}

static uint64_t rate(struct engine *e)
{
	uint64_t hz = tsc_rate(&e->tsc);

	if (!hz) {
		hz = kernel_clock_hz(&e->env);
		if (hz)
			tsc_set(&e->tsc, hz);
	}
	return hz ? hz : tsc_wait(&e->tsc);
}

static uint64_t cycles(struct engine *e, uint64_t ns)
{
	return ns ? tsc_cycles(rate(e), ns) : 0;
}

static int read_all(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	if ((!g->user || kernel_rdpmc_read(g->user, g, val, on)) &&
	    kernel_group_read_all(g, val, on))
		return -1;
	/* Parts on several kinds of cores, summed. */
	for (unsigned i = 0; g->ngroups > 1 && i < g->nsel; i++)
		if (val[i].running > val[i].enabled)
			val[i].running = val[i].enabled;
	*ns = clock_ns();
	return 0;
}

struct engine *kernel_open(const struct kernel_env *env, struct why *why)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e) {
		why_refuse(why, ENOMEM, "kernel engine: %s", strerror(ENOMEM));
		return NULL;
	}
	e->env = *env;
	e->hardware = e->ncores = NOT_LOOKED;
	tsc_start(&e->tsc);
	return e;
}

static struct engine *open_here(struct why *why)
{
	return kernel_open(&kernel_env_host, why);
}

static void close_session(struct engine *e)
{
	if (!e)
		return;
	kernel_plan_free(&e->plans);
	kernel_pmu_free(&e->pmus);
	kernel_sysfs_free(e->attrs);
	free(e);
}

/* The kernel's word counts: a PMU that is named somewhere may still not be there. */
static int has_hardware(struct engine *e)
{
	const struct kernel_event cycles = {.type = PERF_TYPE_HARDWARE,
					    .config = {PERF_COUNT_HW_CPU_CYCLES},
					    .exclude_kernel = 1,
					    .exclude_hv = 1};

	if (e->hardware == NOT_LOOKED) {
		const int fd = kernel_group_event(&e->env, &cycles, &try_out, -1);
		e->hardware = fd >= 0 || (errno != ENOENT && cores(e) > 0);
		if (fd >= 0)
			close(fd);
	}
	return e->hardware;
}

static const char *cciname(struct engine *e)
{
	char pmu[160];

	if (*e->cciname)
		return e->cciname;
	if (!has_hardware(e)) {
		strcpy(e->cciname, "Linux perf_event (no hardware counters)");
		return e->cciname;
	}
	kernel_pfm_pmu(pmu, sizeof(pmu));
	if (!*pmu)
		snprintf(pmu, sizeof(pmu), "%s (not known to libpfm4)",
			 cores(e) ? e->core[0].name : "processor");
	snprintf(e->cciname, sizeof(e->cciname), "Linux perf_event, %s", pmu);
	return e->cciname;
}

static unsigned npic(struct engine *e)
{
	(void)e;
	return NPIC;
}

static int knows(struct engine *e, const char *name)
{
	return kernel_own_knows(e->env.root, name);
}

static void walk(struct engine *e, void *arg,
		 void (*fn)(void *arg, const char *name, const char *title))
{
	if (has_hardware(e))
		kernel_pfm_walk(arg, fn);
	kernel_sysfs_walk(e->env.root, arg, fn);
	kernel_tracepoint_walk(e->env.root, arg, fn);
}

static void doctor(struct engine *e, void *arg,
		   void (*say)(void *arg, enum finding finding, const char *what,
			       const char *text))
{
	kernel_doctor_all(&e->env, has_hardware(e), arg, say);
}

static const char *const *attrs(struct engine *e)
{
	static const char *const none[] = {NULL};

	if (!e->attrs)
		e->attrs = kernel_sysfs_fields(e->env.root,
					       cores(e) ? e->core[0].name : NULL);
	return e->attrs ? (const char *const *)e->attrs : none;
}

/* What no LWP can be counted by is tried on a CPU: the modes it takes are the same. */
static int opens(void *arg, const struct evsel *s, struct why *why)
{
	struct engine *e = arg;
	struct target t = {0};

	if (kernel_pmu_is_percpu(&e->pmus, e->env.root, kernel_pmu_of(&s->ev[0]), &t.cpu))
		t.tid = -1;
	return try_on(e, s, &t, why);
}

/* Software events and breakpoints do not need a look at the cores, which takes time. */
static int may_take_core(const struct engine_request *ask)
{
	if (ask->row)
		return !evtab_col(ask->row, "sw");
	return strncmp(ask->name, "mem:", 4) != 0;
}

static struct select_env place_of(struct engine *e, unsigned ncores)
{
	return (struct select_env){.root = e->env.root,
				   .ncores = ncores,
				   .core = e->core,
				   .arg = e,
				   .opens = opens};
}

static struct evsel *numbered(struct engine *e, struct evsel *s)
{
	if (s)
		s->serial = ++e->serials;
	return s;
}

static struct evsel *encode(struct engine *e, const struct engine_request *ask,
			    struct why *why)
{
	const struct select_env place = place_of(e, may_take_core(ask) ? cores(e) : 0);

	return numbered(e, kernel_select(&place, ask, why));
}

static struct evsel *draft(struct engine *e, const struct engine_request *ask,
			   struct why *why)
{
	return kernel_explain_draft(e->env.root, e->core, cores(e), ask, why);
}

static struct evsel *smpl_encode(struct engine *e, const struct engine_request *ask,
				 unsigned latency, struct why *why)
{
	const struct select_env place = place_of(e, may_take_core(ask) ? cores(e) : 0);

	return numbered(e, kernel_sampling_encode(&place, ask, latency, why));
}

static uint64_t smpl_probe(struct engine *e, const struct evsel *s, struct why *why)
{
	const struct select_env place = place_of(e, cores(e));
	struct kernel_failure f;
	const uint64_t items = kernel_sampling_probe(&e->env, &place, s, &f, why);

	if (!items && !*why->text)
		refuse(e, s, &f, &(struct target){0}, s->n, why);
	return items;
}

static struct smpl_source *smpl_open(struct engine *e, const struct evsel *s,
				     const struct engine_sampling *ask, struct why *why)
{
	const struct select_env place = place_of(e, cores(e));
	struct kernel_failure f;
	struct smpl_source *src = kernel_sampling_open(&e->env, &place, s, ask, &f, why);

	if (!src && !*why->text)
		refuse(e, s, &f, &(struct target){0}, s->n, why);
	return src;
}

/* Where the clock of an LWP gives records, there is sampling. */
static unsigned smpl_npic(struct engine *e)
{
	const struct engine_request ask = {.name = "task-clock", .flags = CPC_COUNT_USER};
	struct why why;
	struct evsel *s = encode(e, &ask, &why);
	const int works = s && smpl_probe(e, s, &why);

	kernel_evsel_free(s);
	return works ? NPIC : 0;
}

static cpc_class_t class_of(const struct evsel *s)
{
	return s->class;
}

static const char *note(const struct evsel *s)
{
	return s->note;
}

static const struct engine_records records = {
	.iname = kernel_sampling_iname,
	.npic = smpl_npic,
	.encode = smpl_encode,
	.probe = smpl_probe,
	.open = smpl_open,
	.close = kernel_sampling_close,
	.freeze = kernel_sampling_freeze,
	.thaw = kernel_sampling_thaw,
	.period = kernel_sampling_period,
	.owns = kernel_sampling_owns,
	.read = kernel_sampling_read,
};

static const struct engine_words words = {
	.note = note,
	.explain = kernel_explain,
	.draft = draft,
	.doctor = doctor,
};

const struct engine_ops engine_kernel = {
	.name = "kernel",
	.records = &records,
	.words = &words,
	.open = open_here,
	.close = close_session,
	.cciname = cciname,
	.npic = npic,
	.knows = knows,
	.walk = walk,
	.attrs = attrs,
	.encode = encode,
	.drop = kernel_evsel_free,
	.class = class_of,
	.probe = probe,
	.bind = bind_list,
	.descriptors = kernel_group_parts,
	.read = read_all,
	.cycles = cycles,
	.unbind = unbind,
	.freeze = kernel_group_disable,
	.thaw = kernel_group_thaw,
	.owns = kernel_group_overflowed,
};
