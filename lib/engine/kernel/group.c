#include "engine/kernel/group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The kernel's own numbers and raw ones are of the core PMU too. */
static uint64_t core_config1(const struct kernel_event *ev,
			     const struct kernel_open_how *m)
{
	switch (ev->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return m->config1;
	}
	return ev->type == m->core ? m->config1 : 0;
}

int kernel_group_event(const struct kernel_env *env, const struct kernel_event *ev,
		       const struct kernel_open_how *m, int leader)
{
	struct perf_event_attr attr;

	kernel_event_attr(ev, &attr);
	attr.config1 |= core_config1(ev, m);
	attr.read_format = m->format;
	attr.disabled = leader < 0 && !m->enabled;
	attr.enable_on_exec = leader < 0 && m->on_exec;
	attr.sample_period = m->period;
	attr.wakeup_events = m->period != 0;
	attr.inherit = m->inherit != 0;
	return kernel_event_open(env, &attr, m->tid, m->tid == -1 ? m->cpu : -1, leader);
}

void kernel_group_close(struct group *g)
{
	if (!g)
		return;
	const int err = errno;
	for (unsigned i = g->n; i-- > 0;)
		close(g->part[i].fd);
	free(g->factor);
	free(g);
	errno = err;
}

unsigned kernel_group_parts(const struct evsel *const *sel, unsigned n)
{
	unsigned parts = 0;

	for (unsigned i = 0; i < n; i++)
		parts += sel[i]->n;
	return parts;
}

/*
 * The leader of the group that a part belongs in, or -1; *p learns which group that is.
 */
static int find_leader(const struct group *g, struct part *p)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->part[i].where == p->where && g->part[i].core == p->core) {
			p->group = g->part[i].group;
			return g->part[i].fd;
		}
	p->group = g->ngroups;
	return -1;
}

/* The caller gets signo with the number of the descriptor (F_SETSIG in fcntl(2)). */
static int send_signals(int fd, int signo)
{
	const struct f_owner_ex self = {F_OWNER_TID, gettid()};

	if (fcntl(fd, F_SETOWN_EX, &self) || fcntl(fd, F_SETSIG, signo))
		return -1;
	return fcntl(fd, F_SETFL, O_ASYNC);
}

/*
 * What can be counted but not with a period has no interrupt: PMUs refuse it in several
 * ways (perf_event_open(2): EOPNOTSUPP, EINVAL).
 */
static int open_notifying(const struct kernel_env *env, const struct kernel_open_how *m,
			  int leader, struct kernel_failure *f)
{
	struct kernel_open_how plain = *m;
	const int fd = kernel_group_event(env, f->ev, m, leader);

	if (fd >= 0) {
		if (!send_signals(fd, m->signo))
			return fd;
		close(fd);
		return -1;
	}
	const int err = errno;
	plain.period = 0;
	const int other = kernel_group_event(env, f->ev, &plain, leader);
	if (other < 0)
		return -1;
	close(other);
	f->no_interrupt = err == EINVAL || err == EOPNOTSUPP;
	errno = f->no_interrupt ? ENOTSUP : err;
	return -1;
}

static int open_part(const struct kernel_env *env, struct group *g,
		     const struct kernel_open_how *m, struct part p,
		     struct kernel_failure *f)
{
	const int leader = find_leader(g, &p);
	struct kernel_open_how own = *m;

	own.period = p.notifies ? m->after[p.sel] : 0;
	f->sibling = leader >= 0;
	p.fd = p.notifies ? open_notifying(env, &own, leader, f)
			  : kernel_group_event(env, f->ev, &own, leader);
	if (p.fd < 0)
		return -1;
	if (leader < 0)
		g->ngroups++;
	g->part[g->n++] = p;
	return 0;
}

int kernel_group_absent(const struct evsel *s, uint32_t lacks)
{
	return lacks && lacks == UINT32_MAX >> (32 - s->n);
}

int kernel_group_notifies(const struct kernel_open_how *m, unsigned i)
{
	return m->after && m->after[i];
}

/*
 * A CPU is of one kind of core, and PMUs of other kinds do not know it: what counts there
 * is all parts of one kind. m->lacks tells which these are; where sysfs could not say,
 * the kernel's refusal does (ENOENT).
 */
