#include "engine/kernel/lifetimes.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpulist.h"
#include "base/text.h"
#include "engine/bpf/host.h"
#include "engine/bpf/tasks.h"
#include "engine/kernel/bind.h"
#include "engine/kernel/machine.h"
#include "engine/why.h"

/* An event of the kernel. */
struct program_part {
	unsigned sel;
	uint64_t factor;
	int with_previous; /* it runs at the same time as the part before */
};

struct lifetimes {
	struct bpf_tasks *tasks;
	unsigned nsel, nparts;
	struct program_part part[BPF_MOST_PARTS];
	struct count *val; /* [nsel]: of the record that is reported */
	int64_t ns;	   /* when the LWPs that live were sampled */
	uint32_t missing;  /* of all records: bit i: part i could not be read */
	/* the caller's, of a call that reports */
	void *arg;
	void (*fn)(void *arg, const struct engine_life *life);
};

/* Descriptors that are open while the programs are loaded. */
struct opened {
	unsigned ncpus;
	int *fd;	      /* [nparts][ncpus], as in struct bpf_tasks_how */
	struct group **group; /* [ncpus] */
};

/*
 * Between an LWP's last instruction on a CPU and the switch to the next LWP, and after
 * the switch, the kernel does some work in which tracepoints of other groups can fire:
 * what these count could belong to either LWP.
 */
static int is_outside_switches(const char *name)
{
	static const char *const groups[] = {
		"syscalls:", "raw_syscalls:", "exceptions:", "signal:", "block:",
		"filemap:",  "net:",	      "sock:",	     "tcp:"};

	for (unsigned i = 0; i < sizeof groups / sizeof groups[0]; i++)
		if (strncmp(name, groups[i], strlen(groups[i])) == 0)
			return 1;
	return 0;
}

/* Refuse what BPF programs would count in another LWP than the kernel does. */
static int check_event(struct kernel_host *host, const struct evsel *s, struct why *why)
{
	const enum source source = kernel_event_source(&s->ev[0]);

	if (source == SOURCE_TRACEPOINT && !is_outside_switches(s->name))
		return why_refuse(why, ENOTSUP,
				  "%s: BPF programs cannot tell which LWP a tracepoint "
				  "belongs to that fires while LWPs are switched",
				  s->name);
	if (source == SOURCE_SCHEDULER &&
	    s->ev[0].config[0] == PERF_COUNT_SW_CGROUP_SWITCHES)
		return why_refuse(why, ENOTSUP,
				  "%s: BPF programs cannot tell which LWP a switch of "
				  "cgroups belongs to",
				  s->name);
	return kernel_bind_try(host, s, &(struct target){0}, why);
}

static int check_events(struct kernel_host *host, const struct evsel *const *sel,
			unsigned n, struct why *why)
{
	const unsigned parts = kernel_group_parts(sel, n);

	if (!parts || parts > BPF_MOST_PARTS)
		return why_refuse(why, parts ? E2BIG : EINVAL,
				  "BPF programs count 1 to %d events, and these are %u",
				  BPF_MOST_PARTS, parts);
	for (unsigned i = 0; i < n; i++)
		if (check_event(host, sel[i], why) == -1)
			return -1;
	return 0;
}

/* List the parts of all evsels. Returns a mask of those that are switches of contexts. */
static uint32_t list_parts(struct lifetimes *l, const struct evsel *const *sel)
{
	uint32_t switches = 0;

	for (unsigned i = 0; i < l->nsel; i++)
		for (unsigned k = 0; k < sel[i]->n; k++) {
			const struct kernel_event *ev = &sel[i]->ev[k];
			/* With exclude_kernel the kernel counts no switches. */
			const int counts_switches =
				kernel_event_source(ev) == SOURCE_SWITCHES &&
				!ev->exclude_kernel;

			switches |= (uint32_t)counts_switches << l->nparts;
			l->part[l->nparts++] = (struct program_part){
				.sel = i,
				.factor = sel[i]->factor,
				.with_previous = k > 0 && ev[-1].core == ev->core,
			};
		}
	return switches;
}

/*
 * Enter the descriptors of a CPU. Its group has the parts that the CPU can count, in
 * their order.
 */
static void enter_group(struct opened *o, unsigned cpu, const struct group *g,
			const struct evsel *const *sel, unsigned nsel)
{
	unsigned at = 0, part = 0;

	for (unsigned i = 0; i < nsel; i++)
		for (unsigned k = 0; k < sel[i]->n; k++, part++) {
			int *fd = &o->fd[part * o->ncpus + cpu];
			const struct part *p = at < g->n ? &g->part[at] : NULL;

			*fd = -1;
			if (!p || p->sel != i || p->core != sel[i]->ev[k].core)
				continue;
			*fd = p->fd;
			at++;
		}
}

