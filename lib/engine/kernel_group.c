#include "kernel_group.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kernel_limit.h"

int kernel_group_event(const struct kernel_env *env, const struct kernel_event *ev,
		       const struct kernel_manner *m, int leader)
{
	struct perf_event_attr attr = {
		.type = ev->type,
		.size = sizeof(attr),
		.config = ev->config[0],
		.config1 = ev->config[1],
		.config2 = ev->config[2],
		.bp_type = ev->bp_type,
		.read_format = m->format,
		.disabled = leader < 0 && !m->enabled,
		.inherit = m->inherit != 0,
		.exclude_user = ev->exclude_user,
		.exclude_kernel = ev->exclude_kernel,
		.exclude_hv = ev->exclude_hv,
		.exclude_host = ev->exclude_host,
		.exclude_guest = ev->exclude_guest,
		.precise_ip = ev->precise,
	};

	const int cpu = m->tid == -1 ? m->cpu : -1;

	for (;;) {
		const int fd =
			env->perf_open(&attr, m->tid, cpu, leader, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0 || errno != EMFILE || kernel_limit_raise())
			return fd;
	}
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

static int open_part(const struct kernel_env *env, struct group *g,
		     const struct kernel_manner *m, struct part p,
		     struct kernel_failure *f)
{
	const int leader = find_leader(g, &p);

	p.fd = kernel_group_event(env, f->ev, m, leader);
	f->sibling = leader >= 0;
	if (p.fd < 0)
		return -1;
	if (leader < 0)
		g->ngroups++;
	g->part[g->n++] = p;
	return 0;
}

/* All evsels, in groups as where[] says (NULL: one group). NULL with errno and *f. */
struct group *kernel_group_open(const struct kernel_env *env,
				const struct kernel_manner *m,
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
	for (unsigned i = 0; i < n; i++) {
		g->factor[i] = sel[i]->factor;
		for (unsigned k = 0; k < sel[i]->n; k++) {
			const struct part p = {.sel = i,
					       .where = where ? where[i] : 0,
					       .core = sel[i]->ev[k].core};
			f->sel = i;
			f->ev = &sel[i]->ev[k];
			if (open_part(env, g, m, p, f))
				goto fail;
		}
	}
	return g;
fail:
	kernel_group_close(g);
	return NULL;
}

int kernel_group_enable(const struct group *g)
{
	unsigned group = 0;

	for (unsigned i = 0; i < g->n && group < g->ngroups; i++) {
		if (g->part[i].group != group)
			continue;
		if (ioctl(g->part[i].fd, PERF_EVENT_IOC_ENABLE, 0))
			return -1;
		group++;
	}
	return 0;
}

/* Read one group of the kernel and add its values; *enabled: how long it has been on. */
int kernel_group_read(const struct group *g, unsigned number, struct count *val,
		      uint64_t *enabled)
{
	uint64_t v[3 + KERNEL_GROUP_PARTS]; /* number, enabled, running, values */
	unsigned lead = 0, slot = 0, last = UINT32_MAX;

	while (g->part[lead].group != number)
		lead++;
	const ssize_t size = read(g->part[lead].fd, v, sizeof(v));
	if (size < 0)
		return -1;
	if (size < (ssize_t)sizeof(*v) * 3 ||
	    v[0] * sizeof(*v) + 3 * sizeof(*v) != (size_t)size) {
		errno = EIO;
		return -1;
	}
	*enabled = v[1];
	for (unsigned i = lead; i < g->n && slot < v[0]; i++) {
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
	return 0;
}
