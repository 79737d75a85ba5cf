#include "engine/sample/set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "engine/kernel/machine.h"
#include "engine/kernel/refusal.h"
#include "engine/kernel/sysfs.h"
#include "engine/why.h"

/* The greatest interval of LWP, and the shortest that the kernel gives cpu-clock. */
enum { MAX_INTERVAL = 1 << 25, MIN_CLOCK = 10000 };

/* IBS counts in steps; the high bits of its counter. */
enum { IBS_STEP = 16 };

/* A way to have an event. */
struct way {
	enum sample_kind kind;
	uint32_t type;
	uint64_t config;
	const char *name;   /* of sysfs, behind "PMU/"; NULL: type and config say it */
	const char *label;  /* for people */
	const char *remark; /* what its records are; "" if the label says it */
	unsigned precise;   /* the highest precise_ip to try */
	unsigned substitute : 1, counts : 1;
};

enum { WAYS = 2 };

static const struct event {
	const char *name;
	uint8_t id;
	uint64_t interval;
	struct way way[WAYS];
	const char *missing; /* why this machine cannot sample the event */
} events[] = {
	{"ire",
	 LWP_EVENT_IRE,
	 1000000,
	 {{SAMPLE_PLAIN, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, NULL,
	   "instructions", "", 2, 0, 1}},
	 "has no counter of instructions that can interrupt; --engine=sim simulates "
	 "instructions"},
	{"bre",
	 LWP_EVENT_BRE,
	 100000,
	 {{SAMPLE_BRANCHES, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, NULL,
	   "branches", ", the last taken branch of the branch stack", 2, 0, 1},
	  {SAMPLE_IBS_BRANCH, 0, 0, "ibs_op/cnt_ctl=1/", "ibs_op",
	   ", ops that are branches", 0, 0, 0}},
	 "records neither stacks of branches nor ops (PMU ibs_op); --engine=sim "
	 "simulates branches"},
	{"dme",
	 LWP_EVENT_DME,
	 10000,
	 {{SAMPLE_LOADS, 0, 0, "mem-loads/", "mem-loads", ", loads that missed", 2, 0, 0},
	  {SAMPLE_IBS_LOAD, 0, 0, "ibs_op/cnt_ctl=1/", "ibs_op", ", ops that missed", 0,
	   0, 0}},
	 "does not record addresses and latencies of loads (event mem-loads, PMU "
	 "ibs_op); --engine=sim simulates misses"},
	{"cnh",
	 LWP_EVENT_CNH,
	 1000000,
	 {{SAMPLE_PLAIN, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, NULL, "cycles", "",
	   2, 0, 1},
	  {SAMPLE_PLAIN, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, NULL, "cpu-clock",
	   ", ns in place of cycles", 0, 1, 0}},
	 "has no counter of cycles and no clock that can interrupt"},
	{"rnh",
	 LWP_EVENT_RNH,
	 1000000,
	 {{SAMPLE_PLAIN, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, NULL,
	   "ref-cycles", "", 0, 0, 1},
	  {SAMPLE_PLAIN, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, NULL, "cpu-clock",
	   ", ns in place of reference cycles", 0, 1, 0}},
	 "has no counter of reference cycles and no clock that can interrupt"},
};

enum { NEVENTS = sizeof events / sizeof *events };

/* ---- The set */

int sample_set_open(const struct sample_set *s, const struct perf_event_attr *attr,
		    pid_t tid)
{
	struct perf_event_attr copy = *attr;

	return kernel_event_open(s->env, &copy, tid, -1, -1);
}

/* Linux before 6.0 does not say how many records of an event it has lost. */
static uint64_t find_format(const struct sample_set *s)
{
	const uint64_t times =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	const struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
					     .size = sizeof attr,
					     .config = PERF_COUNT_SW_DUMMY,
					     .read_format = times | PERF_FORMAT_LOST,
					     .exclude_kernel = 1};
	const int fd = sample_set_open(s, &attr, 0);

	if (fd < 0)
		return times;
	close(fd);
	return attr.read_format;
}

/*
 * PMUs that do not say how precise they are, such as those of arm64, open events with any
 * precise_ip and ignore it.
 */
static unsigned find_precise(const struct sample_set *s, const struct kernel_core *core)
{
	unsigned precise = s->ncores ? 3 : 0;

	for (unsigned i = 0; i < s->ncores; i++) {
		char text[16] = "";

		file_read(text, sizeof text,
			  "%s/sys/bus/event_source/devices/%s/caps/max_precise",
			  s->env->root, core[i].name);
		const unsigned n = (unsigned)strtoul(text, NULL, 10);
		precise = n < precise ? n : precise;
	}
	return precise;
}

struct sample_set *sample_set_new(const struct kernel_env *env)
{
	struct sample_set *s = calloc(1, sizeof *s);
	struct kernel_core core[KERNEL_SYSFS_CORES];