/*
 * A CPU of another kind of core can lack all events, but never one that the kernel counts
 * without a PMU. A CPU can go offline at any time.
 */
static int is_without_events(const struct kernel_host *host, unsigned cpu,
			     const struct evsel *const *sel, unsigned nsel)
{
	if (errno == ENODEV)
		return !kernel_machine_is_online(host->env.root, (int)cpu);
	for (unsigned i = 0; i < nsel; i++)
		if (kernel_event_is_software(&sel[i]->ev[0]))
			return 0;
	return errno == ENOENT;
}

/* Returns 1 if the CPU can count some of the events, 0 if none, or -1 with *why. */
static int open_cpu(struct kernel_host *host, struct opened *o, unsigned cpu,
		    const struct evsel *const *sel, unsigned nsel, unsigned nparts,
		    struct why *why)
{
	const struct target t = {.tid = -1, .cpu = (int)cpu};

	o->group[cpu] = kernel_bind_open(host, &t, sel, nsel, why);
	if (o->group[cpu]) {
		enter_group(o, cpu, o->group[cpu], sel, nsel);
		return 1;
	}
	const int e = errno;
	if (!is_without_events(host, cpu, sel, nsel)) {
		errno = e;
		return -1;
	}
	for (unsigned i = 0; i < nparts; i++)
		o->fd[i * o->ncpus + cpu] = e == ENOENT ? -1 : -2;
	return 0;
}

static int open_cpus(struct kernel_host *host, struct opened *o,
		     const struct evsel *const *sel, unsigned nsel, unsigned nparts,
		     struct why *why)
{
	struct cpulist online = {0};
	int some = 0;

	if (cpulist_read(&online, host->env.root, "online") == -1 || online.n == 0)
		return why_refuse(why, errno, "cannot list the CPUs: %s",
				  strerror(errno));
	o->ncpus = (unsigned)online.cpu[online.n - 1] + 1;
	o->fd = malloc(nparts * o->ncpus * sizeof *o->fd);
	o->group = calloc(o->ncpus, sizeof(struct group *));
	if (!o->fd || !o->group)
		some = why_refuse(why, ENOMEM, "%s", strerror(ENOMEM));
	for (unsigned i = 0; some >= 0 && i < nparts * o->ncpus; i++)
		o->fd[i] = -2;
	for (unsigned i = 0; some >= 0 && i < online.n; i++) {
		const int rc = open_cpu(host, o, (unsigned)online.cpu[i], sel, nsel,
					nparts, why);
		some = rc == -1 ? -1 : some | rc;
	}
	cpulist_free(&online);
	return some > 0 ? 0 : -1;
}

static void close_cpus(struct opened *o)
{
	const int e = errno;

	for (unsigned i = 0; o->group && i < o->ncpus; i++)
		kernel_bind_close(o->group[i]);
	free(o->group);
	free(o->fd);
	errno = e;
}

static int open_tasks(struct lifetimes *l, struct kernel_host *host,
		      const struct engine_tree *tree, const struct evsel *const *sel,
		      struct why *why)
{
	struct opened o = {0};
	const uint32_t switches = list_parts(l, sel);

	if (open_cpus(host, &o, sel, l->nsel, l->nparts, why) == 0)
		l->tasks = bpf_tasks_open(
			&(struct bpf_tasks_how){.nparts = l->nparts,
						.ncpus = o.ncpus,
						.fd = o.fd,
						.switches = switches,
						.holder = tree->holder,
						.follow_fork = tree->follow_fork,
						.follow_exec = tree->follow_exec},
			why);
	close_cpus(&o);
	return l->tasks ? 0 : -1;
}

int kernel_programs_check(struct why *why)
{
	return bpf_host_check(why);
}

struct lifetimes *kernel_programs_open(struct kernel_host *host,
				       const struct engine_tree *tree,
				       const struct evsel *const *sel, unsigned n,
				       struct why *why)
{
	struct lifetimes *l = NULL;

	if (bpf_host_check(why) == -1 || check_events(host, sel, n, why) == -1)
		return NULL;
	l = calloc(1, sizeof *l);
	if (l)
		*l = (struct lifetimes){.nsel = n, .val = calloc(n, sizeof *l->val)};
	if (!l || !l->val)
		why_refuse(why, ENOMEM, "%s", strerror(ENOMEM));
	else if (open_tasks(l, host, tree, sel, why) == 0)
		return l;
	kernel_programs_close(l);
	return NULL;
}

/* Keeps errno. */
void kernel_programs_close(struct lifetimes *l)
{
	const int e = errno;

	if (!l)
		return;
	bpf_tasks_close(l->tasks);
	free(l->val);
	free(l);
	errno = e;
}

