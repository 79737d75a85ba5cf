#include "cpus.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/cpulist.h"
#include "common/message.h"

static const char online_cpus[] = "/sys/devices/system/cpu/online";

static const struct row_set *shown(const struct cpus *c, unsigned set)
{
	return &c->sets->member[set].show;
}

/* Return the number of the place in c->counts of a CPU or cgroup. */
static unsigned place_of(const struct cpus *c, const struct counted_cpu *cpu)
{
	return (unsigned)(cpu - c->cpu);
}

static void unbind(struct cpus *c, struct counted_cpu *cpu)
{
	cpc_remotes_unbind(c->cpc, c->counts, place_of(c, cpu));
	cpu->bound = -1;
}

static unsigned most_requests(const struct cpus *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->sets->n; i++)
		if (shown(c, i)->n > n)
			n = shown(c, i)->n;
	return n;
}

/* Does a counted CPU come after a cgroup (or NULL) on the CPU id? */
static int is_after(const struct counted_cpu *cpu, const struct cgroup *cgroup, int id)
{
	const int order = cgroup ? strcmp(cpu->path, cgroup->path) : 0;

	return order ? order > 0 : cpu->id > id;
}

static int make_room(struct cpus *c)
{
	if (array_grow(&c->cpu, c->n, sizeof *c->cpu) == -1 ||
	    array_grow(&c->sample, c->n, sizeof *c->sample) == -1)
		return -1;
	return array_grow(&c->value, c->n, (c->width + 1) * sizeof *c->value);
}

/* Insert a CPU, or a cgroup on it, by ascending path and id. */
int cpus_add(struct cpus *c, struct cgroup *cgroup, int id)
{
	unsigned at = c->n;

	if (make_room(c) == -1)
		return -1;
	while (at > 0 && is_after(&c->cpu[at - 1], cgroup, id))
		at--;
	if (cpc_remotes_insert(c->counts, at) == -1)
		return -1;
	struct counted_cpu *cpu = &c->cpu[at];
	memmove(cpu + 1, cpu, (c->n - at) * sizeof *cpu);
	*cpu = (struct counted_cpu){.cgroup = cgroup,
				    .path = cgroup ? cgroup->path : NULL,
				    .id = id,
				    .bound = -1};
	c->n++;
	if (topology_place(c->topology, id, &cpu->core, &cpu->socket) == -1)
		return -1;
	cpu->state = calloc(c->sets->n, sizeof *cpu->state);
	return cpu->state ? 0 : -1;
}

void cpus_drop(struct cpus *c, unsigned at)
{
	cpc_remotes_remove(c->cpc, c->counts, at);
	free(c->cpu[at].state);
	c->n--;
	memmove(&c->cpu[at], &c->cpu[at + 1], (c->n - at) * sizeof *c->cpu);
}

/*
 * The processes of a cgroup may run on CPUs that are not in our cpuset. If the list of
 * all CPUs that are online is missing, count on those that we may run on. Each read from
 * the beginning returns the present list.
 */