static int open_evsel(const struct kernel_env *env, struct group *g,
		      const struct kernel_open_how *m, const struct evsel *s, unsigned i,
		      unsigned where, struct kernel_failure *f)
{
	const int notifies = kernel_group_notifies(m, i);
	const uint32_t lacks = m->lacks ? m->lacks[i] : 0;
	unsigned opened = 0, missing = 0; /* kinds of core */

	*f = (struct kernel_failure){.sel = i, .ev = &s->ev[0]};
	/* A sum overflows when none of its parts does. */
	if (notifies && (s->n != 1 || s->factor != 1)) {
		f->no_interrupt = 1;
		errno = ENOTSUP;
		return -1;
	}
	if (kernel_group_absent(s, lacks))
		return 0;
	g->factor[i] = s->factor;
	for (unsigned k = 0; k < s->n; k++) {
		if (lacks >> k & 1)
			continue;
		const struct part p = {.sel = i,
				       .where = where,
				       .core = s->ev[k].core,
				       .notifies = notifies,
				       .breakpoint =
					       s->ev[k].type == PERF_TYPE_BREAKPOINT};
		f->ev = &s->ev[k];
		if (open_part(env, g, m, p, f) == 0)
			opened |= 1u << p.core;
		else if (g->on_cpu && errno == ENOENT)
			missing |= 1u << p.core;
		else
			return -1;
	}
	if (opened && !(opened & missing))
		return 0;
	errno = ENOENT;
	return -1;
}

/*
 * All evsels, in groups as where[] says (NULL: one group). Those that notify come first:
 * when the leader of a group is disabled at its overflow, all of the group is, at once.
 * NULL with errno and *f.
 */
struct group *kernel_group_open(const struct kernel_env *env,
				const struct kernel_open_how *m,
				const struct evsel *const *sel, unsigned n,
				const unsigned char *where, struct kernel_failure *f)
{
	const unsigned parts = kernel_group_parts(sel, n);
	struct group *g = calloc(1, sizeof(*g) + parts * sizeof(g->part[0]));

	*f = (struct kernel_failure){.ev = &sel[0]->ev[0]};
	if (!g)
		return NULL;
	g->nsel = n;
	g->on_cpu = m->tid == -1;
	g->factor = calloc(n, sizeof(*g->factor));
	if (!g->factor)
		goto fail;
	for (int notifies = 1; notifies >= 0; notifies--)
		for (unsigned i = 0; i < n; i++)
			if (kernel_group_notifies(m, i) == notifies &&
			    open_evsel(env, g, m, sel[i], i, where ? where[i] : 0, f))
				goto fail;
	return g;
fail:
	kernel_group_close(g);
	return NULL;
}

/* The part that leads group number. */
static struct part *leader_of(struct group *g, unsigned number)
{
	struct part *p = g->part;

	while (p->group != number)
		p++;
	return p;
}

int kernel_group_disable(struct group *g)
{
	for (unsigned i = 0; i < g->ngroups; i++)
		if (ioctl(leader_of(g, i)->fd, PERF_EVENT_IOC_DISABLE, 0))
			return -1;
	return 0;
}

/*
 * Let a part count. What notifies is enabled for one overflow, at which the kernel
 * disables it (PERF_EVENT_IOC_REFRESH adds to what is left, so that it must not be done
 * twice); after: how far away that is from now on. Where nothing is said it is as it was,
 * and what has overflowed does not do so again.
 *
 * Breakpoints that the kernel disabled so stay stopped when they are enabled again (seen
 * on 6.18, whose hw_breakpoint_add() leaves them as they are): they are disabled by who
 * gets the signal, which comes before the next instruction.
 */
static int start(struct part *p, const uint64_t *after)
{
	const enum part_state state = p->state;
	const uint64_t distance = after			? after[p->sel]
				  : state == PART_SPENT ? INT64_MAX
							: 0;

	if (!p->notifies)
		return ioctl(p->fd, PERF_EVENT_IOC_ENABLE, 0);
	if (distance && ioctl(p->fd, PERF_EVENT_IOC_PERIOD, &distance))
		return -1;
	/* The signal may come before the call returns. */
	p->state = PART_ARMED;
	return state == PART_ARMED || p->breakpoint
		       ? ioctl(p->fd, PERF_EVENT_IOC_ENABLE, 0)
		       : ioctl(p->fd, PERF_EVENT_IOC_REFRESH, 1);
}

/* The leaders last: nothing of their groups counts before them. */
static int start_all(struct group *g, const uint64_t *after)
{
	for (unsigned i = 0; i < g->n; i++) {
		struct part *p = &g->part[i];
		if (p->notifies && p != leader_of(g, p->group) && start(p, after))
			return -1;
	}
	for (unsigned i = 0; i < g->ngroups; i++)
		if (start(leader_of(g, i), after))
			return -1;
	return 0;
}

int kernel_group_enable(struct group *g)
{
	return start_all(g, NULL);
}