/* Sum the parts of each evsel. */
static void sum_parts(const struct lifetimes *l, const struct bpf_value *v,
		      uint32_t missing, struct count *val)
{
	memset(val, 0, l->nsel * sizeof *val);
	for (unsigned i = 0; i < l->nparts; i++) {
		const struct program_part *p = &l->part[i];
		struct count *c = &val[p->sel];

		c->count += v[i].count * p->factor;
		if (c->enabled < v[i].enabled)
			c->enabled = v[i].enabled;
		c->running += p->with_previous ? 0 : v[i].running;
		c->absent |= missing >> i & 1;
	}
}

/* Returns the command line of a program, in the form of pctx/args.h, or NULL. */
static const char *join_args(const struct bpf_args *from, char text[BPF_ARGS_SIZE])
{
	size_t n = 0;

	for (uint32_t words = 0;
	     from && words < from->count && n < from->n && n < BPF_ARGS_SIZE - 1; n++) {
		text[n] = from->text[n];
		words += text[n] == '\0';
	}
	return text_words(text, n);
}

static void report(struct lifetimes *l, const struct bpf_life *from,
		   const struct bpf_args *args, enum engine_life_kind kind, int64_t ns)
{
	const int has_values = kind != LIFE_BIRTH;
	char name[BPF_NAME_SIZE + 1] = "", line[BPF_ARGS_SIZE];

	memcpy(name, from->name, BPF_NAME_SIZE);
	if (has_values)
		sum_parts(l, from->val, from->missing, l->val);
	l->missing |= from->missing;
	l->fn(l->arg, &(struct engine_life){.kind = kind,
					    .ns = ns,
					    .pid = (pid_t)from->pid,
					    .tid = (pid_t)from->tid,
					    .parent_pid = (pid_t)from->parent_pid,
					    .parent_tid = (pid_t)from->parent_tid,
					    .parent_sleeps = from->kind == BPF_LIFE_VFORK,
					    .name = name,
					    .args = join_args(args, line),
					    .val = has_values ? l->val : NULL});
}

static void report_record(void *lifetimes, const struct bpf_life *from)
{
	struct lifetimes *l = lifetimes;
	static const enum engine_life_kind kind[] = {[BPF_LIFE_BIRTH] = LIFE_BIRTH,
						     [BPF_LIFE_VFORK] = LIFE_BIRTH,
						     [BPF_LIFE_EXEC] = LIFE_EXEC,
						     [BPF_LIFE_END] = LIFE_END};

	report(l, from, bpf_tasks_args(l->tasks, from), kind[from->kind],
	       (int64_t)from->ns);
}

static void report_tick(void *lifetimes, const struct bpf_life *from)
{
	struct lifetimes *l = lifetimes;

	report(l, from, NULL, LIFE_TICK, l->ns);
}

void kernel_programs_read(struct lifetimes *l, int all, void *arg,
			  void (*fn)(void *arg, const struct engine_life *life))
{
	l->arg = arg;
	l->fn = fn;
	bpf_tasks_read(l->tasks, all, l, report_record);
}

int kernel_programs_living(struct lifetimes *l, void *arg,
			   void (*fn)(void *arg, const struct engine_life *life))
{
	l->arg = arg;
	l->fn = fn;
	/* An LWP that is found afterwards ends later. */
	l->ns = clock_ns();
	return bpf_tasks_living(l->tasks, l, report_tick);
}

int kernel_programs_total(struct lifetimes *l, struct count *val)
{
	struct bpf_value v[BPF_MOST_PARTS];
	uint32_t missing;

	if (bpf_tasks_total(l->tasks, v, &missing) == -1)
		return -1;
	sum_parts(l, v, missing, val);
	return 0;
}

uint64_t kernel_programs_lost(const struct lifetimes *l)
{
	return bpf_tasks_lost(l->tasks);
}

/*
 * A CPU that is online and was not when the programs were loaded has no events. A kernel
 * can also hide LWPs, such as those of an agent of the host of a virtual machine. Sums
 * over all LWPs are absent, too, if an LWP was not counted.
 */
const char *kernel_programs_why_absent(const struct lifetimes *l)
{
	if (l->missing && bpf_tasks_unseen(l->tasks))
		return "the kernel has hidden from BPF programs that LWPs came to a CPU; "
		       "--tracker=ptrace has their counts";
	if (l->missing)
		return "LWPs ran on a CPU that came online during the run, which BPF "
		       "programs do not count";
	return bpf_tasks_uncounted(l->tasks)
		       ? "BPF programs had no room for all LWPs; --tracker=ptrace has "
			 "their counts"
		       : NULL;
}