	if (!s)
		return NULL;
	s->env = env ? env : &kernel_env_host;
	s->ncores = kernel_sysfs_cores(s->env->root, core);
	s->precise = find_precise(s, core);
	s->format = find_format(s);
	return s;
}

void sample_set_free(struct sample_set *s)
{
	free(s);
}

const struct sample_source *sample_set_sources(const struct sample_set *s, unsigned *n)
{
	*n = s->n;
	return s->source;
}

/* ---- Refusals */

/* Does the errno say that the machine does not have an event? */
static int is_missing(int error)
{
	return error == ENOENT || error == EOPNOTSUPP || error == ENODEV ||
	       error == EINVAL || error == ENODATA;
}

static int refuse(const struct sample_set *s, const char *name,
		  const struct perf_event_attr *attr, pid_t tid, int error,
		  struct why *why)
{
	const struct kernel_refusal r = {.err = error,
					 .name = name,
					 .ev = {.type = attr->type,
						.config = {attr->config},
						.exclude_kernel = attr->exclude_kernel},
					 .fds_need = s->n + 1,
					 .tid = tid,
					 .cpu = -1};
	struct kernel_machine m;

	kernel_machine_read(s->env->root, &m);
	m.core_pmu = s->ncores > 0;
	kernel_machine_try(s->env, &m);
	kernel_refusal_text(&r, &m, why);
	errno = error;
	return -1;
}

int sample_set_refuse(const struct sample_set *s, unsigned event, pid_t tid, int error,
		      struct why *why)
{
	return refuse(s, s->source[event].name, &s->choice[event].attr[0], tid, error,
		      why);
}

/* ---- How an event is opened */

static void describe(const struct sample_set *s, const struct way *w, uint64_t interval,
		     struct perf_event_attr *attr)
{
	attr->size = sizeof *attr;
	attr->sample_period = interval;
	attr->sample_type = sample_kind_type(w->kind);
	attr->read_format = s->format;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	if (w->kind == SAMPLE_BRANCHES)
		attr->branch_sample_type =
			PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
}

/* Fill attr by the name of sysfs. Returns 0, or -1 with errno. */
static int encode(const struct sample_set *s, const char *name,
		  struct perf_event_attr *attr)
{
	struct kernel_event ev = {0};
	char unit[8];

	if (kernel_sysfs_encode(s->env->root, name, &ev, unit, sizeof unit, NULL) == -1)
		return -1;
	kernel_event_attr(&ev, attr);
	return 0;
}

/* Is there an event for each kind of core? A generic one counts on one kind alone. */
static int is_of_core(const struct way *w)
{
	return w->name ? w->kind == SAMPLE_LOADS : w->type == PERF_TYPE_HARDWARE;
}

/* Fill attr of a part; core: its PMU, or NULL. Returns 0, or -1 with errno. */
static int fill_part(const struct sample_set *s, const struct way *w,
		     const struct kernel_core *core, struct perf_event_attr *attr)
{
	char name[sizeof core->name + 32];

	*attr = (struct perf_event_attr){.type = w->type, .config = w->config};
	if (w->name) {
		snprintf(name, sizeof name, "%.63s%s%.30s", core ? core->name : "",
			 core ? "/" : "", w->name);
		return encode(s, name, attr);
	}
	if (core)
		attr->config |= (uint64_t)core->type << 32; /* PERF_PMU_TYPE_SHIFT */
	return 0;
}

static int find_parts(const struct sample_set *s, const struct way *w, uint64_t interval,
		      struct sample_choice *c)
{
	struct kernel_core core[KERNEL_SYSFS_CORES];
	const unsigned n = kernel_sysfs_cores(s->env->root, core);
	const int each = is_of_core(w) && (n > 1 || w->name);

	c->n = each ? n : 1;
	for (unsigned i = 0; i < c->n; i++) {
		if (fill_part(s, w, each ? &core[i] : NULL, &c->attr[i]) == -1)
			return -1;
		describe(s, w, interval, &c->attr[i]);
	}
	if (c->n)
		return 0;
	errno = ENOENT;
	return -1;
}

