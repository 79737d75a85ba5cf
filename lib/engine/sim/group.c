#include "engine/sim/group.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/procfs.h"
#include "engine/sim/inside.h"
#include "engine/why.h"

struct group {
	struct sim_run *run;
	const struct machine *machine;
	pid_t tid, pid; /* tid 0: the caller, which is itself simulated */
	int tree;
	long page;	/* of the process; -1: it does not exist yet */
	long after;	/* newest page of a former process with this pid, or -1 */
	unsigned hint;	/* a row of the page that may be the LWP's */
	int64_t bound;	/* when the group was bound, ns of CLOCK_MONOTONIC */
	int64_t frozen; /* when the group was frozen; 0: it counts */
	uint64_t needs; /* mask of the counters that the values are computed from */
	uint64_t base[PAGES_COUNTERS];	    /* the counts at the bind */
	uint64_t at_freeze[PAGES_COUNTERS]; /* the counts since the bind, when frozen */
	struct sim_software_group software;
	unsigned n;
	const struct evsel *sel[];
};

/* Are the counts of a target known? */
enum known {
	COUNTED,
	NOT_BEGUN,  /* the target has not begun to run: its counts are 0 */
	NOT_COUNTED /* it ran, or runs, without the simulator: no counts are known */
};

int sim_group_has_ended(pid_t tid)
{
	const char state = procfs_state(tid, &(unsigned){0});

	return state == '?' || state == 'Z' || state == 'X';
}

static enum known all_counts(struct group *g, uint64_t *count)
{
	struct sim_pages *pages = &g->run->pages;
	const unsigned n = sim_pages_count(pages);
	struct sim_page page;

	for (unsigned i = 0; i < n; i++)
		if (sim_pages_read(pages, (long)i, &page) == 0)
			for (unsigned c = 0; c < SIM_NCOUNTERS; c++)
				count[c] += page.total[c];
	if (sim_pages_begun(pages))
		return COUNTED;
	return sim_group_has_ended(g->tid) ? NOT_COUNTED : NOT_BEGUN;
}

static enum known lwp_counts(struct group *g, uint64_t *count)
{
	struct sim_pages *pages = &g->run->pages;
	struct sim_page page = {.state = PAGE_NONE};

	if (g->page == -1)
		g->page = sim_pages_of(pages, g->pid, g->after);
	const int found = g->page != -1 &&
			  sim_pages_row(pages, g->page, g->tid, &g->hint, &page, count);
	if (page.state == PAGE_NATIVE)
		return NOT_COUNTED;
	if (found)
		return COUNTED;
	return sim_group_has_ended(g->tid) ? NOT_COUNTED : NOT_BEGUN;
}

/* Add the counts of the target to count[]. */
static enum known read_counts(struct group *g, uint64_t count[PAGES_COUNTERS])
{
	if (g->tid == 0)
		return sim_inside_read(count) == 0 ? COUNTED : NOT_COUNTED;
	return g->tree ? all_counts(g, count) : lwp_counts(g, count);
}

/* A page of an ended process belongs to an earlier process with the same pid. */
static void find_page(struct group *g)
{
	struct sim_page page;

	g->page = g->after = -1;
	if (g->tid == 0 || g->tree)
		return;
	g->page = sim_pages_of(&g->run->pages, g->pid, -1);
	if (g->page != -1 && (sim_pages_read(&g->run->pages, g->page, &page) == -1 ||
			      page.state == PAGE_ENDED)) {
		g->after = g->page;
		g->page = -1;
	}
}

/* Subtract the base. A row with smaller counts now belongs to another process. */
static void since_base(const uint64_t *base, uint64_t *count)
{
	for (unsigned c = 0; c < SIM_NCOUNTERS; c++)
		if (count[c] < base[c])
			return;
	for (unsigned c = 0; c < SIM_NCOUNTERS; c++)
		count[c] -= base[c];
}

/* Refuse targets that cannot be simulated. */
static int check_target(const struct sim_run *run, const struct target *t, unsigned n,
			struct why *why)
{
	if (t->tid == -1)
		return why_refuse(why, ENOTSUP,
				  "a CPU cannot be simulated, only a program");
	if (t->tid == 0 && !run->inside)
		return why_refuse(
			why, ENOTSUP,
			"a running program cannot be simulated, not even by itself; "
			"start it under cputrack --engine=sim");
	for (unsigned i = 0; t->after && i < n; i++)
		if (t->after[i])
			return why_refuse(why, ENOTSUP,
					  "the simulation gives no signal when a counter "
					  "overflows");
	if (t->tid > 0 && run->pages.fd == -1)
		return why_refuse(why, ENOTSUP,
				  "a running process cannot be simulated; start it under "
				  "cputrack");
	return 0;
}

