#include "kernel.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "evtab.h"
#include "kernel_doctor.h"
#include "kernel_encode.h"
#include "kernel_group.h"
#include "kernel_machine.h"
#include "kernel_plan.h"
#include "kernel_select.h"
#include "kernel_smpl.h"
#include "kernel_sysfs.h"
#include "kernel_user.h"
#include "kernel_why.h"
#include "tsc.h"

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
};

static const struct kernel_manner try_out = {.format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						       PERF_FORMAT_TOTAL_TIME_RUNNING};

static int perf_event_open(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
			   unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, group_fd, flags);
}

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
	const struct kernel_refusal r = {
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
	};
	struct kernel_machine m;

	kernel_machine_look(e->env.root, &m);
	m.core_pmu = cores(e) > 0;
	kernel_why_text(&r, &m, why);
	errno = r.err;
}

static int probe(struct engine *e, const struct evsel *s, struct why *why)
{
	struct kernel_failure f;
	struct group *g = kernel_group_open(&e->env, &try_out, &s, 1, NULL, &f);

	if (!g) {
		refuse(e, s, &f, &(struct target){0}, s->n, why);
		return -1;
	}
	kernel_group_close(g);
	return 0;
}

static void unbind(struct group *g)
{
	if (g)
		kernel_user_close(g->user);
	kernel_group_close(g);
}

/*
 * Only the leader of a group is opened disabled and enabled when all are there: each
 * event that is opened enabled would cost an interrupt of the processor that the LWP is
 * on.
 */
static struct group *bind_list(struct engine *e, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why)
{
	struct kernel_manner m = {.tid = t->tid,
				  .cpu = t->cpu,
				  .inherit = t->tree,
				  .on_exec = t->on_exec,
				  .after = t->after,
				  .signo = t->signo,
				  .format = try_out.format | PERF_FORMAT_GROUP};
	const unsigned parts = kernel_group_parts(sel, n);
	const unsigned hardware = kernel_plan_hardware(sel, n);
	const int hybrid = hardware > 1 && cores(e) > 1;
	const int user = t->tid == 0 && !t->tree && hardware == parts;
	struct kernel_failure f;

	if (!n || parts > KERNEL_GROUP_PARTS) {
		kernel_why_say(why, n ? E2BIG : EINVAL,
			       "%u events: the kernel engine binds 1 to %d", parts,
			       KERNEL_GROUP_PARTS);
		return NULL;
	}
	if (user)
		kernel_user_ask(e->env.root, e->core, cores(e), &m);
	struct group *g = kernel_plan_open(&e->env, &e->plans, hybrid, &m, sel, n, &f);
	if (!g && m.config1) {
		/* A counter of 64 bits cannot be had so (arm64, EOPNOTSUPP). */
		m.config1 = 0;
		g = kernel_plan_open(&e->env, &e->plans, hybrid, &m, sel, n, &f);
	}
	if (g && user)
		g->user = kernel_user_open(g);
	if (g && !t->on_exec && kernel_group_enable(g)) {
		f = (struct kernel_failure){.ev = &sel[0]->ev[0]};
		unbind(g);
		g = NULL;
	}
	if (!g)
		refuse(e, sel[f.sel], &f, t, parts, why);
	return g;
}

/*
 * The kernel tells the rate in the page of any event, if its own clock runs by the same
 * counter.
 */
static uint64_t page_hz(struct engine *e)
{
	const struct kernel_event dummy = {.type = PERF_TYPE_SOFTWARE,
					   .config = {PERF_COUNT_SW_DUMMY},
					   .exclude_kernel = 1,
					   .exclude_hv = 1};
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t hz = 0;

	const int fd = kernel_group_event(&e->env, &dummy, &try_out, -1);
	if (fd < 0)
		return 0;
	const struct perf_event_mmap_page *p =
		mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED) {
		/*
		 * ns = cycles * time_mult >> time_shift; the event is off, nothing
		 * writes the page.
		 */
		if (p->cap_user_time && p->time_mult && p->time_shift < 34)
			hz = 1000000000ull * (1ull << p->time_shift) / p->time_mult;
		munmap((void *)p, size);
	}
	close(fd);
	return hz;
}

