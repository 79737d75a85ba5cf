#include "engine/kernel/plan.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

enum { AN_LWP = -1 }; /* in the place of a CPU's number */

/*
 * An event that was let run and is not on a counter does not fit beside those opened
 * before it.
 */
static int is_left_out(int fd)
{
	uint64_t v[3] = {0}; /* value, enabled, running */

	return read(fd, v, sizeof(v)) == sizeof(v) && v[1] && !v[2];
}

/*
 * How many evsels from the first on the kernel counts as one group, at least 1. It
 * checks this only against events that are enabled, and it does not know that a counter
 * is taken by others (the NMI watchdog): so let them run, on the caller or on the CPU
 * that is to be counted, and look whether they do.
 */
static unsigned fit(const struct kernel_env *env, int hybrid, int cpu,
		    const uint32_t *lacks, const struct evsel *const *sel, unsigned n)
{
	const struct kernel_open_how m = {.tid = cpu == AN_LWP ? 0 : -1,
					  .cpu = cpu,
					  .lacks = lacks,
					  .enabled = 1,
					  .format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						    PERF_FORMAT_TOTAL_TIME_RUNNING};
	struct kernel_failure f;

	struct group *g = kernel_group_open(env, &m, sel, n, NULL, &f);
	if (!g)
		return errno == EINVAL && f.sibling && f.sel ? f.sel : n;
	unsigned fits = n;
	/*
	 * Where cores differ, an event of the other kind of core does not run now on
	 * the caller's; a CPU has events of its own kind alone.
	 */
	for (unsigned i = 0; i < g->n && fits == n && (!hybrid || cpu != AN_LWP); i++)
		if (g->part[i].sel && is_left_out(g->part[i].fd))
			fits = g->part[i].sel;
	kernel_group_close(g);
	return fits;
}

static int is_software(const struct kernel_event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE || ev->type == PERF_TYPE_TRACEPOINT ||
	       ev->type == PERF_TYPE_BREAKPOINT;
}

unsigned kernel_plan_hardware(const struct evsel *const *sel, unsigned n)
{
	unsigned hardware = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < sel[i]->n; k++)
			hardware += !is_software(&sel[i]->ev[k]);
	return hardware;
}

static int is_plan_of(const struct kernel_plan *p, int cpu,
		      const struct evsel *const *sel, unsigned n)
{
	if (p->cpu != cpu || p->n != n)
		return 0;
	for (unsigned i = 0; i < n; i++)
		if (p->of[i].serial != sel[i]->serial)
			return 0;
	return 1;
}

/* The slot of the plan for a list, or NULL. */
static struct kernel_plan **find(struct kernel_plans *plans, int cpu,
				 const struct evsel *const *sel, unsigned n)
{
	for (unsigned i = 0; i < plans->n && i < KERNEL_PLAN_MAX; i++)
		if (is_plan_of(plans->plan[i], cpu, sel, n))
			return &plans->plan[i];
	return NULL;
}

/* Without memory the plan is made again the next time. */
static void remember(struct kernel_plans *plans, int cpu, const struct evsel *const *sel,
		     unsigned n, const unsigned char *where)
{
	struct kernel_plan **slot = find(plans, cpu, sel, n);
	struct kernel_plan *p = malloc(sizeof(*p) + n * sizeof(p->of[0]));

	if (!p)
		return;
	p->n = n;
	p->cpu = cpu;
	for (unsigned i = 0; i < n; i++) {
		p->of[i].serial = sel[i]->serial;
		p->of[i].where = where[i];
	}
	if (!slot)
		slot = &plans->plan[plans->n++ % KERNEL_PLAN_MAX];
	free(*slot);
	*slot = p;
}

/*
 * Not all fit. Software events run whatever the counters are busy with: they are group 0,
 * where they are never scaled; of the others as many in a group as the hardware takes.
 */
static void spread(const struct kernel_env *env, int hybrid, int cpu,
		   const uint32_t *lacks, const struct evsel *const *sel, unsigned n,
		   unsigned char *where)
{
	const struct evsel *hardware[KERNEL_GROUP_PARTS];
	uint32_t lack[KERNEL_GROUP_PARTS];
	unsigned from[KERNEL_GROUP_PARTS], m = 0;

	for (unsigned i = 0; i < n; i++)
		if (kernel_plan_hardware(&sel[i], 1) &&
		    !(lacks && kernel_group_absent(sel[i], lacks[i]))) {
			from[m] = i;
			lack[m] = lacks ? lacks[i] : 0;
			hardware[m++] = sel[i];
		}
	unsigned char group = m < n;
	for (unsigned i = 0; i < m; group++)
		for (unsigned fits = fit(env, hybrid, cpu, lack + i, hardware + i, m - i);
		     fits; fits--)
			where[from[i++]] = group;
}

/* Fill where[]: as it was found for the same list before, or as the hardware takes it. */
static void make_plan(const struct kernel_env *env, struct kernel_plans *plans,
		      int hybrid, int cpu, const uint32_t *lacks,
		      const struct evsel *const *sel, unsigned n, unsigned char *where)
{
	struct kernel_plan *const *slot = find(plans, cpu, sel, n);

	for (unsigned i = 0; i < n; i++)
		where[i] = slot ? (*slot)->of[i].where : 0;
	if (slot || n < 2 || !kernel_plan_hardware(sel, n))
		return;
	if (fit(env, hybrid, cpu, lacks, sel, n) < n)
		spread(env, hybrid, cpu, lacks, sel, n, where);
	remember(plans, cpu, sel, n, where);
}

/* Is evsel a opened before b? */
static int before(const struct kernel_open_how *m, unsigned a, unsigned b)
{
	const int first = kernel_group_notifies(m, a);

	return first == kernel_group_notifies(m, b) ? a < b : first;
}

/*
 * Let an evsel and those of its group that are opened after it be a group of their own.
 * 0: it leads its group.
 */
static int split(const struct kernel_open_how *m, unsigned char *where, unsigned n,
		 unsigned at)
{
	const unsigned char group = where[at];
	unsigned char last = group;
	int leads = 1;

	for (unsigned i = 0; i < n; i++) {
		if (where[i] == group && before(m, i, at))
			leads = 0;
		if (where[i] > last)
			last = where[i];
	}
	for (unsigned i = 0; i < n && !leads; i++)
		if (where[i] == group && !before(m, i, at))
			where[i] = last + 1;
	return !leads;
}

/* Open as planned; an event that cannot join a group starts the next. */
struct group *kernel_plan_open(const struct kernel_env *env, struct kernel_plans *plans,
			       int hybrid, const struct kernel_open_how *m,
			       const struct evsel *const *sel, unsigned n,
			       struct kernel_failure *f)
{
	unsigned char where[KERNEL_GROUP_PARTS];
	const int cpu = m->tid == -1 ? m->cpu : AN_LWP;
	int changed = 0;

	make_plan(env, plans, hybrid, cpu, m->lacks, sel, n, where);
	for (;;) {
		struct group *g = kernel_group_open(env, m, sel, n, where, f);
		if (g && changed)
			remember(plans, cpu, sel, n, where);
		if (g || errno != EINVAL || !f->sibling || !split(m, where, n, f->sel))
			return g;
		changed = 1;
	}
}

void kernel_plan_free(struct kernel_plans *plans)
{
	for (unsigned i = 0; i < KERNEL_PLAN_MAX; i++)
		free(plans->plan[i]);
}
