#include "engine/kernel/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { AN_LWP = -1 }; /* used instead of the number of a CPU */

/* Was an event enabled but never on a counter? */
static int never_ran(int fd)
{
	uint64_t v[3] = {0}; /* value, enabled, running */

	return read(fd, v, sizeof(v)) == sizeof(v) && v[1] && !v[2];
}

/*
 * Returns how many evsels, from the first on, fit in one group; at least 1. The kernel
 * checks a group only against its own enabled events, not against other users of the
 * counters such as the NMI watchdog. So enable the group, on the caller or on the CPU,
 * and check whether its events run.
 */
static unsigned count_fitting(const struct kernel_env *env, int hybrid, int cpu,
			      const uint32_t *lacks, const struct evsel *const *sel,
			      unsigned n)
{
	const struct kernel_open_how how = {
		.tid = cpu == AN_LWP ? 0 : -1, .cpu = cpu, .lacks = lacks, .enabled = 1};
	struct kernel_failure f;

	struct group *g = kernel_group_open(env, &how, sel, n, NULL, &f);
	if (!g)
		return errno == EINVAL && f.sibling && f.sel ? f.sel : n;
	unsigned fits = n;
	/*
	 * On the caller of a hybrid machine, events of the other kind of core do not run
	 * now; on a CPU only events of its kind are open.
	 */
	for (unsigned i = 0; i < g->n && fits == n && (!hybrid || cpu != AN_LWP); i++)
		if (g->part[i].sel && never_ran(g->part[i].fd))
			fits = g->part[i].sel;
	kernel_group_close(g);
	return fits;
}

unsigned kernel_plan_hardware(const struct evsel *const *sel, unsigned n)
{
	unsigned hardware = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < sel[i]->n; k++)
			hardware += !kernel_event_is_software(&sel[i]->ev[k]);
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
static struct kernel_plan **find_plan(struct kernel_plans *plans, int cpu,
				      const struct evsel *const *sel, unsigned n)
{
	for (unsigned i = 0; i < plans->n && i < KERNEL_PLAN_MAX; i++)
		if (is_plan_of(plans->plan[i], cpu, sel, n))
			return &plans->plan[i];
	return NULL;
}

/* If there is no memory, the plan is made again at the next bind. */
static void remember(struct kernel_plans *plans, int cpu, const struct evsel *const *sel,
		     unsigned n, const unsigned char *group)
{
	struct kernel_plan **slot = find_plan(plans, cpu, sel, n);

	if (!plans->plan)
		plans->plan = calloc(KERNEL_PLAN_MAX, sizeof(*plans->plan));
	if (!plans->plan)
		return;
	struct kernel_plan *p = malloc(sizeof(*p) + n * sizeof(p->of[0]));
	if (!p)
		return;
	p->n = n;
	p->cpu = cpu;
	for (unsigned i = 0; i < n; i++) {
		p->of[i].serial = sel[i]->serial;
		p->of[i].group = group[i];
	}
	if (!slot)
		slot = &plans->plan[plans->n++ % KERNEL_PLAN_MAX];
	free(*slot);
	*slot = p;
}

/* The evsels of a list that need counters of the processor. */
struct hardware {
	unsigned n;
	const struct evsel *sel[KERNEL_GROUP_PARTS];
	uint32_t lacks[KERNEL_GROUP_PARTS];
	unsigned from[KERNEL_GROUP_PARTS]; /* their indices in the list */
};

static unsigned turn_of(const struct kernel_open_how *how, unsigned i)
{
	return how->turn ? how->turn[i] : 0;
}

/* Find the hardware events of a turn. Returns 1 if the list has a later turn. */
static int take_turn(const struct kernel_open_how *how, unsigned turn,
		     const struct evsel *const *sel, unsigned n, struct hardware *h)
{
	int later = 0;

	h->n = 0;
	for (unsigned i = 0; i < n; i++) {
		const uint32_t lacks = how->lacks ? how->lacks[i] : 0;

		later |= turn_of(how, i) > turn;
		if (turn_of(how, i) != turn || !kernel_plan_hardware(&sel[i], 1) ||
		    kernel_group_absent(sel[i], lacks))
			continue;
		h->from[h->n] = i;
		h->lacks[h->n] = lacks;
		h->sel[h->n++] = sel[i];
	}
	return later;
}

