#include "cpus.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/file.h"
#include "common/message.h"
#include "cpc/cgroup.h"

static const char online_cpus[] = "/sys/devices/system/cpu/online";

static const struct row_set *shown(const struct cpus *c, unsigned set)
{
	return &c->sets->member[set].show;
}

static void unbind(struct cpus *c, struct bound_set *b)
{
	if (b->state == BOUND) {
		cpc_unbind(c->cpc, b->set);
		b->state = FREE;
	}
}

static void release(struct cpus *c, struct counted_cpu *cpu)
{
	for (unsigned i = 0; cpu->bound && i < c->sets->n; i++) {
		struct bound_set *b = &cpu->bound[i];

		if (b->set)
			cpc_set_destroy(c->cpc, b->set);
		if (b->now)
			cpc_buf_destroy(c->cpc, b->now);
		if (b->last)
			cpc_buf_destroy(c->cpc, b->last);
	}
	free(cpu->bound);
	free(cpu->value);
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
	const int order = cgroup ? strcmp(cpu->cgroup->path, cgroup->path) : 0;

	return order ? order > 0 : cpu->id > id;
}

/* Insert a CPU, or a cgroup on it, by ascending path and id. */
int cpus_add(struct cpus *c, struct cgroup *cgroup, int id)
{
	struct counted_cpu *cpu = reallocarray(c->cpu, c->n + 1, sizeof *cpu);
	unsigned at = c->n;

	if (!cpu)
		return -1;
	c->cpu = cpu;
	struct cpu_sample *sample = reallocarray(c->sample, c->n + 1, sizeof *sample);
	if (!sample)
		return -1;
	c->sample = sample;
	while (at > 0 && is_after(&cpu[at - 1], cgroup, id))
		at--;
	memmove(&cpu[at + 1], &cpu[at], (c->n - at) * sizeof *cpu);
	cpu[at] = (struct counted_cpu){.cgroup = cgroup, .id = id};
	c->n++;
	if (topology_place(c->topology, id, &cpu[at].core, &cpu[at].socket) == -1)
		return -1;
	cpu[at].bound = calloc(c->sets->n, sizeof *cpu[at].bound);
	cpu[at].value = calloc(most_requests(c) + 1, sizeof *cpu[at].value);
	return cpu[at].bound && cpu[at].value ? 0 : -1;
}

void cpus_drop(struct cpus *c, unsigned at)
{
	release(c, &c->cpu[at]);
	c->n--;
	memmove(&c->cpu[at], &c->cpu[at + 1], (c->n - at) * sizeof *c->cpu);
}

/*
 * The processes of a cgroup may run on CPUs that are not in our cpuset. If the list of
 * all CPUs that are online is missing, count on those that we may run on.
 */
int cpus_list(const struct cpus *c, struct cpulist *l)
{
	char text[16384];

	if (c->cgroups && file_read(text, sizeof text, online_cpus) > 0 &&
	    cpulist_parse(l, text) == 0)
		return 0;
	return cpulist_allowed(l);
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
	c->topology = topology_new("");
	c->delta = calloc(sets->n, sizeof *c->delta);
	if (!c->topology || !c->delta || cpus_list(c, &c->online) == -1)
		return -1;
	for (unsigned i = 0; rc == 0 && i < sets->n; i++) {
		c->delta[i] = cpc_buf_create(cpc, sets->member[i].set);
		if (!c->delta[i])
			rc = -1;
	}
	if (rc == 0 && !cgroups)
		rc = cpus_add_all(c, NULL);
	for (unsigned i = 0; rc == 0 && cgroups && i < cgroups->n; i++)
		rc = cpus_add_all(c, cgroups->cgroup[i]);
	return rc;
}

void cpus_close(struct cpus *c)
{
	while (c->n > 0)
		cpus_drop(c, c->n - 1);
	for (unsigned i = 0; c->delta && i < c->sets->n; i++)
		if (c->delta[i])
			cpc_buf_destroy(c->cpc, c->delta[i]);
	free(c->delta);
	free(c->cpu);
	free(c->sample);
	cpulist_free(&c->online);
	topology_free(c->topology);
}

static int make_set(struct cpus *c, struct bound_set *b, unsigned set)
{
	if (!b->set)
		b->set = cpc_set_dup(c->cpc, c->sets->member[set].set);
	if (b->set && !b->now)
		b->now = cpc_buf_create(c->cpc, b->set);
	if (b->now && !b->last)
		b->last = cpc_buf_create(c->cpc, b->set);
	return b->last ? 0 : -1;
}

static int bind_there(struct cpus *c, const struct counted_cpu *cpu, cpc_set_t *set)
{
	return cpu->cgroup ? cpc_bind_cgroup(c->cpc, &cpu->cgroup->engine, cpu->id, set)
			   : cpc_bind_cpu(c->cpc, cpu->id, set, CPC_FLAGS_REMOTE);
}