static uint64_t rate(struct engine *e)
{
	uint64_t hz = tsc_rate(&e->tsc);

	if (!hz) {
		hz = page_hz(e);
		if (hz)
			tsc_set(&e->tsc, hz);
	}
	return hz ? hz : tsc_wait(&e->tsc);
}

static uint64_t cycles(struct engine *e, uint64_t ns)
{
	return ns ? tsc_cycles(rate(e), ns) : 0;
}

/*
 * When a CPU goes offline, reads of what counts it succeed and give for ever what there
 * was (perf_event_open(2) is silent on it; seen on 6.1 and 6.12). While it is online the
 * time enabled moves between any two reads, whether or not there are counters to run on.
 */
static int is_frozen(struct group *g, uint64_t enabled)
{
	const uint64_t seen = g->seen;

	g->seen = enabled;
	return g->on_cpu && enabled == seen;
}

static int read_groups(struct group *g, struct count *val, uint64_t *on)
{
	uint64_t enabled;

	memset(val, 0, g->nsel * sizeof(*val));
	for (unsigned i = 0; i < g->ngroups; i++) {
		if (kernel_group_read(g, i, val, &enabled))
			return -1;
		if (i == 0)
			*on = enabled;
	}
	if (!is_frozen(g, *on))
		return 0;
	errno = ENODEV;
	return -1;
}

static int read_all(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	struct timespec ts;

	if ((!g->user || kernel_user_read(g->user, g, val, on)) &&
	    read_groups(g, val, on))
		return -1;
	/* Parts on several kinds of cores, summed. */
	for (unsigned i = 0; g->ngroups > 1 && i < g->nsel; i++)
		if (val[i].running > val[i].enabled)
			val[i].running = val[i].enabled;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	*ns = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
	return 0;
}

struct engine *kernel_open(const struct kernel_env *env, struct why *why)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e) {
		kernel_why_say(why, ENOMEM, "kernel engine: %s", strerror(ENOMEM));
		return NULL;
	}
	e->env = *env;
	e->hardware = e->ncores = NOT_LOOKED;
	tsc_start(&e->tsc);
	return e;
}

static struct engine *open_here(struct why *why)
{
	return kernel_open(&(struct kernel_env){"", perf_event_open}, why);
}

static void close_session(struct engine *e)
{
	if (!e)
		return;
	kernel_plan_free(&e->plans);
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
	kernel_encode_pmu(pmu, sizeof(pmu));
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
	(void)e;
	return kernel_select_knows(name);
}

static void walk(struct engine *e, void *arg,
		 void (*fn)(void *arg, const char *name, const char *title))
{
	if (has_hardware(e))
		kernel_encode_walk(arg, fn);
	kernel_sysfs_walk(e->env.root, arg, fn);
}

/* errno of counting an event on the caller, 0: it works. */
static int try_event(struct engine *e, const struct kernel_event *ev)
{
	const int fd = kernel_group_event(&e->env, ev, &try_out, -1);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void doctor(struct engine *e, void *arg,
		   void (*say)(void *arg, enum finding finding, const char *what,
			       const char *text))
{
	struct kernel_event ev = {.type = PERF_TYPE_SOFTWARE,
				  .config = {PERF_COUNT_SW_PAGE_FAULTS},
				  .exclude_kernel = 1,
				  .exclude_hv = 1};
	const struct kernel_event execution = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_X,
		.config = {0, (uintptr_t)try_event & ~UINT64_C(7), sizeof(long)},
		.exclude_kernel = 1,
		.exclude_hv = 1};
	struct kernel_checkup c = {.hardware = has_hardware(e)};
	char pmu[160] = "";

	kernel_machine_look(e->env.root, &c.machine);
	c.software = try_event(e, &ev);
	ev.exclude_kernel = ev.exclude_hv = 0;
	c.system = try_event(e, &ev);
	c.breakpoint = try_event(e, &execution);
	if (c.hardware)
		kernel_encode_pmu(pmu, sizeof(pmu));
	c.pmu = pmu;
	kernel_doctor(&c, arg, say);
}