/*
 * Split a list that does not fit in one group. Software events do not need counters: they
 * form group 0, which always runs. Each other group has as many events of a turn as fit.
 * Without software events, 256 groups use the number 0 too.
 */
static void split_list(const struct kernel_env *env, int hybrid, int cpu,
		       const struct kernel_open_how *how, const struct evsel *const *sel,
		       unsigned n, unsigned char *group)
{
	unsigned char next = 1;
	struct hardware h;
	int later = 1;

	for (unsigned turn = 0; later; turn++) {
		later = take_turn(how, turn, sel, n, &h);
		for (unsigned i = 0; i < h.n; next++)
			for (unsigned fits = count_fitting(env, hybrid, cpu, h.lacks + i,
							   h.sel + i, h.n - i);
			     fits; fits--)
				group[h.from[i++]] = next;
	}
}

/* Fill group[] from the plan of this list; make the plan first if the list has none. */
static void make_plan(const struct kernel_env *env, struct kernel_plans *plans,
		      int hybrid, int cpu, const struct kernel_open_how *how,
		      const struct evsel *const *sel, unsigned n, unsigned char *group)
{
	struct kernel_plan *const *slot = find_plan(plans, cpu, sel, n);

	for (unsigned i = 0; i < n; i++)
		group[i] = slot ? (*slot)->of[i].group : 0;
	if (slot || n < 2 || !kernel_plan_hardware(sel, n))
		return;
	if (how->turn || count_fitting(env, hybrid, cpu, how->lacks, sel, n) < n)
		split_list(env, hybrid, cpu, how, sel, n, group);
	remember(plans, cpu, sel, n, group);
}

/* Is evsel a opened before b? */
static int before(const struct kernel_open_how *how, unsigned a, unsigned b)
{
	const int first = kernel_group_notifies(how, a);

	return first == kernel_group_notifies(how, b) ? a < b : first;
}

/*
 * Move evsel at, and the evsels of its group that are opened after it, to a new group.
 * Returns 0 if the evsel leads its group already.
 */
static int split_group(const struct kernel_open_how *how, unsigned char *group,
		       unsigned n, unsigned at)
{
	const unsigned char old = group[at];
	unsigned char last = old;
	int leads = 1;

	for (unsigned i = 0; i < n; i++) {
		if (group[i] == old && before(how, i, at))
			leads = 0;
		if (group[i] > last)
			last = group[i];
	}
	for (unsigned i = 0; i < n && !leads; i++)
		if (group[i] == old && !before(how, i, at))
			group[i] = last + 1;
	return !leads;
}

/* An event that cannot join its planned group starts a new group. */
struct group *kernel_plan_open(const struct kernel_env *env, struct kernel_plans *plans,
			       int hybrid, const struct kernel_open_how *how,
			       const struct evsel *const *sel, unsigned n,
			       struct kernel_failure *f)
{
	unsigned char group[KERNEL_GROUP_PARTS];
	const int cpu = how->tid == -1 ? how->cpu : AN_LWP;
	int changed = 0;

	make_plan(env, plans, hybrid, cpu, how, sel, n, group);
	for (;;) {
		struct group *g = kernel_group_open(env, how, sel, n, group, f);
		if (g && changed)
			remember(plans, cpu, sel, n, group);
		if (g || errno != EINVAL || !f->sibling ||
		    !split_group(how, group, n, f->sel))
			return g;
		changed = 1;
	}
}

void kernel_plan_free(struct kernel_plans *plans)
{
	for (unsigned i = 0; plans->plan && i < KERNEL_PLAN_MAX; i++)
		free(plans->plan[i]);
	free(plans->plan);
}
