#include "engine/kernel/group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

/* Set the group of *p; returns the descriptor of its leader, -1 if *p is the leader. */
static int find_leader(const struct group *g, struct part *p)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->part[i].planned == p->planned && g->part[i].core == p->core) {
			p->group = g->part[i].group;
			return g->part[i].fd;
		}
	p->group = g->ngroups;
	return -1;
}

/* With F_SETSIG the signal carries the number of the descriptor (fcntl(2)). */
static int send_signals(int fd, const struct kernel_open_how *how)
{
	const struct f_owner_ex lwp = {F_OWNER_TID, how->tid ? how->tid : gettid()};

	if (fcntl(fd, F_SETOWN_EX, &lwp) || fcntl(fd, F_SETSIG, how->signo))
		return -1;
	return fcntl(fd, F_SETFL, O_ASYNC);
}

/*
 * An event that opens only without a period has no interrupt: PMUs refuse the period with
 * EOPNOTSUPP or EINVAL (perf_event_open(2)), which also have other meanings.
 */
static int open_notifying(const struct kernel_env *env, const struct kernel_open_how *how,
			  int leader, struct kernel_failure *f)
{
	struct kernel_open_how plain = *how;
	const int fd = kernel_event_open_as(env, f->ev, how, leader);

	if (fd >= 0) {
		if (!send_signals(fd, how))
			return fd;
		close(fd);
		return -1;
	}
	const int err = errno;
	plain.period = 0;
	const int other = kernel_event_open_as(env, f->ev, &plain, leader);
	if (other < 0)
		return -1;
	close(other);
	f->no_interrupt = err == EINVAL || err == EOPNOTSUPP;
	errno = f->no_interrupt ? ENOTSUP : err;
	return -1;
}

static int open_part(const struct kernel_env *env, struct group *g,
		     const struct kernel_open_how *how, struct part p,
		     struct kernel_failure *f)
{
	const int leader = find_leader(g, &p);
	struct kernel_open_how own = *how;

	own.period = p.notifies ? how->after[p.sel] : 0;
	f->sibling = leader >= 0;
	p.fd = p.notifies ? open_notifying(env, &own, leader, f)
			  : kernel_event_open_as(env, f->ev, &own, leader);
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

int kernel_group_notifies(const struct kernel_open_how *how, unsigned i)
{
	return how->after && how->after[i];
}

/*
 * A CPU is of one kind of core, so only the parts of that kind count on it. lacks[] has
 * the other parts; if sysfs does not list CPUs, the kernel refuses them (ENOENT).
 */
static int open_evsel(const struct kernel_env *env, struct group *g,
		      const struct kernel_open_how *how, const struct evsel *s,
		      unsigned i, unsigned planned, struct kernel_failure *f)
{
	const int notifies = kernel_group_notifies(how, i);
	const uint32_t lacks = how->lacks ? how->lacks[i] : 0;
	unsigned opened = 0, missing = 0; /* bits: kinds of core */

	*f = (struct kernel_failure){.sel = i, .ev = &s->ev[0]};
	/* A sum can reach its limit although none of its parts overflows. */
	if (notifies && (s->n != 1 || s->factor != 1)) {
		f->no_interrupt = 1;
		errno = ENOTSUP;
		return -1;
	}
	if (kernel_group_absent(s, lacks))
		return 0;
	g->factor[i] = s->factor;
	g->named |= s->ev[0].named;
	for (unsigned k = 0; k < s->n; k++) {
		if (lacks >> k & 1)
			continue;
		const struct part p = {.sel = i,
				       .planned = planned,
				       .core = s->ev[k].core,
				       .notifies = notifies,
				       .breakpoint =
					       s->ev[k].type == PERF_TYPE_BREAKPOINT,
				       .place = s->ev[k].named ? PLACE_NONE : PLACE_OWN};
		f->ev = &s->ev[k];
		if (open_part(env, g, how, p, f) == 0)
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

/* Each evsel has one part, in the order of the evsels. */
static int is_plain(const struct group *g)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->part[i].sel != i || g->factor[i] != 1)
			return 0;
	return g->n == g->nsel && g->ngroups == 1;
}

/* A read of a group then needs one line of the caches (struct group). */
static struct group *group_new(unsigned parts)
{
	const size_t size = sizeof(struct group) + parts * sizeof(struct part);
	const size_t whole = (size + KERNEL_LINE - 1) / KERNEL_LINE * KERNEL_LINE;
	struct group *g = aligned_alloc(KERNEL_LINE, whole);

