#include "cpus.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "common/message.h"

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

/* Insert a CPU, by ascending id. */
static int add(struct cpus *c, int id)
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
	while (at > 0 && cpu[at - 1].id > id)
		at--;
	memmove(&cpu[at + 1], &cpu[at], (c->n - at) * sizeof *cpu);
	cpu[at] = (struct counted_cpu){.id = id};
	c->n++;
	if (topology_place(c->topology, id, &cpu[at].core, &cpu[at].socket) == -1)
		return -1;
	cpu[at].bound = calloc(c->sets->n, sizeof *cpu[at].bound);
	cpu[at].value = calloc(most_requests(c) + 1, sizeof *cpu[at].value);
	return cpu[at].bound && cpu[at].value ? 0 : -1;
}

static void drop(struct cpus *c, unsigned at)
{
	release(c, &c->cpu[at]);
	c->n--;
	memmove(&c->cpu[at], &c->cpu[at + 1], (c->n - at) * sizeof *c->cpu);
}

int cpus_open(struct cpus *c, cpc_t *cpc, const struct sets *sets, int tick)
{
	struct cpulist online;
	int rc = 0;

	*c = (struct cpus){.cpc = cpc, .sets = sets, .tick = tick};
	c->topology = topology_new("");
	c->delta = calloc(sets->n, sizeof *c->delta);
	if (!c->topology || !c->delta || cpulist_allowed(&online) == -1)
		return -1;
	for (unsigned i = 0; rc == 0 && i < sets->n; i++) {
		c->delta[i] = cpc_buf_create(cpc, sets->member[i].set);
		if (!c->delta[i])
			rc = -1;
	}
	for (unsigned i = 0; rc == 0 && i < online.n; i++)
		rc = add(c, online.cpu[i]);
	cpulist_free(&online);
	return rc;
}

void cpus_close(struct cpus *c)
{
	while (c->n > 0)
		drop(c, c->n - 1);
	for (unsigned i = 0; c->delta && i < c->sets->n; i++)
		if (c->delta[i])
			cpc_buf_destroy(c->cpc, c->delta[i]);
	free(c->delta);
	free(c->cpu);
	free(c->sample);
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

static int bind_set(struct cpus *c, struct counted_cpu *cpu, unsigned set)
{
	struct bound_set *b = &cpu->bound[set];

	message_capture_begin();
	if (make_set(c, b, set) == -1 ||
	    cpc_bind_cpu(c->cpc, cpu->id, b->set, CPC_FLAGS_REMOTE) == -1)
		return -1;
	cpc_buf_zero(c->cpc, b->last);
	b->state = BOUND;
	return 0;
}

/* Is it online, and in our cpuset? */
static int is_usable(int cpu)
{
	struct cpulist online;

	if (cpulist_allowed(&online) == -1)
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

	if (e == ENOSYS && !is_usable(cpu->id))
		return;
	b->state = e == ENOENT ? ABSENT : REFUSED;
	errno = e;
	failures_add(e == ENOENT ? &c->absent : &c->failures, cpu->id);
}

/* An event that no CPU has is a failure. An event that some CPUs lack is not. */
static void report_failures(struct cpus *c, unsigned bound)
{
	if (c->failures.n || (c->absent.n && !bound))
		c->failed = 1;
	failures_print(&c->failures, c->n);
	failures_print(&c->absent, c->n);
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
	report_failures(c, bound);
	errno = first;
	return bound;
}

void cpus_unbind(struct cpus *c, unsigned set)
{
	for (unsigned i = 0; i < c->n; i++)
		unbind(c, &c->cpu[i].bound[set]);
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
		c->sample[i->n++] = (struct cpu_sample){.cpu = cpu->id,
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
	if (e == EAGAIN && is_usable(cpu->id)) {
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
	report_failures(c, bound);
}

/* Is the CPU in the list that follows prefix on a line of the file? */
static int is_listed(int cpu, const char *path, const char *prefix)
{
	const size_t skip = strlen(prefix);
	FILE *f = fopen(path, "re");
	struct cpulist list;
	char text[16384];
	int listed = 0;

	while (f && fgets(text, sizeof text, f)) {
		if (strncmp(text, prefix, skip) != 0 ||
		    cpulist_parse(&list, text + skip) == -1)
			continue;
		listed = cpulist_has(&list, cpu);
		cpulist_free(&list);
	}
	if (f)
		fclose(f);
	return listed;
}

/*
 * Was an online CPU removed from our cpuset? A CPU that is going offline can still be
 * listed as online, but it is then also among the CPUs that we may run on
 * (proc_pid_status(5)).
 */
static int left_cpuset(int cpu)
{
	return is_listed(cpu, "/sys/devices/system/cpu/online", "") &&
	       !is_listed(cpu, "/proc/self/status", "Cpus_allowed_list:");
}

static void drop_missing(struct cpus *c, const struct cpulist *online,
			 const struct watcher *w)
{
	for (unsigned i = c->n; i-- > 0;) {
		const int id = c->cpu[i].id;

		if (cpulist_has(online, id))
			continue;
		warnx("cpu%d %s", id,
		      left_cpuset(id) ? "left the cpuset" : "went offline");
		drop(c, i);
		w->changed(w->arg, id, 0);
	}
}

static int add_new(struct cpus *c, const struct cpulist *online, const struct watcher *w)
{
	for (unsigned i = 0, k = 0; i < online->n; i++) {
		while (k < c->n && c->cpu[k].id < online->cpu[i])
			k++;
		if (k < c->n && c->cpu[k].id == online->cpu[i])
			continue;
		if (add(c, online->cpu[i]) == -1)
			return -1;
		warnx("cpu%d came online", online->cpu[i]);
		w->changed(w->arg, online->cpu[i], 1);
	}
	return 0;
}

int cpus_follow(struct cpus *c, int set, const struct watcher *w)
{
	struct cpulist online;

	if (cpulist_allowed(&online) == -1)
		return -1;
	drop_missing(c, &online, w);
	const unsigned n = c->n;
	const int rc = add_new(c, &online, w);
	cpulist_free(&online);
	if (rc == 0 && c->n > n && set >= 0)
		cpus_bind(c, (unsigned)set);
	return rc;
}
