#include "run.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "common/chart.h"
#include "common/info.h"
#include "common/message.h"
#include "common/notes.h"
#include "common/status.h"
#include "cpus.h"
#include "deadline.h"
#include "follow.h"
#include "outputs.h"
#include "report.h"
#include "soaker.h"
#include "suite/cpus/schedule.h"

struct run {
	const struct options *o;
	cpc_t *cpc;
	struct sets *sets;
	const struct row_set **shown; /* [sets->n] */
	int *soaks;		      /* [sets->n] the set counts system mode only */
	int64_t unix_ns;	      /* the start, ns since 1970 */
	int64_t bound_at; /* when the set that is bound was bound or sampled */
	uint64_t skipped; /* intervals that were late and left out */
	struct schedule schedule;
	struct cgroups *cgroups; /* NULL without --cgroup */
	struct cpus cpus;
	struct report report;
	struct soaker *soaker; /* NULL without -s */
	struct outputs outputs;
	int failed; /* rows could not be written; the run ends */
};

static void check_user_mode(void *arg, int index, const char *event, uint64_t preset,
			    uint_t flags, int nattrs, const cpc_attr_t *attrs)
{
	(void)index;
	(void)event;
	(void)preset;
	(void)nattrs;
	(void)attrs;
	if ((flags & CPC_COUNT_USER) || !(flags & CPC_COUNT_SYSTEM))
		*(int *)arg = 0;
}

/* Returns whether some set counts system mode only. */
static int find_soaks(struct run *r)
{
	int some = 0;

	for (unsigned i = 0; i < r->sets->n; i++) {
		r->soaks[i] = r->shown[i]->n > 0;
		cpc_walk_requests(r->cpc, r->sets->member[i].set, &r->soaks[i],
				  check_user_mode);
		some |= r->soaks[i];
	}
	return some;
}

static void open_run(struct run *r, const struct options *o)
{
	const struct engine_choice choice = {.cpu = o->shared.cpu,
					     .engine = o->shared.engine,
					     .cgroups = o->ncgroups > 0,
					     .nspecs = o->nspecs,
					     .spec = o->spec};

	*r = (struct run){.o = o};
	if (o->ncgroups)
		r->cgroups = cgroups_open(o->cgroup, o->ncgroups);
	r->sets = info_open_sets(&o->shared, &choice, &r->cpc);
	r->shown = calloc(r->sets->n, sizeof *r->shown);
	r->soaks = calloc(r->sets->n, sizeof *r->soaks);
	if (!r->shown || !r->soaks)
		err(EXIT_TOOL, "cannot store the sets");
	for (unsigned i = 0; i < r->sets->n; i++)
		r->shown[i] = &r->sets->member[i].show;
	if (!o->nspecs && !o->shared.summary && !o->chart)
		notes_columns(r->shown[0]);
	if (o->soak && find_soaks(r)) {
		r->soaker = soaker_new();
		if (!r->soaker)
			err(EXIT_TOOL, "cannot prepare -s");
	}
	if (cpus_open(&r->cpus, r->cpc, r->sets, o->tick || o->output, r->cgroups) == -1)
		err(EXIT_TOOL, "cannot list the CPUs");
	message_capture_begin();
	for (unsigned i = 0; r->soaker && i < r->cpus.n; i++)
		soaker_add(r->soaker, r->cpus.cpu[i].id);
}

static void print_descriptors(const struct run *r, unsigned set)
{
	const unsigned long each = cpc_set_descriptors(r->cpc, r->sets->member[set].set);
	const unsigned cpus = r->cpus.online.n;

	/* The folder of each cgroup is open, too. */
	if (r->cgroups)
		warnx("%u cgroups with %lu file descriptors on each of %u CPUs need %lu; "
		      "raise the limit (ulimit -n), or count fewer events or cgroups",
		      r->cgroups->n, each, cpus, (each * cpus + 1) * r->cgroups->n);
	else
		warnx("%u CPUs with %lu file descriptors each need %lu; raise the limit "
		      "(ulimit -n) or count fewer events",
		      r->cpus.n, each, each * r->cpus.n);
}

/* Returns -1, after a message, if the set can be bound on no CPU. */
static int bind_all(struct run *r, unsigned set)
{
	const int64_t begin = clock_ns();
	const unsigned n = cpus_bind(&r->cpus, set);

	if (errno == EMFILE)
		print_descriptors(r, set);
	/*
	 * CPUs and cgroups are bound one after the other; this is the mean of their
	 * times.
	 */
	r->bound_at = begin + (clock_ns() - begin) / 2;
	if (r->soaker)
		soaker_run(r->soaker, r->soaks[set]);
	return n > 0 ? 0 : -1;
}

/* Let the files know which values of a set that is bound exist. */
static void announce(struct run *r, unsigned set)
{
	struct cpu_interval i;

	cpus_peek(&r->cpus, set, &i);
	outputs_announce(&r->outputs, &i);
}

/*
 * Bind and unbind all sets but the first, so that a failure shows before the set's turn.
 */
static int try_sets(struct run *r)
{
	for (unsigned i = 1; i < r->sets->n; i++) {
		if (bind_all(r, i) == -1)
			return -1;
		announce(r, i);
		cpus_unbind(&r->cpus, i);
	}
	return 0;
}

