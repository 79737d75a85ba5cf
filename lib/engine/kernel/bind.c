#include "engine/kernel/bind.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpulist.h"
#include "engine/kernel/breakpoint.h"
#include "engine/kernel/cpus.h"
#include "engine/kernel/machine.h"
#include "engine/kernel/rdpmc.h"
#include "engine/kernel/refusal.h"
#include "engine/why.h"

enum { NOT_READ = -1 };

void kernel_host_init(struct kernel_host *host, const struct kernel_env *env)
{
	host->env = *env;
	host->ncores = host->counters = NOT_READ;
}

void kernel_host_free(struct kernel_host *host)
{
	kernel_plan_free(&host->plans);
	kernel_pmu_free(&host->pmus);
}

unsigned kernel_host_cores(struct kernel_host *host)
{
	if (host->ncores == NOT_READ)
		host->ncores = (int)kernel_sysfs_cores(host->env.root, host->core);
	return (unsigned)host->ncores;
}

/* The kernel may have no counters though a name of a PMU is known: so open an event. */
int kernel_host_has_counters(struct kernel_host *host)
{
	const struct kernel_event cycles = {.type = PERF_TYPE_HARDWARE,
					    .config = {PERF_COUNT_HW_CPU_CYCLES},
					    .exclude_kernel = 1,
					    .exclude_hv = 1};
	const struct kernel_open_how how = {0};

	if (host->counters == NOT_READ) {
		const int fd = kernel_event_open_as(&host->env, &cycles, &how, -1);
		host->counters =
			fd >= 0 || (errno != ENOENT && kernel_host_cores(host) > 0);
		if (fd >= 0)
			close(fd);
	}
	return host->counters;
}

/* May breakpoints count here, of the event's type if it is one? */
static int may_stop(struct kernel_host *host, const struct kernel_event *ev)
{
	const int is_one = ev->type == PERF_TYPE_BREAKPOINT;

	return kernel_breakpoint_stops(&host->env,
				       is_one ? ev->bp_type : HW_BREAKPOINT_X) != 0;
}

void kernel_bind_refuse(struct kernel_host *host, const struct evsel *s,
			const struct kernel_failure *f, const struct target *t,
			unsigned parts, struct why *why)
{
	const int err = errno;

	if (!why)
		return;
	struct kernel_refusal r = {
		.err = err,
		.name = s->name,
		.ev = *f->ev,
		.fds_need = parts,
		.tid = t->tid,
		.cpu = t->cpu,
		.cgroup = t->cgroup ? t->cgroup->path : NULL,
		.no_cpu = t->tid == -1 && !kernel_machine_has_cpu(host->env.root, t->cpu),
		.together = s->together,
		.kernel_only = s->kernel_only,
		.no_interrupt = f->no_interrupt,
		.cpus = f->others ? cpulist_text(f->others) : NULL,
	};
	struct kernel_machine m;
	int first;

	if (kernel_pmu_is_percpu(&host->pmus, host->env.root, kernel_pmu_of(f->ev),
				 &first))
		r.ev.percpu = 1;
	kernel_machine_read(host->env.root, &m);
	kernel_machine_try(&host->env, &m);
	m.core_pmu = kernel_host_cores(host) > 0;
	if (err == ENOENT && (r.ev.type == PERF_TYPE_BREAKPOINT || !m.core_pmu))
		m.no_stops = !may_stop(host, &r.ev);
	kernel_refusal_text(&r, &m, why);
	free(r.cpus);
	errno = r.err;
}

int kernel_bind_try(struct kernel_host *host, const struct evsel *s,
		    const struct target *t, struct why *why)
{
	const struct kernel_open_how how = {.tid = t->tid, .cpu = t->cpu};
	struct kernel_failure f = {.ev = &s->ev[0]};
	struct group *g = kernel_group_open(&host->env, &how, &s, 1, NULL, &f);

	if (!g) {
		kernel_bind_refuse(host, s, &f, t, s->n, why);
		return -1;
	}
	kernel_group_close(g);
	return 0;
}

void kernel_bind_close(struct group *g)
{
	if (g)
		kernel_rdpmc_close(g->rdpmc);
	kernel_group_close(g);
}

/* Sysfs lists none of the events for this CPU, which may be absent or offline. */
static void refuse_cpu(struct kernel_host *host, const struct evsel *s,
		       const struct target *t, const struct kernel_cpus *on_cpu,
		       struct why *why)
{
	const struct kernel_failure f = {.ev = &s->ev[0], .others = &on_cpu->others};

	errno = !kernel_machine_has_cpu(host->env.root, t->cpu)	    ? EINVAL
		: !kernel_machine_is_online(host->env.root, t->cpu) ? ENODEV
								    : ENOENT;
	kernel_bind_refuse(host, s, &f, t, 0, why);
}

/*
 * Find the parts that the CPU of t lacks. Returns -1 with errno and *why if the CPU lacks
 * all of them, or if sysfs cannot be read.
 */
static int find_lacking(struct kernel_host *host, const struct target *t,
			struct kernel_cpus *on_cpu, const struct evsel *const *sel,
			unsigned n, struct kernel_open_how *how, struct why *why)
{
	*on_cpu = (struct kernel_cpus){.parts = kernel_group_parts(sel, n)};
	if (t->tid != -1)
		return 0;
	if (kernel_cpus_look(on_cpu, &host->pmus, host->env.root, t->cpu, sel, n)) {
		const struct kernel_failure f = {.ev = &sel[0]->ev[0]};
		kernel_bind_refuse(host, sel[0], &f, t, kernel_group_parts(sel, n), why);
		return -1;
	}
	how->lacks = on_cpu->lacks;
	if (on_cpu->present)
		return 0;
	refuse_cpu(host, sel[0], t, on_cpu, why);
	return -1;
}

