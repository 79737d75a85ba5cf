#include "engine/kernel/event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernel/bind.h"
#include "engine/kernel/breakpoint.h"
#include "engine/kernel/doctor.h"
#include "engine/kernel/explain.h"
#include "engine/kernel/lifetimes.h"
#include "engine/kernel/modes.h"
#include "engine/kernel/own.h"
#include "engine/kernel/pfm.h"
#include "engine/kernel/sampling.h"
#include "engine/kernel/select.h"
#include "engine/kernel/tracepoint.h"
#include "engine/kernel/tsc.h"
#include "engine/why.h"
#include "table/table.h"

/*
 * The most events of a set: those that one read(2) gets, and an LWP has a descriptor for
 * each of them. The most that give records: each has a ring of its own.
 */
enum { NPIC = KERNEL_GROUP_PARTS, SMPL_NPIC = 32 };

struct engine {
	struct kernel_host host;
	struct tsc tsc;
	uint64_t serials; /* the last serial of an evsel */
	char cciname[256];
	char **attrs;
	int tracing_works[2]; /* a tracepoint was opened: on the caller, on a CPU */
};

/*
 * A user who may open one tracepoint may open all. Opening each is too slow for a list of
 * thousands: the kernel takes tens of ms to close the last user of a tracepoint.
 */
static int probe(struct engine *e, const struct evsel *s, int cpus, struct why *why)
{
	const int trace = s->ev[0].type == PERF_TYPE_TRACEPOINT;

	if (trace && e->tracing_works[!!cpus])
		return 0;
	const int rc = cpus ? kernel_bind_try_cpus(&e->host, s, why)
			    : kernel_bind_try(&e->host, s, &(struct target){0}, why);
	if (trace && rc == 0)
		e->tracing_works[!!cpus] = 1;
	return rc;
}

static struct group *bind_list(struct engine *e, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why)
{
	return kernel_bind_open(&e->host, t, sel, n, why);
}

static uint64_t rate(struct engine *e)
{
	uint64_t hz = tsc_rate(&e->tsc);

	if (!hz) {
		hz = tsc_kernel_hz(&e->host.env);
		if (hz)
			tsc_set(&e->tsc, hz);
	}
	return hz ? hz : tsc_wait(&e->tsc);
}

static uint64_t cycles(struct engine *e, uint64_t ns)
{
	return ns ? tsc_cycles(rate(e), ns) : 0;
}

struct engine *kernel_open(const struct kernel_env *env, struct why *why)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e) {
		why_refuse(why, ENOMEM, "kernel engine: %s", strerror(ENOMEM));
		return NULL;
	}
	kernel_host_init(&e->host, env);
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
	kernel_host_free(&e->host);
	kernel_sysfs_free(e->attrs);
	free(e);
}

static const char *cciname(struct engine *e)
{
	char pmu[160];

	if (*e->cciname)
		return e->cciname;
	if (!kernel_host_has_counters(&e->host)) {
		strcpy(e->cciname, "Linux perf_event (no hardware counters)");
		return e->cciname;
	}
	kernel_pfm_pmu(pmu, sizeof(pmu));
	if (!*pmu)
		snprintf(pmu, sizeof(pmu), "%s (not known to libpfm4)",
			 kernel_host_cores(&e->host) ? e->host.core[0].name
						     : "processor");
	snprintf(e->cciname, sizeof(e->cciname), "Linux perf_event, %s", pmu);
	return e->cciname;
}

static unsigned npic(struct engine *e)
{
	(void)e;
	return NPIC;
}

static int has_counters(struct engine *e)
{
	return kernel_host_has_counters(&e->host);
}

static int knows(struct engine *e, const char *name)
{
	return kernel_own_knows(e->host.env.root, name);
}

static void walk(struct engine *e, const struct engine_walk *w)
{
	if ((w->kinds & ENGINE_EVENTS) && kernel_host_has_counters(&e->host))
		kernel_pfm_walk(w->arg, w->name);
	if (w->kinds & ENGINE_EVENTS)
		kernel_sysfs_walk(e->host.env.root, w);
	if (w->kinds & ENGINE_TRACEPOINTS)
		kernel_tracepoint_walk(e->host.env.root, w);
}

static void doctor(struct engine *e, void *arg,
		   void (*report)(void *arg, enum finding finding, const char *what,
				  const char *text))
{
	kernel_doctor_all(&e->host.env, kernel_host_has_counters(&e->host), arg, report);
}

static const char *const *attrs(struct engine *e)
{
	static const char *const none[] = {NULL};

	if (!e->attrs)
		e->attrs = kernel_sysfs_fields(
			e->host.env.root,
			kernel_host_cores(&e->host) ? e->host.core[0].name : NULL);
	return e->attrs ? (const char *const *)e->attrs : none;
}

/*
 * The kernel opens breakpoints also where they never count. Returns 0; or -1 with ENOENT
 * and *why if it does so on this machine.
 */
static int stops(struct engine *e, const struct evsel *s, struct why *why)
{
	const struct kernel_failure f = {.ev = &s->ev[0]};

	if (kernel_breakpoint_stops(&e->host.env, s->ev[0].bp_type) != 0)
		return 0;
	errno = ENOENT;
	kernel_bind_refuse(&e->host, s, &f, &(struct target){0}, s->n, why);
	return -1;
}