static void put(struct run *r, const struct cpu_interval *i)
{
	if (report_interval(&r->report, i) == -1)
		r->failed = 1;
	outputs_put(&r->outputs, i, r->skipped);
}

static void on_cpu(void *arg, int cpu, int online)
{
	struct run *r = arg;

	if (r->soaker && online)
		soaker_add(r->soaker, cpu);
	else if (r->soaker)
		soaker_drop(r->soaker, cpu);
}

static void on_ended(void *arg, const char *cgroup)
{
	struct run *r = arg;

	report_ended(&r->report, cgroup);
	outputs_ended(&r->outputs, cgroup);
}

/*
 * Look for CPUs and cgroups that have come or gone. set is the number of the set that is
 * bound, or -1 if no set is bound.
 */
static void follow(struct run *r, int set)
{
	const struct watcher w = {r, on_cpu, on_ended};
	const int rc = cpus_follow(&r->cpus, set, &w);

	if (rc == -1)
		err(EXIT_TOOL, "cannot list the CPUs%s", r->cgroups ? " or cgroups" : "");
	/* Readers of the metrics see that new cgroups begin at 0. */
	if (rc == 1 && set >= 0) {
		announce(r, (unsigned)set);
		outputs_again(&r->outputs);
	}
}

/* The set of sample n, if its time has come, or -1 if there is a rest before it (-p). */
static int set_at(const struct schedule *s, uint64_t n, int64_t now)
{
	return schedule_begin(s, n) <= now ? (int)schedule_set(s, n) : -1;
}

/* Sample n is due. Returns the number of the next sample, or 0 at the end. */
static uint64_t step(struct run *r, uint64_t n, int stop)
{
	const struct schedule *s = &r->schedule;
	const int64_t now = clock_ns();
	const uint64_t next = stop ? 0 : schedule_next(s, n, now, &r->skipped);
	const int set = next ? set_at(s, next, now) : -1;
	struct cpu_interval i = {.number = n, .bound_ns = now - r->bound_at};

	r->bound_at = now;
	cpus_sample(&r->cpus, schedule_set(s, n), set, s->start, &i);
	if (r->soaker)
		soaker_run(r->soaker, set >= 0 && r->soaks[set]);
	if (i.n > 0 || r->cgroups)
		put(r, &i);
	follow(r, set);
	if (r->failed || !next)
		return 0;
	if (set < 0) {
		if (deadline_wait(schedule_begin(s, next)) == -1)
			return 0;
		bind_all(r, schedule_set(s, next));
	}
	return next;
}

static void count(struct run *r)
{
	uint64_t n = 1;

	while (n) {
		const int stop = deadline_wait(schedule_end(&r->schedule, n));

		n = step(r, n, stop);
	}
	report_totals(&r->report);
}

/* The record of the run names the cgroups that are counted now. */
static void begin(struct run *r)
{
	struct record_run *run = &r->report.recording.run;
	const char **path = r->cgroups ? calloc(r->cgroups->n + 1, sizeof *path) : NULL;

	if (r->cgroups && !path)
		err(EXIT_TOOL, "cannot store the paths of the cgroups");
	for (unsigned i = 0; path && i < r->cgroups->n; i++)
		path[i] = r->cgroups->cgroup[i]->path;
	run->cgroup = path;
	run->ncgroups = path ? r->cgroups->n : 0;
	r->report.recording.file = outputs_records(&r->outputs);
	report_begin(&r->report, r->schedule.start, r->unix_ns, r->o->interval_ns);
	run->cgroup = NULL;
	free(path);
}

static int measure(struct run *r)
{
	r->unix_ns = clock_unix_ns();
	r->schedule = schedule_make(clock_ns(), r->o->interval_ns, r->o->period_ns,
				    r->sets->n, r->o->count);
	if (r->cgroups)
		report_cgroups(&r->report, cgroups_width(r->cgroups));
	report_open(&r->report, r->o, r->cpc, r->shown, r->sets->n, r->unix_ns);
	if (bind_all(r, 0) == -1)
		return EXIT_TOOL;
	announce(r, 0);
	if (outputs_start(&r->outputs, r->unix_ns) == -1)
		return EXIT_TOOL;
	deadline_init();
	if (r->o->chart)
		deadline_on_resize(chart_resize, r->report.recording.sink);
	begin(r);
	count(r);
	report_skipped(r->skipped);
	const int status = report_notes(&r->report, r->o);
	return r->failed || r->cpus.failed || (r->cgroups && r->cgroups->failed) ||
			       outputs_failed(&r->outputs)
		       ? EXIT_TOOL
		       : status;
}

int run(const struct options *o)
{
	struct run r;

	open_run(&r, o);
	int status = EXIT_TOOL;
	if (outputs_prepare(&r.outputs, o, r.shown, r.sets->n) == 0 && try_sets(&r) == 0)
		status = measure(&r);
	report_end(&r.report, status, deadline_signal(), r.skipped);
	if (r.report.view && report_close(&r.report) == -1)
		status = EXIT_TOOL;
	if (outputs_close(&r.outputs) == -1)
		status = EXIT_TOOL;
	soaker_free(r.soaker);
	cpus_close(&r.cpus);
	cgroups_close(r.cgroups);
	sets_free(r.sets);
	cpc_close(r.cpc);
	free(r.shown);
	free(r.soaks);
	return status;
}