int kernel_group_thaw(struct group *g, const uint64_t *after)
{
	for (unsigned i = 0; after && i < g->n; i++)
		if (!g->part[i].notifies != !after[g->part[i].sel]) {
			errno = EINVAL;
			return -1;
		}
	return start_all(g, after);
}

int kernel_group_overflowed(struct group *g, int fd)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->part[i].fd == fd) {
			g->part[i].state = PART_SPENT;
			return 1;
		}
	return 0;
}

/* What read(2) brought of a list that is one group of the kernel, as nearly all are. */
static void add_only_group(const struct group *g, const uint64_t *v, struct count *val)
{
	for (unsigned i = 0; i < g->n; i++) {
		const unsigned sel = g->part[i].sel;
		val[sel].count += v[3 + i] * g->factor[sel];
		val[sel].enabled = v[1];
		val[sel].running = v[2];
	}
}

/* What a descriptor gives: number, enabled, running, values. -1: EIO, or as read(2). */
static int read_values(int fd, uint64_t v[3 + KERNEL_GROUP_PARTS])
{
	const ssize_t size = read(fd, v, (3 + KERNEL_GROUP_PARTS) * sizeof(*v));

	if (size < 0)
		return -1;
	if (size >= (ssize_t)sizeof(*v) * 4 &&
	    v[0] * sizeof(*v) + 3 * sizeof(*v) == (size_t)size)
		return 0;
	errno = EIO;
	return -1;
}

/*
 * A CPU that goes offline leaves the events of a group there each by itself (seen on 6.1
 * and 6.12), and the leader gives its own value alone: the others are read one by one.
 */
static int read_parts(const struct group *g, unsigned number, struct count *val)
{
	uint64_t v[3 + KERNEL_GROUP_PARTS];

	for (unsigned i = 0; i < g->n; i++) {
		const struct part *p = &g->part[i];
		if (p->group != number)
			continue;
		if (read_values(p->fd, v))
			return -1;
		val[p->sel].count += v[3] * g->factor[p->sel];
		val[p->sel].enabled = v[1];
		val[p->sel].running = v[2];
	}
	return 0;
}

static unsigned parts_of(const struct group *g, unsigned number)
{
	unsigned n = 0;

	for (unsigned i = 0; i < g->n; i++)
		n += g->part[i].group == number;
	return n;
}

/* What one read(2) brought of one group of several. */
static void add_group(const struct group *g, unsigned number, const uint64_t *v,
		      struct count *val)
{
	unsigned slot = 0, last = UINT32_MAX;

	for (unsigned i = 0; i < g->n && slot < v[0]; i++) {
		const struct part *p = &g->part[i];
		if (p->group != number)
			continue;
		struct count *c = &val[p->sel];
		c->count += v[3 + slot++] * g->factor[p->sel];
		if (c->enabled < v[1])
			c->enabled = v[1];
		/*
		 * Parts for other kinds of cores run when these do not; parts of one
		 * group run together.
		 */
		if (p->sel != last)
			c->running += v[2];
		last = p->sel;
	}
}

/* Read one group of the kernel and add its values; *enabled: how long it has been on. */
int kernel_group_read(const struct group *g, unsigned number, struct count *val,
		      uint64_t *enabled)
{
	uint64_t v[3 + KERNEL_GROUP_PARTS];
	unsigned lead = 0;

	while (g->part[lead].group != number)
		lead++;
	if (read_values(g->part[lead].fd, v))
		return -1;
	*enabled = v[1];
	if (g->ngroups == 1 && v[0] == g->n) {
		add_only_group(g, v, val);
		return 0;
	}
	if (g->on_cpu && v[0] < parts_of(g, number))
		return read_parts(g, number, val);
	add_group(g, number, v, val);
	return 0;
}

/*
 * When a CPU goes offline, reads of what counts it succeed and give for ever what there
 * was (perf_event_open(2) is silent on it; seen on 6.1 and 6.12). While it is online the
 * time enabled moves between any two reads, whether or not there are counters to run on.
 */
static int is_frozen(struct group *g, uint64_t enabled)
{
	const uint64_t seen = g->seen;

	g->seen = enabled;
	return g->on_cpu && enabled == seen;
}

int kernel_group_read_all(struct group *g, struct count *val, uint64_t *on)
{
	uint64_t enabled;

	memset(val, 0, g->nsel * sizeof(*val));
	for (unsigned i = 0; g->on_cpu && i < g->nsel; i++)
		val[i].absent = !g->factor[i];
	for (unsigned i = 0; i < g->ngroups; i++) {
		if (kernel_group_read(g, i, val, &enabled))
			return -1;
		if (i == 0)
			*on = enabled;
	}
	if (!is_frozen(g, *on))
		return 0;
	errno = ENODEV;
	return -1;
}