	if (g)
		memset(g, 0, whole);
	return g;
}

/*
 * Evsels that notify are opened first, to lead their groups: a leader that is disabled at
 * its overflow stops its whole group at once.
 */
struct group *kernel_group_open(const struct kernel_env *env,
				const struct kernel_open_how *how,
				const struct evsel *const *sel, unsigned n,
				const unsigned char *planned, struct kernel_failure *f)
{
	const unsigned parts = kernel_group_parts(sel, n);
	struct group *const g = group_new(parts);

	*f = (struct kernel_failure){.ev = &sel[0]->ev[0]};
	if (!g)
		return NULL;
	g->nsel = n;
	g->on_cpu = how->tid == -1;
	g->idles = how->cgroup != NULL;
	g->repeats = how->repeats != 0;
	g->factor = calloc(n, sizeof(*g->factor));
	if (!g->factor)
		goto fail;
	for (int notifies = 1; notifies >= 0; notifies--)
		for (unsigned i = 0; i < n; i++)
			if (kernel_group_notifies(how, i) == notifies &&
			    open_evsel(env, g, how, sel[i], i, planned ? planned[i] : 0,
				       f))
				goto fail;
	g->plain = is_plain(g);
	return g;
fail:
	kernel_group_close(g);
	return NULL;
}

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
 * Start the events of a part. after has for each event the number of its occurrences
 * until it overflows. If after is NULL, the distance to the overflow stays as it is, and
 * a part that has overflowed once does not overflow again.
 *
 * A part whose overflows do not repeat is enabled by PERF_EVENT_IOC_REFRESH for one
 * overflow, at which the kernel disables it. A second REFRESH would add one more
 * overflow. So a part that still waits for its overflow is enabled by
 * PERF_EVENT_IOC_ENABLE, which adds none.
 *
 * A breakpoint that the kernel disables at its overflow stays stopped when it is enabled
 * again (seen on 6.18, whose hw_breakpoint_add() leaves its state unchanged). So it is
 * enabled without a limit, and the handler of the signal, which arrives before the next
 * instruction, disables it.
 */
static int start(struct part *p, const uint64_t *after, int repeats)
{
	const enum part_state state = p->state;
	const uint64_t distance = after			? after[p->sel]
				  : state == PART_SPENT ? INT64_MAX
							: 0;

	if (!p->notifies || repeats)
		return ioctl(p->fd, PERF_EVENT_IOC_ENABLE, 0);
	if (distance && ioctl(p->fd, PERF_EVENT_IOC_PERIOD, &distance))
		return -1;
	/* The signal may arrive before the call returns. */
	p->state = PART_ARMED;
	return state == PART_ARMED || p->breakpoint
		       ? ioctl(p->fd, PERF_EVENT_IOC_ENABLE, 0)
		       : ioctl(p->fd, PERF_EVENT_IOC_REFRESH, 1);
}

/* Leaders come last: their groups do not count before. */
static int start_all(struct group *g, const uint64_t *after)
{
	for (unsigned i = 0; i < g->n; i++) {
		struct part *p = &g->part[i];
		if (p->notifies && p != leader_of(g, p->group) &&
		    start(p, after, g->repeats))
			return -1;
	}
	for (unsigned i = 0; i < g->ngroups; i++)
		if (start(leader_of(g, i), after, g->repeats))
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

/* Copy the values that read(2) returned for a plain list; most lists are plain. */
static void copy_values(const uint64_t *v, struct count *val)
{
	const uint64_t n = v[0], enabled = v[1], running = v[2];

	for (uint64_t i = 0; i < n; i++)
		val[i] = (struct count){
			.count = v[3 + i], .enabled = enabled, .running = running};
}

/*
 * Read the number of values, ns enabled, ns running, and the values. Returns -1 with EIO
 * or the errno of read(2). The function is inline because kernels make processors forget
 * where functions return to: each return after a system call is mispredicted, which takes
 * as long as dozens of instructions.
 */
static inline int read_values(int fd, uint64_t v[3 + KERNEL_GROUP_PARTS])
{
	const ssize_t size =
		kernel_event_read(fd, v, (3 + KERNEL_GROUP_PARTS) * sizeof(*v));

	if (size < 0)
		return -1;
	if (size >= (ssize_t)sizeof(*v) * 4 &&
	    v[0] * sizeof(*v) + 3 * sizeof(*v) == (size_t)size)
		return 0;
	errno = EIO;
	return -1;
}

/*
 * When a CPU goes offline the kernel takes its groups apart (seen on 6.1 and 6.12): a
 * read of the leader returns only the leader's value, so each part is read by itself.
 */
static int read_parts(const struct group *g, unsigned number,
		      uint64_t v[3 + KERNEL_GROUP_PARTS], struct count *val)
{
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

/* Add values that read(2) returned for one of the groups of any list. */
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
		 * The parts of an evsel in one group run at the same time; its parts on
		 * other kinds of cores run at other times.
		 */
		if (p->sel != last)
			c->running += v[2];
		last = p->sel;
	}
}

/* Add the values that read(2) returned for a group. Returns -1 with errno as above. */
static int add_values(const struct group *g, unsigned number,
		      uint64_t v[3 + KERNEL_GROUP_PARTS], struct count *val)
{
	for (unsigned i = 0; number == 0 && i < g->nsel; i++)
		val[i] = (struct count){.absent = !g->factor[i]};
	if (g->on_cpu && v[0] < parts_of(g, number))
		return read_parts(g, number, v, val);
	add_group(g, number, v, val);
	return 0;
}

/*
 * When a CPU goes offline, reads still succeed and return the same values for ever
 * (perf_event_open(2) does not say so; seen on 6.1 and 6.12). While the CPU is online,
 * the time enabled grows between any two reads, even if no event is on a counter. The
 * events of a cgroup are enabled only while it runs, so that their times show nothing.
 */
static int is_offline(struct group *g, uint64_t enabled)
{
	const uint64_t seen = g->seen;

	g->seen = enabled;
	return g->on_cpu && !g->idles && enabled == seen;
}

/* Without its place a breakpoint counts nothing that has to do with its event. */
static void leave_out_names(const struct group *g, struct count *val)
{
	for (unsigned i = 0; i < g->n; i++) {
		const struct part *p = &g->part[i];

		if (p->place == PLACE_NONE)
			val[p->sel].count = 0;
		if (p->place == PLACE_NONE || p->place == PLACE_PROVISIONAL)
			val[p->sel].absent = 1;
	}
}

/* Read the groups of a list that is not plain; v has the values of the first group. */
static __attribute__((noinline)) int read_groups(struct group *g, uint64_t *v,
						 struct count *val)
{
	for (unsigned i = 0; i < g->ngroups; i++) {
		if (i > 0 && read_values(leader_of(g, i)->fd, v))
			return -1;
		if (add_values(g, i, v, val))
			return -1;
	}
	/* Times of parts on several kinds of cores are summed. */
	for (unsigned i = 0; g->ngroups > 1 && i < g->nsel; i++)
		if (val[i].running > val[i].enabled)
			val[i].running = val[i].enabled;
	return 0;
}

/* The function is inline for the reason that read_values() has. */
static inline int read_list(struct group *g, struct count *val, uint64_t *on)
{
	uint64_t v[3 + KERNEL_GROUP_PARTS];

	if (read_values(g->part[0].fd, v))
		return -1;
	const uint64_t enabled = v[1];
	if (g->plain && v[0] == g->n)
		copy_values(v, val);
	else if (read_groups(g, v, val))
		return -1;
	if (g->named)
		leave_out_names(g, val);
	if (on)
		*on = enabled;
	if (!is_offline(g, enabled))
		return 0;
	errno = ENODEV;
	return -1;
}

int kernel_group_read(struct group *g, struct count *val, uint64_t *on)
{
	return read_list(g, val, on);
}

unsigned kernel_group_read_all(struct group *const *g, unsigned n, unsigned width,
			       struct count *val, uint64_t *on)
{
	for (unsigned i = 0; i < n; i++)
		if (read_list(g[i], val + (size_t)i * width, &on[i]))
			return i;
	return n;
}