uint64_t sim_group_needs(struct sim_run *run, const struct evsel *const *sel, unsigned n)
{
	const struct machine *m = sim_machine(&run->machine, NULL);
	uint64_t needs = UINT64_C(1) << CTR_INSN;

	for (unsigned i = 0; m && i < n; i++)
		needs |= sim_expression_needs(&sel[i]->x, m);
	return needs;
}

struct group *sim_group_bind(struct sim_run *run, const struct target *t,
			     const struct evsel *const *sel, unsigned n, struct why *why)
{
	if (check_target(run, t, n, why) == -1)
		return NULL;
	/* No file of /proc is needed, which could be missing for other reasons. */
	if (t->tid > 0 && kill(t->tid, 0) == -1 && errno == ESRCH) {
		why_refuse(why, ESRCH, "LWP %d does not exist any more", (int)t->tid);
		return NULL;
	}
	if (t->tid == 0 && sim_inside_add(sim_group_needs(run, sel, n)) == -1) {
		why_refuse(
			why, EINVAL,
			"the simulator that runs this program cannot count these events");
		return NULL;
	}
	struct group *g = calloc(1, sizeof *g + n * sizeof g->sel[0]);
	if (g)
		g->machine = sim_machine(&run->machine, NULL);
	if (!g || !g->machine) {
		free(g);
		why_refuse(why, ENOMEM, "cannot count LWP %d: %s", (int)t->tid,
			   strerror(ENOMEM));
		return NULL;
	}
	if (sim_software_bind(&run->software, &g->software, t, sel, n, why) == -1) {
		const int e = errno;

		free(g);
		errno = e;
		return NULL;
	}
	g->run = run;
	g->tid = t->tid;
	g->pid = t->pid;
	g->tree = t->tree;
	g->n = n;
	g->needs = sim_group_needs(run, sel, n);
	memcpy(g->sel, sel, n * sizeof sel[0]);
	g->bound = clock_ns();
	find_page(g);
	read_counts(g, g->base);
	return g;
}

/*
 * Read the needed counters of the caller since the bind. The caller counts the
 * instructions of this function too, so that they are kept few.
 */
static enum known own_counts(const struct group *g, uint64_t count[PAGES_COUNTERS])
{
	if (sim_inside_read(count) == -1)
		return NOT_COUNTED;
	for (uint64_t left = g->needs; left; left &= left - 1) {
		const int c = __builtin_ctzll(left);

		count[c] -= g->base[c];
	}
	return COUNTED;
}

/* Read the counts since the bind; those of a frozen group do not change. */
static enum known counts_since_bind(struct group *g, uint64_t count[PAGES_COUNTERS])
{
	if (g->frozen) {
		memcpy(count, g->at_freeze, sizeof g->at_freeze);
		return COUNTED;
	}
	if (g->tid == 0)
		return own_counts(g, count);
	memset(count, 0, PAGES_COUNTERS * sizeof *count);
	const enum known known = read_counts(g, count);
	since_base(g->base, count);
	return known;
}

int sim_group_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	uint64_t count[PAGES_COUNTERS];
	const enum known known = counts_since_bind(g, count);

	const int64_t now = clock_ns();
	const uint64_t time = (uint64_t)((g->frozen ? g->frozen : now) - g->bound);

	if (ns)
		*ns = now;
	if (on)
		*on = count[CTR_INSN];
	if (sim_software_read(&g->software, val) == -1)
		return -1;
	/* The values of software events are the first, and move up to their places. */
	for (unsigned i = g->n, k = g->software.n; i-- > 0;)
		val[i] = g->sel[i]->counted
				 ? val[--k]
				 : (struct count){
					   .count = sim_expression_value(
						   &g->sel[i]->x, g->machine, count),
					   .enabled = time,
					   .running = known == NOT_COUNTED ? 0 : time,
				   };
	return 0;
}

void sim_group_unbind(struct group *g)
{
	if (g)
		sim_software_unbind(&g->software);
	free(g);
}

int sim_group_freeze(struct group *g)
{
	if (g->frozen)
		return 0;
	counts_since_bind(g, g->at_freeze);
	g->frozen = clock_ns();
	return sim_software_freeze(&g->software);
}

int sim_group_thaw(struct group *g, const uint64_t *after)
{
	uint64_t now[PAGES_COUNTERS] = {0};

	for (unsigned i = 0; after && i < g->n; i++)
		if (after[i]) {
			errno = EINVAL;
			return -1;
		}
	if (!g->frozen)
		return 0;
	read_counts(g, now);
	for (unsigned c = 0; c < SIM_NCOUNTERS; c++)
		g->base[c] = now[c] - g->at_freeze[c];
	g->bound += clock_ns() - g->frozen;
	g->frozen = 0;
	return sim_software_thaw(&g->software);
}