static int opens(const struct sample_set *s, const struct perf_event_attr *attr)
{
	const int fd = sample_set_open(s, attr, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Try the highest precision first. Returns 0, or -1 with errno of the lowest. */
static int settle(const struct sample_set *s, const struct way *w,
		  struct perf_event_attr *attr)
{
	const unsigned precise = w->precise < s->precise ? w->precise : s->precise;

	for (unsigned p = precise + 1; p-- > 0;) {
		attr->precise_ip = p & 3;
		if (opens(s, attr))
			return 0;
	}
	return -1;
}

/*
 * IBS before Linux 6.14 cannot leave system mode out; then samples of system mode are
 * taken and ignored. Since then the kernel can ignore them (swfilt).
 */
static int settle_ibs(const struct sample_set *s, struct perf_event_attr *attr)
{
	struct perf_event_attr filtered = *attr, words;

	if (encode(s, "ibs_op/cnt_ctl=1,swfilt=1/", &words) == 0) {
		filtered.config = words.config;
		filtered.config1 = words.config1;
		filtered.config2 = words.config2;
		if (opens(s, &filtered)) {
			*attr = filtered;
			return 0;
		}
	}
	attr->exclude_kernel = 0;
	attr->exclude_hv = 0;
	return opens(s, attr) ? 0 : -1;
}

static void label(const struct way *w, struct sample_choice *c)
{
	static const char *const precision[] = {"", "p", "pp", "ppp"};

	snprintf(c->origin, sizeof c->origin, "perf %s:u%s%s", w->label,
		 precision[c->attr[0].precise_ip], w->remark);
}

/* Returns 0 if the way is open, or -1 with errno. */
static int try_way(const struct sample_set *s, const struct way *w, uint64_t interval,
		   struct sample_choice *c)
{
	if (!w->label) {
		errno = ENOENT;
		return -1;
	}
	c->kind = w->kind;
	if (find_parts(s, w, interval, c) == -1)
		return -1;
	for (unsigned i = 0; i < c->n; i++)
		if ((sample_kind_is_ibs(w->kind) ? settle_ibs(s, &c->attr[i])
						 : settle(s, w, &c->attr[i])) == -1)
			return -1;
	label(w, c);
	return 0;
}

/* ---- Additions */

static const struct event *find(const char *name)
{
	for (unsigned i = 0; i < NEVENTS; i++)
		if (strcmp(events[i].name, name) == 0)
			return &events[i];
	return NULL;
}

/* Refuse an interval that the way cannot have, or a counter that is in use. */
static int check(const struct sample_set *s, const struct event *e, const struct way *w,
		 uint64_t interval, struct why *why)
{
	if (w->substitute && interval < MIN_CLOCK)
		return why_refuse(why, EINVAL,
				  "%s: this machine has no such counter, and cpu-clock "
				  "in its place makes at most one record each %d ns; "
				  "give an interval of %d or more",
				  e->name, MIN_CLOCK, MIN_CLOCK);
	if (!sample_kind_is_ibs(w->kind))
		return 0;
	if (interval % IBS_STEP)
		return why_refuse(why, EINVAL,
				  "%s: the interval of ibs_op is a multiple of %d",
				  e->name, IBS_STEP);
	for (unsigned i = 0; i < s->n; i++)
		if (sample_kind_is_ibs(s->choice[i].kind))
			return why_refuse(why, EBUSY,
					  "%s: %s has the only counter of ibs_op; record "
					  "one of the events at a time",
					  e->name, s->source[i].name);
	return 0;
}

/* The event has no way: the first errno that does not mean "missing" is the reason. */
static int refuse_event(const struct sample_set *s, const struct event *e, int error,
			const struct perf_event_attr *attr, struct why *why)
{
	if (!is_missing(error))
		return refuse(s, e->name, attr, 0, error, why);
	return why_refuse(why, ENOTSUP, "%s: this machine %s", e->name, e->missing);
}

static void add(struct sample_set *s, const struct event *e, const struct way *w,
		uint64_t interval)
{
	s->source[s->n] = (struct sample_source){.id = e->id,
						 .name = e->name,
						 .interval = interval,
						 .origin = s->choice[s->n].origin,
						 .substitute = w->substitute,
						 .counts = w->counts};
	s->n++;
}

int sample_set_add(struct sample_set *s, const char *name, uint64_t interval,
		   struct why *why)
{
	const struct event *e = find(name);

	if (!e)
		return why_refuse(
			why, EINVAL,
			"perf events do not give records of '%s': choose ire, bre, "
			"dme, cnh or rnh",
			name);
	if (interval > MAX_INTERVAL)
		return why_refuse(why, EINVAL, "%s: the interval is greater than %d",
				  name, MAX_INTERVAL);
	for (unsigned i = 0; i < s->n; i++)
		if (s->source[i].id == e->id)
			return why_refuse(why, EEXIST, "%s is given twice", name);
	if (!interval)
		interval = e->interval;
	for (unsigned i = 0; i < WAYS; i++) {
		struct sample_choice *const c = &s->choice[s->n];

		if (try_way(s, &e->way[i], interval, c) == 0) {
			if (check(s, e, &e->way[i], interval, why) == -1)
				return -1;
			add(s, e, &e->way[i], interval);
			return 0;
		}
		if (!is_missing(errno))
			return refuse_event(s, e, errno, &c->attr[0], why);
	}
	return refuse_event(s, e, ENOENT, NULL, why);
}