static int bind_set(struct cpus *c, struct counted_cpu *cpu, unsigned set)
{
	struct bound_set *b = &cpu->bound[set];

	message_capture_begin();
	if (make_set(c, b, set) == -1 || bind_there(c, cpu, b->set) == -1)
		return -1;
	cpc_buf_zero(c->cpc, b->last);
	b->state = BOUND;
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
static void refuse(struct cpus *c, const struct counted_cpu *cpu, struct bound_set *b)
{
	const int e = errno;

	if (e == ENOSYS && !is_usable(c, cpu->id))
		return;
	/* cpus_follow() will find that the cgroup is gone. */
	if (cpu->cgroup && !cgroups_exists(cpu->cgroup))
		return;
	b->state = e == ENOENT ? ABSENT : REFUSED;
	errno = e;
	failures_add(e == ENOENT ? &c->absent : &c->failures, cpu->id,
		     cpu->cgroup ? cpu->cgroup->path : NULL);
}

/* Unbind a set of n CPUs, on some of which it is refused. Returns how many were bound. */
static unsigned refuse_all(struct cpus *c, struct counted_cpu *cpu, unsigned n,
			   unsigned set)
{
	unsigned bound = 0, refused = 0;

	for (unsigned i = 0; i < n; i++)
		refused += cpu[i].bound[set].state == REFUSED;
	for (unsigned i = 0; refused && i < n; i++) {
		struct bound_set *b = &cpu[i].bound[set];
		if (b->state != BOUND)
			continue;
		unbind(c, b);
		b->state = REFUSED;
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
		struct bound_set *b = &c->cpu[i].bound[set];

		if (b->state == FREE && bind_set(c, &c->cpu[i], set) == -1) {
			if (!first)
				first = errno;
			refuse(c, &c->cpu[i], b);
		}
		bound += b->state == BOUND;
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
		unbind(c, &c->cpu[i].bound[set]);
}

static const char *path_of(const struct counted_cpu *cpu)
{
	return cpu->cgroup ? cpu->cgroup->path : NULL;
}

void cpus_peek(struct cpus *c, unsigned set, struct cpu_interval *i)
{
	*i = (struct cpu_interval){.set = set, .sample = c->sample};
	for (unsigned k = 0; k < c->n; k++) {
		const struct counted_cpu *cpu = &c->cpu[k];
		const struct bound_set *b = &cpu->bound[set];

		if (b->state != BOUND || cpc_set_sample(c->cpc, b->set, b->now) == -1)
			continue;
		for (unsigned v = 0; v < shown(c, set)->n; v++)
			cpc_buf_value(c->cpc, b->now, (int)v, &cpu->value[v]);
		c->sample[i->n++] = (struct cpu_sample){.cgroup = path_of(cpu),
							.cpu = cpu->id,
							.core = cpu->core,
							.socket = cpu->socket,
							.value = cpu->value};
	}
}

static int sample(struct cpus *c, struct counted_cpu *cpu, unsigned set, int64_t start,
		  struct cpu_sample *s)
{
	struct bound_set *b = &cpu->bound[set];
	cpc_buf_t *delta = c->delta[set], *now = b->now;

	if (cpc_set_sample(c->cpc, b->set, now) == -1)
		return -1;
	cpc_buf_sub(c->cpc, delta, now, b->last);
	b->now = b->last;
	b->last = now;
	for (unsigned i = 0; i < shown(c, set)->n; i++)
		cpc_buf_value(c->cpc, delta, (int)i, &cpu->value[i]);
	*s = (struct cpu_sample){
		.cgroup = path_of(cpu),
		.cpu = cpu->id,
		.core = cpu->core,
		.socket = cpu->socket,
		.ns = cpc_buf_hrtime(c->cpc, now) - start,
		.tick = c->tick ? cpc_buf_tick(c->cpc, delta) : 0,
		.value = cpu->value,
	};
	return 0;
}

/*
 * Returns whether *s was filled. EAGAIN means that the CPU was offline since the previous
 * sample and its counters have stopped (cpc_bind_cpu(3)); the set can be bound again.
 */
static int sample_bound(struct cpus *c, struct counted_cpu *cpu, unsigned set,
			int64_t start, struct cpu_sample *s)
{
	struct bound_set *b = &cpu->bound[set];

	if (b->state != BOUND)
		return 0;
	if (sample(c, cpu, set, start, s) == 0)
		return 1;
	const int e = errno;
	unbind(c, b);
	if (e == EAGAIN && is_usable(c, cpu->id)) {
		warnx("cpu%d was offline", cpu->id);
		return 0;
	}
	if (e != EAGAIN) {
		b->state = REFUSED;
		c->failed = 1;
		warnx("cpu%d - %s", cpu->id, strerror(e));
	}
	return 0;
}

void cpus_sample(struct cpus *c, unsigned set, int next, int64_t start,
		 struct cpu_interval *i)
{
	unsigned bound = 0;

	i->set = set;
	i->n = 0;
	i->sample = c->sample;
	for (unsigned k = 0; k < c->n; k++) {
		struct counted_cpu *cpu = &c->cpu[k];

		i->n += (unsigned)sample_bound(c, cpu, set, start, &c->sample[i->n]);
		if (next != (int)set)
			unbind(c, &cpu->bound[set]);
		if (next < 0)
			continue;
		struct bound_set *b = &cpu->bound[next];
		if (b->state == FREE && bind_set(c, cpu, (unsigned)next) == -1)
			refuse(c, cpu, b);
		bound += b->state == BOUND;
	}
	if (c->cgroups && c->failures.n)
		bound -= refuse_cgroups(c, (unsigned)next);
	report_failures(c, bound);
}
