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

static void forget(struct cpus *c, struct counted_cpu *cpu)
{
	for (unsigned i = 0; cpu->of && i < c->sets->n; i++) {
		struct bound_set *b = &cpu->of[i];

		if (b->set)
			cpc_set_destroy(c->cpc, b->set);
		if (b->now)
			cpc_buf_destroy(c->cpc, b->now);
		if (b->last)
			cpc_buf_destroy(c->cpc, b->last);
	}
	free(cpu->of);
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

/* Among the others, by ascending id. */
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
	topology_place(c->topology, id, &cpu[at].core, &cpu[at].socket);
	cpu[at].of = calloc(c->sets->n, sizeof *cpu[at].of);
	cpu[at].value = calloc(most_requests(c) + 1, sizeof *cpu[at].value);
	return cpu[at].of && cpu[at].value ? 0 : -1;
}

static void drop(struct cpus *c, unsigned at)
{
	forget(c, &c->cpu[at]);
	c->n--;
	memmove(&c->cpu[at], &c->cpu[at + 1], (c->n - at) * sizeof *c->cpu);
}

int cpus_open(struct cpus *c, cpc_t *cpc, const struct sets *sets, int tick)
{
	struct cpulist here;
	int rc = 0;

	*c = (struct cpus){.cpc = cpc, .sets = sets, .tick = tick};
	c->topology = topology_new("");
	c->delta = calloc(sets->n, sizeof *c->delta);
	if (!c->topology || !c->delta || cpulist_allowed(&here) == -1)
		return -1;
	for (unsigned i = 0; rc == 0 && i < sets->n; i++) {
		c->delta[i] = cpc_buf_create(cpc, sets->member[i].set);
		if (!c->delta[i])
			rc = -1;
	}
	for (unsigned i = 0; rc == 0 && i < here.n; i++)
		rc = add(c, here.cpu[i]);
	cpulist_free(&here);
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

static int make(struct cpus *c, struct bound_set *b, unsigned set)
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
	struct bound_set *b = &cpu->of[set];

	message_capture_begin();
	if (make(c, b, set) == -1 ||
	    cpc_bind_cpu(c->cpc, cpu->id, b->set, CPC_FLAGS_REMOTE) == -1)
		return -1;
	cpc_buf_zero(c->cpc, b->last);
	b->state = BOUND;
	return 0;
}

static int is_there(int cpu)
{
	struct cpulist here;

	if (cpulist_allowed(&here) == -1)
		return 1;
	const int there = cpulist_has(&here, cpu);
	cpulist_free(&here);
	return there;
}

/*
 * A bind failed, with errno: ENOENT where the CPU has none of the events; ENOSYS where it is
 * offline (cpc_bind_cpu(3)), which is what cpus_follow() finds.
 */
static void refuse(struct cpus *c, const struct counted_cpu *cpu, struct bound_set *b)
{
	const int e = errno;

	if (e == ENOSYS && !is_there(cpu->id))
		return;
	b->state = e == ENOENT ? ABSENT : REFUSED;
	errno = e;
	failures_add(e == ENOENT ? &c->absent : &c->failures, cpu->id);
}

/* What no CPU has is not there at all. */
static void report_failures(struct cpus *c, unsigned bound)
{
	if (c->failures.n || (c->absent.n && !bound))
		c->failed = 1;
	failures_print(&c->failures, NULL);
	failures_print(&c->absent, bound ? "not counted there" : NULL);
}

unsigned cpus_bind(struct cpus *c, unsigned set)
{
	unsigned bound = 0;
	int first = 0;

	for (unsigned i = 0; i < c->n; i++) {
		struct bound_set *b = &c->cpu[i].of[set];

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
		unbind(c, &c->cpu[i].of[set]);
}

static int sample(struct cpus *c, struct counted_cpu *cpu, unsigned set, int64_t start,
		  struct cpu_sample *s)
{
	struct bound_set *b = &cpu->of[set];
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
 * EAGAIN: since the sample before the CPU has been offline, and what counted it does not go
 * on (cpc_bind_cpu(3)); where it is back already it is bound anew.
 */
static int take(struct cpus *c, struct counted_cpu *cpu, unsigned set, int64_t start,
		struct cpu_sample *s)
{
	struct bound_set *b = &cpu->of[set];

	if (b->state != BOUND)
		return 0;
	if (sample(c, cpu, set, start, s) == 0)
		return 1;
	const int e = errno;
	unbind(c, b);
	if (e == EAGAIN && is_there(cpu->id)) {
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

void cpus_take(struct cpus *c, unsigned set, int next, int64_t start,
	       struct cpu_interval *i)
{
	unsigned bound = 0;

	i->set = set;
	i->n = 0;
	i->sample = c->sample;
	for (unsigned k = 0; k < c->n; k++) {
		struct counted_cpu *cpu = &c->cpu[k];

		i->n += (unsigned)take(c, cpu, set, start, &c->sample[i->n]);
		if (next != (int)set)
			unbind(c, &cpu->of[set]);
		if (next < 0)
			continue;
		struct bound_set *b = &cpu->of[next];
		if (b->state == FREE && bind_set(c, cpu, (unsigned)next) == -1)
			refuse(c, cpu, b);
		bound += b->state == BOUND;
	}
	report_failures(c, bound);
}

/* Is it in a list that a line of a file has behind this? */
static int is_listed(int cpu, const char *path, const char *behind)
{
	const size_t skip = strlen(behind);
	FILE *f = fopen(path, "re");
	struct cpulist list;
	char text[16384];
	int yes = 0;

	while (f && fgets(text, sizeof text, f)) {
		if (strncmp(text, behind, skip) != 0 ||
		    cpulist_parse(&list, text + skip) == -1)
			continue;
		yes = cpulist_has(&list, cpu);
		cpulist_free(&list);
	}
	if (f)
		fclose(f);
	return yes;
}

/*
 * A CPU on its way out is not to be had any more while it is still called online, but
 * those that we may run on (proc_pid_status(5)) have it.
 */
static int is_elsewhere(int cpu)
{
	return is_listed(cpu, "/sys/devices/system/cpu/online", "") &&
	       !is_listed(cpu, "/proc/self/status", "Cpus_allowed_list:");
}

static void lose(struct cpus *c, const struct cpulist *here, const struct watcher *w)
{
	for (unsigned i = c->n; i-- > 0;) {
		const int id = c->cpu[i].id;

		if (cpulist_has(here, id))
			continue;
		warnx("cpu%d %s", id,
		      is_elsewhere(id) ? "is not in the cpuset any more"
				       : "went offline");
		drop(c, i);
		w->changed(w->arg, id, 0);
	}
}

static int find(struct cpus *c, const struct cpulist *here, const struct watcher *w)
{
	for (unsigned i = 0, k = 0; i < here->n; i++) {
		while (k < c->n && c->cpu[k].id < here->cpu[i])
			k++;
		if (k < c->n && c->cpu[k].id == here->cpu[i])
			continue;
		if (add(c, here->cpu[i]) == -1)
			return -1;
		warnx("cpu%d came online", here->cpu[i]);
		w->changed(w->arg, here->cpu[i], 1);
	}
	return 0;
}

int cpus_follow(struct cpus *c, int set, const struct watcher *w)
{
	struct cpulist here;

	if (cpulist_allowed(&here) == -1)
		return -1;
	lose(c, &here, w);
	const unsigned n = c->n;
	const int rc = find(c, &here, w);
	cpulist_free(&here);
	if (rc == 0 && c->n > n && set >= 0)
		cpus_bind(c, (unsigned)set);
	return rc;
}