/* An event that cannot count LWPs takes the same modes on a CPU: it is tried there. */
static int opens(void *arg, const struct evsel *s, struct why *why)
{
	struct engine *e = arg;
	struct target t = {0};

	if (s->ev[0].type == PERF_TYPE_BREAKPOINT)
		return stops(e, s, why);
	if (kernel_pmu_is_percpu(&e->host.pmus, e->host.env.root,
				 kernel_pmu_of(&s->ev[0]), &t.cpu))
		t.tid = -1;
	return kernel_bind_try(&e->host, s, &t, why);
}

/* Looking up the cores takes time; software events and breakpoints do not need them. */
static int may_need_cores(const struct engine_request *req)
{
	if (req->row)
		return !evtab_col(req->row, "sw");
	return strncmp(req->name, "mem:", 4) != 0;
}

static struct select_env env_of(struct engine *e, int need_cores)
{
	const unsigned ncores = need_cores ? kernel_host_cores(&e->host) : 0;

	return (struct select_env){.root = e->host.env.root,
				   .ncores = ncores,
				   .core = e->host.core,
				   .arg = e,
				   .opens = opens};
}

static struct evsel *with_serial(struct engine *e, struct evsel *s)
{
	if (s)
		s->serial = ++e->serials;
	return s;
}

static struct evsel *encode(struct engine *e, const struct engine_request *req,
			    struct why *why)
{
	const struct select_env env = env_of(e, may_need_cores(req));

	return with_serial(e, kernel_select(&env, req, why));
}

static struct evsel *draft(struct engine *e, const struct engine_request *req,
			   struct why *why)
{
	return kernel_explain_draft(e->host.env.root, e->host.core,
				    kernel_host_cores(&e->host), req, why);
}

static struct evsel *smpl_encode(struct engine *e, const struct engine_request *req,
				 unsigned latency, struct why *why)
{
	const struct select_env env = env_of(e, may_need_cores(req));

	return with_serial(e, kernel_sampling_encode(&env, req, latency, why));
}

static uint64_t smpl_probe(struct engine *e, const struct evsel *s, struct why *why)
{
	const struct select_env env = env_of(e, 1);
	struct kernel_failure f;
	const uint64_t items = kernel_sampling_probe(&e->host.env, &env, s, &f, why);

	if (!items && !*why->text)
		kernel_bind_refuse(&e->host, s, &f, &(struct target){0}, s->n, why);
	return items;
}

static struct smpl_source *smpl_open(struct engine *e, const struct evsel *s,
				     const struct engine_sampling *how, struct why *why)
{
	const struct select_env env = env_of(e, 1);
	struct kernel_failure f;
	struct smpl_source *src =
		kernel_sampling_open(&e->host.env, &env, s, how, &f, why);

	if (!src && !*why->text)
		kernel_bind_refuse(&e->host, s, &f, &(struct target){0}, s->n, why);
	return src;
}

/* Sampling works on this machine if task-clock, which every kernel has, gives records. */
static unsigned smpl_npic(struct engine *e)
{
	const struct engine_request req = {.name = "task-clock", .flags = CPC_COUNT_USER};
	struct why why;
	struct evsel *s = encode(e, &req, &why);
	const int works = s && smpl_probe(e, s, &why);

	kernel_evsel_free(s);
	return works ? SMPL_NPIC : 0;
}

static enum source source_of(const struct evsel *s)
{
	return kernel_event_source(&s->ev[0]);
}

static cpc_class_t class_of(const struct evsel *s)
{
	return s->class;
}

static const char *lacking(const struct evsel *s)
{
	return s->lacking;
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

static struct lifetimes *open_lifetimes(struct engine *e, const struct engine_tree *tree,
					const struct evsel *const *sel, unsigned n,
					struct why *why)
{
	return kernel_lifetimes_open(&e->host, tree->holder, sel, n, why);
}

static struct lifetimes *open_programs(struct engine *e, const struct engine_tree *tree,
				       const struct evsel *const *sel, unsigned n,
				       struct why *why)
{
	return kernel_programs_open(&e->host, tree, sel, n, why);
}

static const struct engine_lifetimes lifetimes = {
	.open = open_lifetimes,
	.close = kernel_lifetimes_close,
	.read = kernel_lifetimes_read,
	.total = kernel_lifetimes_total,
	.lost = kernel_lifetimes_lost,
};

static const struct engine_lifetimes bpf_lifetimes = {
	.check = kernel_programs_check,
	.open = open_programs,
	.close = kernel_programs_close,
	.read = kernel_programs_read,
	.living = kernel_programs_living,
	.total = kernel_programs_total,
	.lost = kernel_programs_lost,
	.why_absent = kernel_programs_why_absent,
};

static const struct engine_words words = {
	.note = note,
	.modes = kernel_modes_of,
	.explain = kernel_explain,
	.draft = draft,
	.doctor = doctor,
};

const struct engine_ops engine_kernel = {
	.name = "kernel",
	.records = &records,
	.lifetimes = &lifetimes,
	.bpf_lifetimes = &bpf_lifetimes,
	.words = &words,
	.open = open_here,
	.close = close_session,
	.cciname = cciname,
	.npic = npic,
	.has_counters = has_counters,
	.knows = knows,
	.walk = walk,
	.attrs = attrs,
	.encode = encode,
	.drop = kernel_evsel_free,
	.lacking = lacking,
	.class = class_of,
	.source = source_of,
	.probe = probe,
	.bind = bind_list,
	.descriptors = kernel_group_parts,
	.read = kernel_bind_read,
	.read_all = kernel_group_read_all,
	.cycles = cycles,
	.unbind = kernel_bind_close,
	.place = kernel_breakpoint_place,
	.freeze = kernel_group_disable,
	.thaw = kernel_group_thaw,
	.owns = kernel_group_overflowed,
};
