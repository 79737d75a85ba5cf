#include "engine/kernel/bind.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpulist.h"
#include "engine/kernel/cpus.h"
#include "engine/kernel/machine.h"
#include "engine/kernel/rdpmc.h"
#include "engine/kernel/refusal.h"
#include "engine/why.h"

enum { NOT_LOOKED = -1 };

static const struct kernel_open_how try_out = {.format = PERF_FORMAT_TOTAL_TIME_ENABLED |
							 PERF_FORMAT_TOTAL_TIME_RUNNING};

void kernel_host_init(struct kernel_host *host, const struct kernel_env *env)
{
	*host = (struct kernel_host){
		.env = *env, .ncores = NOT_LOOKED, .counters = NOT_LOOKED};
}

void kernel_host_free(struct kernel_host *host)
{
	kernel_plan_free(&host->plans);
	kernel_pmu_free(&host->pmus);
}

unsigned kernel_host_cores(struct kernel_host *host)
{
	if (host->ncores == NOT_LOOKED)
		host->ncores = (int)kernel_sysfs_cores(host->env.root, host->core);
	return (unsigned)host->ncores;
}

/* The kernel's word counts: a PMU that is named somewhere may still not be there. */
int kernel_host_has_counters(struct kernel_host *host)
{
	const struct kernel_event cycles = {.type = PERF_TYPE_HARDWARE,
					    .config = {PERF_COUNT_HW_CPU_CYCLES},
					    .exclude_kernel = 1,
					    .exclude_hv = 1};

	if (host->counters == NOT_LOOKED) {
		const int fd = kernel_group_event(&host->env, &cycles, &try_out, -1);
		host->counters =
			fd >= 0 || (errno != ENOENT && kernel_host_cores(host) > 0);
		if (fd >= 0)
			close(fd);
	}
	return host->counters;
}

/* Keeps errno. */
void kernel_bind_refuse(struct kernel_host *host, const struct evsel *s,
			const struct kernel_failure *f, const struct target *t,
			unsigned parts, struct why *why)
{
	const int err = errno;
	struct kernel_refusal r = {
		.err = err,
		.name = s->name,
		.ev = *f->ev,
		.fds_need = parts,
		.tid = t->tid,
		.cpu = t->cpu,
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
	kernel_machine_look(host->env.root, &m);
	m.core_pmu = kernel_host_cores(host) > 0;
	kernel_refusal_text(&r, &m, why);
	free(r.cpus);
	errno = r.err;
}

int kernel_bind_try(struct kernel_host *host, const struct evsel *s,
		    const struct target *t, struct why *why)
{
	const struct kernel_open_how m = {
		.tid = t->tid, .cpu = t->cpu, .format = try_out.format};
	struct kernel_failure f = {.ev = &s->ev[0]};
	struct group *g = kernel_group_open(&host->env, &m, &s, 1, NULL, &f);

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
		kernel_rdpmc_close(g->user);
	kernel_group_close(g);
}

/* Sysfs says that a CPU has none of the events: why, if the CPU is there at all. */
static void refuse_cpu(struct kernel_host *host, const struct evsel *s,
		       const struct target *t, const struct kernel_cpus *l,
		       struct why *why)
{
	const struct kernel_failure f = {.ev = &s->ev[0], .others = &l->others};

	errno = !kernel_machine_has_cpu(host->env.root, t->cpu)	    ? EINVAL
		: !kernel_machine_is_online(host->env.root, t->cpu) ? ENODEV
								    : ENOENT;
	kernel_bind_refuse(host, s, &f, t, 0, why);
}

/* Which parts a CPU lacks, into m. -1: all of them, or it cannot be told; *why says so. */
static int look_at_cpu(struct kernel_host *host, const struct target *t,
		       struct kernel_cpus *l, const struct evsel *const *sel, unsigned n,
		       struct kernel_open_how *m, struct why *why)
{
	*l = (struct kernel_cpus){.parts = kernel_group_parts(sel, n)};
	if (t->tid != -1)
		return 0;
	if (kernel_cpus_look(l, &host->pmus, host->env.root, t->cpu, sel, n)) {
		const struct kernel_failure f = {.ev = &sel[0]->ev[0]};
		kernel_bind_refuse(host, sel[0], &f, t, kernel_group_parts(sel, n), why);
		return -1;
	}
	m->lacks = l->part;
	if (l->there)
		return 0;
	refuse_cpu(host, sel[0], t, l, why);
	return -1;
}

/*
 * Only the leader of a group is opened disabled and enabled when all are there: each
 * event that is opened enabled would cost an interrupt of the processor that the LWP is
 * on.
 */
static struct group *open_list(struct kernel_host *host, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct kernel_open_how *m, struct kernel_failure *f)
{
	const unsigned hardware = kernel_plan_hardware(sel, n);
	const int hybrid = hardware > 1 && kernel_host_cores(host) > 1;
	const int user =
		t->tid == 0 && !t->tree && hardware == kernel_group_parts(sel, n);

	if (user)
		kernel_rdpmc_ask(host->env.root, host->core, kernel_host_cores(host), m);
	struct group *g =
		kernel_plan_open(&host->env, &host->plans, hybrid, m, sel, n, f);
	if (!g && m->config1) {
		/* A counter of 64 bits cannot be had so (arm64, EOPNOTSUPP). */
		m->config1 = 0;
		g = kernel_plan_open(&host->env, &host->plans, hybrid, m, sel, n, f);
	}
	if (g && user)
		g->user = kernel_rdpmc_open(g);
	if (g && !t->on_exec && kernel_group_enable(g)) {
		*f = (struct kernel_failure){.ev = &sel[0]->ev[0]};
		kernel_bind_close(g);
		g = NULL;
	}
	return g;
}

struct group *kernel_bind_open(struct kernel_host *host, const struct target *t,
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
	if (look_at_cpu(host, t, &lack, sel, n, &m, why) == 0) {
		g = open_list(host, t, sel, n, &m, &f);
		if (!g)
			kernel_bind_refuse(host, sel[f.sel], &f, t, lack.parts, why);
	}
	kernel_cpus_free(&lack);
	return g;
}

int kernel_bind_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
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