int cpus_list(const struct cpus *c, struct cpulist *l)
{
	char text[16384];
	ssize_t n = -1;

	if (c->online_file != -1)
		n = pread(c->online_file, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 && cpulist_parse(l, text) == 0 ? 0 : cpulist_allowed(l);
}

int cpus_add_all(struct cpus *c, struct cgroup *cgroup)
{
	for (unsigned i = 0; i < c->online.n; i++)
		if (cpus_add(c, cgroup, c->online.cpu[i]) == -1)
			return -1;
	return 0;
}

int cpus_open(struct cpus *c, cpc_t *cpc, const struct sets *sets, int tick,
	      struct cgroups *cgroups)
{
	int rc = 0;

	*c = (struct cpus){.cpc = cpc, .sets = sets, .tick = tick, .cgroups = cgroups};
	c->online_file = cgroups ? open(online_cpus, O_RDONLY | O_CLOEXEC) : -1;
	c->width = most_requests(c);
	c->counts = cpc_remotes_new(c->width);
	c->topology = topology_new("");
	if (!c->counts || !c->topology || cpus_list(c, &c->online) == -1)
		return -1;
	if (!cgroups)
		rc = cpus_add_all(c, NULL);
	for (unsigned i = 0; rc == 0 && cgroups && i < cgroups->n; i++)
		rc = cpus_add_all(c, cgroups->cgroup[i]);
	return rc;
}

void cpus_close(struct cpus *c)
{
	while (c->n > 0)
		cpus_drop(c, c->n - 1);
	cpc_remotes_free(c->cpc, c->counts);
	free(c->cpu);
	free(c->sample);
	free(c->value);
	if (c->online_file != -1)
		close(c->online_file);
	cpulist_free(&c->online);
	topology_free(c->topology);
}

static int bind_set(struct cpus *c, struct counted_cpu *cpu, unsigned set)
{
	const struct engine_cgroup *cgroup = cpu->cgroup ? &cpu->cgroup->engine : NULL;

	message_capture_begin();
	if (cpc_remotes_bind(c->cpc, c->counts, place_of(c, cpu),
			     c->sets->member[set].set, cgroup, cpu->id) == -1)
		return -1;
	cpu->bound = (int)set;
	return 0;
}

/* Is it online, and in our cpuset if whole CPUs are counted? */
static int is_usable(const struct cpus *c, int cpu)
{
	struct cpulist online;

	if (cpus_list(c, &online) == -1)
		return 1;
	const int is_online = cpulist_has(&online, cpu);
	cpulist_free(&online);
	return is_online;
}

/*
 * A bind failed with errno: ENOENT if the CPU's PMU lacks an event; ENOSYS also if the
 * CPU is offline (cpc_bind_cpu(3)), which cpus_follow() will find.
 */
static void refuse(struct cpus *c, const struct counted_cpu *cpu, unsigned set)
{
	const int e = errno;

	if (e == ENOSYS && !is_usable(c, cpu->id))
		return;
	/* cpus_follow() will find that the cgroup is gone. */
	if (cpu->cgroup && !cgroups_exists(cpu->cgroup))
		return;
	cpu->state[set] = e == ENOENT ? ABSENT : REFUSED;
	errno = e;
	failures_add(e == ENOENT ? &c->absent : &c->failures, cpu->id, cpu->path);
}

/*
 * Bind a set on a CPU where it may not be bound yet. Returns 1 if the set is bound there
 * after the call, else 0; if the bind failed, errno says why.
 */
static int bind_or_refuse(struct cpus *c, struct counted_cpu *cpu, unsigned set)
{
	if (cpu->bound == (int)set)
		return 1;
	if (cpu->state[set] != USABLE)
		return 0;
	if (bind_set(c, cpu, set) == 0)
		return 1;
	const int e = errno;
	refuse(c, cpu, set);
	errno = e;
	return 0;
}

/* Unbind a set of n CPUs, on some of which it is refused. Returns how many were bound. */
static unsigned refuse_all(struct cpus *c, struct counted_cpu *cpu, unsigned n,
			   unsigned set)
{
	unsigned bound = 0, refused = 0;

	for (unsigned i = 0; i < n; i++)
		refused += cpu[i].state[set] == REFUSED;
	for (unsigned i = 0; refused && i < n; i++) {
		if (cpu[i].bound != (int)set)
			continue;
		unbind(c, &cpu[i]);
		cpu[i].state[set] = REFUSED;
		bound++;
	}
	return bound;
}

/* A cgroup that is refused on a CPU is counted on none: its row would be too small. */
static unsigned refuse_cgroups(struct cpus *c, unsigned set)
{
	unsigned bound = 0;

	for (unsigned i = 0, n; i < c->n; i += n) {
		for (n = 1; i + n < c->n && c->cpu[i + n].cgroup == c->cpu[i].cgroup; n++)
			;
		bound += refuse_all(c, &c->cpu[i], n, set);
	}
	return bound;
}

/* An event that no CPU has is a failure. An event that some CPUs lack is not. */
static void report_failures(struct cpus *c, unsigned bound)
{
	if (c->failures.n || (c->absent.n && !bound))
		c->failed = 1;
	const unsigned n = c->cgroups ? c->cgroups->n : c->n;
	failures_print(&c->failures, n);
	failures_print(&c->absent, n);
}

unsigned cpus_bind(struct cpus *c, unsigned set)
{
	unsigned bound = 0;
	int first = 0;

	for (unsigned i = 0; i < c->n; i++) {
		errno = 0;
		const int is_bound = bind_or_refuse(c, &c->cpu[i], set);
		if (!is_bound && !first)
			first = errno;
		bound += (unsigned)is_bound;
	}
	if (c->cgroups && c->failures.n)
		bound -= refuse_cgroups(c, set);
	report_failures(c, bound);
	errno = first;
	return bound;
}

void cpus_unbind(struct cpus *c, unsigned set)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->cpu[i].bound == (int)set)
			unbind(c, &c->cpu[i]);
}

static cpc_value_t *values_of(const struct cpus *c, unsigned n)
{
	return c->value + (size_t)n * c->width;
}