static const char *const *attrs(struct engine *e)
{
	static const char *const none[] = {NULL};

	if (!e->attrs)
		e->attrs = kernel_sysfs_fields(e->env.root,
					       cores(e) ? e->core[0].name : NULL);
	return e->attrs ? (const char *const *)e->attrs : none;
}

static int opens(void *arg, const struct evsel *s, struct why *why)
{
	return probe(arg, s, why);
}

/* Software events and breakpoints do not need a look at the cores, which takes time. */
static int may_take_core(const struct evask *ask)
{
	if (ask->row)
		return !evtab_col(ask->row, "sw");
	return strncmp(ask->name, "mem:", 4) != 0;
}

static struct kernel_place place_of(struct engine *e, unsigned ncores)
{
	return (struct kernel_place){.root = e->env.root,
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

static struct evsel *encode(struct engine *e, const struct evask *ask, struct why *why)
{
	const struct kernel_place place = place_of(e, may_take_core(ask) ? cores(e) : 0);

	return numbered(e, kernel_select(&place, ask, why));
}

static struct evsel *smpl_encode(struct engine *e, const struct evask *ask,
				 unsigned latency, struct why *why)
{
	const struct kernel_place place = place_of(e, may_take_core(ask) ? cores(e) : 0);

	return numbered(e, kernel_smpl_encode(&place, ask, latency, why));
}

static uint64_t smpl_probe(struct engine *e, const struct evsel *s, struct why *why)
{
	const struct kernel_place place = place_of(e, cores(e));
	struct kernel_failure f;
	const uint64_t items = kernel_smpl_probe(&e->env, &place, s, &f, why);

	if (!items && !*why->text)
		refuse(e, s, &f, &(struct target){0}, s->n, why);
	return items;
}

static struct smpl_source *smpl_open(struct engine *e, const struct evsel *s,
				     const struct smpl_ask *ask, struct why *why)
{
	const struct kernel_place place = place_of(e, cores(e));
	struct kernel_failure f;
	struct smpl_source *src = kernel_smpl_open(&e->env, &place, s, ask, &f, why);

	if (!src && !*why->text)
		refuse(e, s, &f, &(struct target){0}, s->n, why);
	return src;
}

/* Where the clock of an LWP gives records, there is sampling. */
static unsigned smpl_npic(struct engine *e)
{
	const struct evask ask = {.name = "task-clock", .flags = CPC_COUNT_USER};
	struct why why;
	struct evsel *s = encode(e, &ask, &why);
	const int works = s && smpl_probe(e, s, &why);

	kernel_select_free(s);
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

const struct engine_ops engine_kernel = {
	.name = "kernel",
	.open = open_here,
	.close = close_session,
	.cciname = cciname,
	.npic = npic,
	.knows = knows,
	.walk = walk,
	.attrs = attrs,
	.doctor = doctor,
	.encode = encode,
	.drop = kernel_select_free,
	.class = class_of,
	.note = note,
	.probe = probe,
	.bind = bind_list,
	.read = read_all,
	.cycles = cycles,
	.unbind = unbind,
	.freeze = kernel_group_disable,
	.thaw = kernel_group_thaw,
	.owns = kernel_group_overflowed,
	.smpl_iname = kernel_smpl_iname,
	.smpl_npic = smpl_npic,
	.smpl_encode = smpl_encode,
	.smpl_probe = smpl_probe,
	.smpl_open = smpl_open,
	.smpl_close = kernel_smpl_close,
	.smpl_freeze = kernel_smpl_freeze,
	.smpl_thaw = kernel_smpl_thaw,
	.smpl_period = kernel_smpl_period,
	.smpl_owns = kernel_smpl_owns,
	.smpl_read = kernel_smpl_read,
};