/*
 * Only the leader of a group is opened disabled, and enabled when all events are open:
 * opening an event whose leader is enabled would interrupt the LWP's processor each time.
 */
static struct group *open_list(struct kernel_host *host, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct kernel_open_how *how, struct kernel_failure *f)
{
	const unsigned hardware = kernel_plan_hardware(sel, n);
	const int hybrid = hardware > 1 && kernel_host_cores(host) > 1;
	const int use_rdpmc = t->tid == 0 && !t->tree && !t->threads &&
			      hardware == kernel_group_parts(sel, n);

	if (use_rdpmc)
		kernel_rdpmc_request(host->env.root, host->core, kernel_host_cores(host),
				     how);
	struct group *g =
		kernel_plan_open(&host->env, &host->plans, hybrid, how, sel, n, f);
	if (!g && how->config1) {
		/* arm64 refuses such reads for counters of 64 bits (EOPNOTSUPP). */
		how->config1 = 0;
		g = kernel_plan_open(&host->env, &host->plans, hybrid, how, sel, n, f);
	}
	if (g && use_rdpmc)
		g->rdpmc = kernel_rdpmc_open(g);
	if (g && !t->on_exec && kernel_group_enable(g)) {
		*f = (struct kernel_failure){.ev = &sel[0]->ev[0]};
		kernel_bind_close(g);
		g = NULL;
	}
	return g;
}

/* Refuse clocks whose signals, which repeat, would leave the LWP no time. */
static int check_repeats(const struct target *t, const struct evsel *const *sel,
			 unsigned n, struct why *why)
{
	for (unsigned i = 0; t->repeats && t->after && i < n; i++)
		if (t->after[i] && kernel_event_check_period(&sel[i]->ev[0], sel[i]->name,
							     t->after[i], why) == -1)
			return -1;
	return 0;
}

struct group *kernel_bind_open(struct kernel_host *host, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why)
{
	struct kernel_open_how how = {.tid = t->tid,
				      .cpu = t->cpu,
				      .cgroup = t->cgroup,
				      .inherit = t->tree || t->threads,
				      .threads = t->threads,
				      .on_exec = t->on_exec,
				      .after = t->after,
				      .turn = t->turn,
				      .signo = t->signo,
				      .repeats = t->repeats,
				      .read_group = 1};
	const unsigned parts = kernel_group_parts(sel, n);
	struct group *g = NULL;
	struct kernel_failure f;
	struct kernel_cpus on_cpu;

	if (!n || parts > KERNEL_GROUP_PARTS) {
		why_refuse(why, n ? E2BIG : EINVAL,
			   "cannot bind %u events: the kernel engine binds 1 to %d",
			   parts, KERNEL_GROUP_PARTS);
		return NULL;
	}
	if (check_repeats(t, sel, n, why) == -1)
		return NULL;
	if (find_lacking(host, t, &on_cpu, sel, n, &how, why) == 0) {
		g = open_list(host, t, sel, n, &how, &f);
		if (!g)
			kernel_bind_refuse(host, sel[f.sel], &f, t, on_cpu.parts, why);
	}
	kernel_cpus_free(&on_cpu);
	return g;
}

/* Does sysfs list none of the event's parts for a CPU? */
static int is_elsewhere(struct kernel_host *host, const struct evsel *s, int cpu)
{
	struct kernel_cpus on_cpu;
	const int lacks =
		kernel_cpus_look(&on_cpu, &host->pmus, host->env.root, cpu, &s, 1) == 0 &&
		!on_cpu.present;

	kernel_cpus_free(&on_cpu);
	return lacks;
}

static struct group *open_somewhere(struct kernel_host *host, const struct evsel *s,
				    const struct cpulist *cpus, struct why *why)
{
	struct target t = {.tid = -1};

	for (unsigned i = 0; i < cpus->n; i++) {
		t.cpu = cpus->cpu[i];
		struct group *g = kernel_bind_open(host, &t, &s, 1, why);
		const int e = errno;
		if (g || !is_elsewhere(host, s, t.cpu)) {
			errno = e;
			return g;
		}
		errno = e;
	}
	return NULL;
}

int kernel_bind_try_cpus(struct kernel_host *host, const struct evsel *s, struct why *why)
{
	struct cpulist cpus;

	if (cpulist_allowed(&cpus) == -1)
		return why_refuse(why, errno, "%s: cannot list the CPUs: %s", s->name,
				  strerror(errno));
	struct group *g = open_somewhere(host, s, &cpus, why);
	const int e = errno;
	cpulist_free(&cpus);
	kernel_bind_close(g);
	errno = e;
	return g ? 0 : -1;
}

static __attribute__((noinline)) int read_timed(struct group *g, struct count *val,
						int64_t *ns, uint64_t *on)
{
	*ns = clock_ns();
	return kernel_bind_read(g, val, NULL, on);
}

int kernel_bind_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	if (ns)
		return read_timed(g, val, ns, on);
	return g->rdpmc ? kernel_rdpmc_read(g, val, on) : kernel_group_read(g, val, on);
}