/* Begin sample n of an interval. */
static struct cpu_sample *add_sample(struct cpus *c, const struct counted_cpu *cpu,
				     unsigned n)
{
	c->sample[n] = (struct cpu_sample){
		.cgroup = cpu->path,
		.cpu = cpu->id,
		.core = cpu->core,
		.socket = cpu->socket,
		.value = values_of(c, n),
	};
	return &c->sample[n];
}

void cpus_peek(struct cpus *c, unsigned set, struct cpu_interval *i)
{
	*i = (struct cpu_interval){.set = set, .sample = c->sample};
	for (unsigned k = 0; k < c->n; k++) {
		const struct counted_cpu *cpu = &c->cpu[k];

		if (cpu->bound != (int)set ||
		    cpc_remotes_peek(c->cpc, c->counts, k, c->sets->member[set].set,
				     values_of(c, i->n)) == -1)
			continue;
		add_sample(c, cpu, i->n++);
	}
}

/*
 * A set could not be sampled. EAGAIN means that the CPU was offline since the previous
 * sample and its counters have stopped (cpc_bind_cpu(3)); the set can be bound again.
 */
static void stop(struct cpus *c, struct counted_cpu *cpu)
{
	const unsigned set = (unsigned)cpu->bound;
	const int e = errno;

	unbind(c, cpu);
	if (e == EAGAIN && is_usable(c, cpu->id)) {
		warnx("cpu%d was offline", cpu->id);
	} else if (e != EAGAIN) {
		cpu->state[set] = REFUSED;
		c->failed = 1;
		if (cpu->path)
			warnx("cgroup '%s' on cpu%d - %s; its rows lack this CPU from "
			      "now on",
			      cpu->path, cpu->id, strerror(e));
		else
			warnx("cpu%d - %s", cpu->id, strerror(e));
	}
}

/*
 * Return how many places from k on are sampled directly one after the other: those in
 * which a cgroup is counted and the set stays bound, but not more than have almost the
 * same time. Returns 0 if the set is not bound in place k.
 */
static unsigned stretch(const struct cpus *c, unsigned k, unsigned set, int next)
{
	const unsigned most = c->cgroups && next == (int)set ? CPC_REMOTES_TOGETHER : 1;
	unsigned n = 0;

	while (n < most && k + n < c->n && c->cpu[k + n].bound == (int)set)
		n++;
	return n;
}

/*
 * Sample n places from k on, in which the set is bound. Returns how many places were
 * sampled, or have stopped.
 */
static unsigned sample(struct cpus *c, unsigned k, unsigned n, int64_t start,
		       struct cpu_interval *i)
{
	uint64_t on[CPC_REMOTES_TOGETHER];
	const int64_t ns = clock_ns() - start;
	const unsigned done =
		cpc_remotes_sample(c->cpc, c->counts, k, n, c->sets->member[i->set].set,
				   values_of(c, i->n), on);

	for (unsigned at = 0; at < done; at++) {
		struct cpu_sample *s = add_sample(c, &c->cpu[k + at], i->n);
		const int is_same = i->n && s->cgroup && s[-1].cgroup == s->cgroup;

		s->ns = is_same ? s[-1].ns : ns;
		s->tick = c->tick ? cpc_remotes_cycles(c->cpc, on[at]) : 0;
		i->n++;
	}
	if (done == n)
		return n;
	stop(c, &c->cpu[k + done]);
	return done + 1;
}

/* Bind the set next, or none for -1, in n places. Returns in how many it is bound. */
static unsigned bind_next(struct cpus *c, unsigned k, unsigned n, int next)
{
	unsigned bound = 0;

	for (struct counted_cpu *cpu = &c->cpu[k]; n > 0; n--, cpu++) {
		if (next != cpu->bound && cpu->bound != -1)
			unbind(c, cpu);
		if (next != cpu->bound)
			bind_or_refuse(c, cpu, (unsigned)next);
		bound += cpu->bound != -1;
	}
	return bound;
}

void cpus_sample(struct cpus *c, unsigned set, int next, int64_t start,
		 struct cpu_interval *i)
{
	unsigned bound = 0;

	i->set = set;
	i->n = 0;
	i->sample = c->sample;
	for (unsigned k = 0, n; k < c->n; k += n) {
		n = stretch(c, k, set, next);
		n = n ? sample(c, k, n, start, i) : 1;
		bound += bind_next(c, k, n, next);
	}
	if (c->cgroups && c->failures.n)
		bound -= refuse_cgroups(c, (unsigned)next);
	report_failures(c, bound);
}
