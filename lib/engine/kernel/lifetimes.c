#include "engine/kernel/lifetimes.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpulist.h"
#include "engine/kernel/bind.h"
#include "engine/ring/lives.h"
#include "engine/why.h"

/*
 * Bytes of a ring, which has room for the ends of 4000 LWPs between two reads. If a user
 * may not lock so much memory, all rings are smaller.
 */
enum { MOST_BYTES = 1 << 18 };

/*
 * An event that LWPs inherit makes each LWP take about 1 microsecond longer. So there may
 * be one for each CPU only if the CPUs are few, and for CPUs that are offline only if
 * these are fewer still: they hardly ever come online during a run.
 */
enum { MOST_INHERITED = 32, MOST_OFFLINE = 8 };

/*
 * Between the time of a record and the time when it is in its ring a CPU may pause, in a
 * virtual machine. A later pause can only change the order of records of LWPs that run at
 * the same time: the record of a birth is in its ring before the LWP runs.
 */
static const int64_t writing_ns = 1000000;

/* A ring, and the event that it belongs to. */
struct mapped {
	int fd;
	struct perf_event_mmap_page *page;
	size_t size; /* bytes of the mapping */
	struct kernel_ring ring;
};

/*
 * Each event has a ring of its own. The kernel writes the values of one event under a
 * lock, so that the ring has one writer at a time; a ring that two events share would
 * lose records. An inherited event cannot be mapped, so its records go to the ring of
 * another event, which is not inherited and counts nothing. The births of LWPs are
 * written without a lock: each CPU has a ring for them.
 */
struct lifetimes {
	struct group *group; /* the events, which the holder's children inherit */
	unsigned nsel;
	struct cpulist cpus; /* on which births are recorded */
	unsigned n, nparts;  /* rings; the first nparts are those of the parts */
	struct mapped *mapped;
	struct kernel_lives_part *part;
	struct kernel_lives lives;
};

/* An event that counts nothing. */
static struct perf_event_attr dummy(void)
{
	const struct kernel_event ev = {.type = PERF_TYPE_SOFTWARE,
					.config = {PERF_COUNT_SW_DUMMY},
					.exclude_kernel = 1,
					.exclude_hv = 1};
	struct perf_event_attr attr;

	kernel_event_attr(&ev, &attr);
	attr.disabled = 1;
	kernel_lives_stamp(&attr);
	return attr;
}

static void unmap(struct mapped *m)
{
	if (m->page)
		munmap(m->page, m->size);
	m->page = NULL;
}

static int map(struct mapped *m, size_t page, size_t size)
{
	void *p = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);

	if (p == MAP_FAILED)
		return -1;
	m->page = p;
	m->size = page + size;
	m->ring = (struct kernel_ring){.data = (const unsigned char *)p + page,
				       .size = size};
	return 0;
}

/* Map all rings, each as large as the user may lock in memory, but at least a page. */
static int map_all(struct lifetimes *l)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t size = MOST_BYTES; size >= page; size /= 2) {
		unsigned i = 0;

		while (i < l->n && map(&l->mapped[i], page, size) == 0)
			i++;
		if (i == l->n)
			return 0;
		const int e = errno;
		while (i-- > 0)
			unmap(&l->mapped[i]);
		errno = e;
		if (e != EPERM && e != ENOMEM)
			return -1;
	}
	return -1;
}

/* Open an event on the holder that counts nothing and has a ring. */
static int open_ring(struct kernel_host *host, struct lifetimes *l,
		     struct perf_event_attr *attr, pid_t holder, int cpu)
{
	const int fd = kernel_event_open(&host->env, attr, holder, cpu, -1);

	if (fd == -1)
		return -1;
	l->mapped[l->n++].fd = fd;
	return 0;
}

/*
 * A ring for the births and names on a CPU: those of the tree that a holder starts, or
 * with -1 those of all processes.
 */
static int open_births_on(struct kernel_host *host, struct lifetimes *l, pid_t holder,
			  int cpu)
{
	struct perf_event_attr attr = dummy();

	attr.task = 1;
	attr.comm = 1;
	attr.comm_exec = 1;
	attr.inherit = holder != -1;
	attr.enable_on_exec = holder != -1;
	attr.disabled = holder != -1;
	return open_ring(host, l, &attr, holder, cpu);
}

/*
 * A ring for the births and names on each CPU. An event of all processes costs an LWP
 * nothing. A user who may not see all has events that LWPs inherit, which makes births
 * and ends slower; so has a CPU that is offline, and can come online later. Returns 1 if
 * LWPs would inherit too many.
 */
static int open_births(struct kernel_host *host, struct lifetimes *l, pid_t holder)
{
	pid_t whose = -1;

	for (unsigned i = 0; i < l->cpus.n; i++) {
		const int cpu = l->cpus.cpu[i];
		int rc = open_births_on(host, l, whose, cpu);

		if (rc == -1 && whose == -1 && (errno == EACCES || errno == EPERM)) {
			if (l->cpus.n > MOST_INHERITED)
				return 1;
			whose = holder;
			rc = open_births_on(host, l, whose, cpu);
		}
		if (rc == -1 && whose == -1 && errno == ENODEV)
			rc = open_births_on(host, l, holder, cpu);
		if (rc == -1 && errno != ENODEV)
			return -1;
	}
	return 0;
}

static int refuse_kernel(struct why *why)
{
	return why_refuse(why, ENOTSUP,
			  "this kernel cannot record what each LWP has counted; Linux "
			  "6.12 and later may");
}

/* Kernels before 6.12 refuse inherited events with PERF_SAMPLE_READ. */
static int can_keep_apart(struct kernel_host *host, pid_t holder)
{
	struct perf_event_attr attr = dummy();

	attr.inherit = 1;
	attr.sample_type |= PERF_SAMPLE_READ;
	const int fd = kernel_event_open(&host->env, &attr, holder, -1, -1);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Open the events. Returns -1 with errno and *why. */
static int open_parts(struct kernel_host *host, struct lifetimes *l, pid_t holder,
		      const struct evsel *const *sel, struct why *why)
{
	const struct kernel_open_how how = {
		.tid = holder, .inherit = 1, .on_exec = 1, .report_ends = 1};
	const int hybrid = kernel_host_cores(host) > 1;
	struct kernel_failure f;

	l->group = kernel_plan_open(&host->env, &host->plans, hybrid, &how, sel, l->nsel,
				    &f);
	if (l->group)
		return 0;
	const int e = errno;
	if (e == EINVAL && !can_keep_apart(host, holder))
		return refuse_kernel(why);
	errno = e;
	kernel_bind_refuse(host, sel[f.sel], &f,
			   &(struct target){.tid = holder, .tree = 1}, l->nparts, why);
	return -1;
}

static int open_rings(struct kernel_host *host, struct lifetimes *l, pid_t holder)
{
	struct perf_event_attr attr = dummy();

	for (unsigned i = 0; i < l->nparts; i++)
		if (open_ring(host, l, &attr, holder, -1) == -1)
			return -1;
	return 0;
}

/* Let each event write into a ring of its own. */
static int connect_parts(struct lifetimes *l)
{
	for (unsigned i = 0; i < l->nparts; i++) {
		const struct part *p = &l->group->part[i], *before = p - (i > 0);
		struct kernel_lives_part *part = &l->part[i];

		*part = (struct kernel_lives_part){
			.sel = p->sel,
			.factor = l->group->factor[p->sel],
			.with_previous = before != p && before->sel == p->sel &&
					 before->core == p->core,
		};
		if (ioctl(p->fd, PERF_EVENT_IOC_SET_OUTPUT, l->mapped[i].fd) == -1 ||
		    ioctl(p->fd, PERF_EVENT_IOC_ID, &part->id) == -1)
			return -1;
	}
	return 0;
}

/* Refuse the events or their rings for errno. */
static int refuse_rings(int is_mapped, struct why *why)
{
	if (errno == EINVAL)
		return refuse_kernel(why);
	if (!is_mapped && (errno == EPERM || errno == ENOMEM))
		return why_refuse(
			why, errno,
			"cannot map the rings for the records of the lives of LWPs: %s; "
			"kernel.perf_event_mlock_kb (for each CPU) and the limit of "
			"locked memory (ulimit -l) allow a user too little: raise one of "
			"them (CAP_IPC_LOCK or root: no limit)",
			strerror(errno));
	return why_refuse(why, errno,
			  "cannot open the events that record the lives of LWPs: %s",
			  strerror(errno));
}

/* Make *l the list of n CPUs from 0 on. */
static int number_cpus(struct cpulist *l, long n)
{
	*l = (struct cpulist){0};
	for (int cpu = 0; cpu < n; cpu++)
		if (cpulist_add(l, cpu) == -1)
			return -1;
	return 0;
}

/*
 * List the CPUs on which LWPs can be created during a run. Virtual machines have many
 * more, which could be plugged in but are not there. Returns -1 with ENOMEM.
 */
static int list_cpus(const char *root, struct cpulist *cpus)
{
	struct cpulist online;

	if (cpulist_read(cpus, root, "present") == -1 || cpus->n == 0)
		return number_cpus(cpus, sysconf(_SC_NPROCESSORS_CONF));
	if (cpulist_read(&online, root, "online") == -1)
		return 0;
	if (online.n > 0 && cpus->n > online.n + MOST_OFFLINE) {
		const struct cpulist present = *cpus;

		*cpus = online;
		online = present;
	}
	cpulist_free(&online);
	return 0;
}

static int open_all(struct kernel_host *host, struct lifetimes *l, pid_t holder,
		    const struct evsel *const *sel, struct why *why)
{
	if (open_parts(host, l, holder, sel, why) == -1)
		return -1;
	const int rc =
		open_rings(host, l, holder) == 0 ? open_births(host, l, holder) : -1;
	if (rc == 1)
		return why_refuse(why, ENOTSUP,
				  "this machine has %u CPUs; on more than %d the records "
				  "need root or CAP_PERFMON, as LWPs would begin slowly "
				  "otherwise",
				  l->cpus.n, MOST_INHERITED);
	const int is_mapped = rc == -1 || map_all(l) == 0;
	if (rc == 0 && is_mapped && connect_parts(l) == 0)
		return 0;
	return refuse_rings(is_mapped, why);
}

/* Returns NULL if memory runs out. */
static struct lifetimes *new_lifetimes(const char *root, const struct evsel *const *sel,
				       unsigned n)
{
	const unsigned nparts = kernel_group_parts(sel, n);
	struct lifetimes *l = calloc(1, sizeof *l);

	if (!l)
		return NULL;
	*l = (struct lifetimes){.nsel = n, .nparts = nparts};
	l->part = calloc(nparts, sizeof *l->part);
	l->lives = (struct kernel_lives){.nsel = n, .nparts = nparts, .part = l->part};
	if (l->part && list_cpus(root, &l->cpus) == 0) {
		l->mapped = calloc(nparts + l->cpus.n, sizeof *l->mapped);
		if (l->mapped)
			return l;
	}
	kernel_lifetimes_close(l);
	return NULL;
}

struct lifetimes *kernel_lifetimes_open(struct kernel_host *host, pid_t holder,
					const struct evsel *const *sel, unsigned n,
					struct why *why)
{
	struct lifetimes *l = new_lifetimes(host->env.root, sel, n);

	if (!l)
		why_refuse(why, ENOMEM, "%s", strerror(ENOMEM));
	else if (open_all(host, l, holder, sel, why) == 0)
		return l;
	kernel_lifetimes_close(l);
	return NULL;
}

/* Keeps errno. */
void kernel_lifetimes_close(struct lifetimes *l)
{
	const int e = errno;

	if (!l)
		return;
	for (unsigned i = 0; i < l->n; i++) {
		unmap(&l->mapped[i]);
		close(l->mapped[i].fd);
	}
	kernel_group_close(l->group);
	kernel_lives_free(&l->lives);
	cpulist_free(&l->cpus);
	free(l->mapped);
	free(l->part);
	free(l);
	errno = e;
}

void kernel_lifetimes_read(struct lifetimes *l, int all, void *arg,
			   void (*fn)(void *arg, const struct engine_life *life))
{
	const int64_t until = clock_ns() - writing_ns;

	for (unsigned i = 0; i < l->n; i++) {
		struct mapped *m = &l->mapped[i];

		kernel_lives_take(&l->lives, &m->ring,
				  __atomic_load_n(&m->page->data_head, __ATOMIC_ACQUIRE));
		__atomic_store_n(&m->page->data_tail, m->ring.tail, __ATOMIC_RELEASE);
	}
	kernel_lives_emit(&l->lives, all ? INT64_MAX : until, arg, fn);
	if (all)
		kernel_lives_end(&l->lives, arg, fn);
}

int kernel_lifetimes_total(struct lifetimes *l, struct count *val)
{
	memset(val, 0, l->nsel * sizeof *val);
	for (unsigned i = 0; i < l->nparts; i++) {
		uint64_t v[4]; /* value, ns enabled, ns running, id */
		const struct kernel_lives_part *p = &l->part[i];
		struct count *c = &val[p->sel];

		if (kernel_event_read(l->group->part[i].fd, v, sizeof v) != sizeof v)
			return -1;
		c->count += v[0] * p->factor;
		if (c->enabled < v[1])
			c->enabled = v[1];
		c->running += p->with_previous ? 0 : v[2];
	}
	return 0;
}

uint64_t kernel_lifetimes_lost(const struct lifetimes *l)
{
	uint64_t lost = l->lives.lost;

	for (unsigned i = 0; i < l->n; i++)
		lost += l->mapped[i].ring.lost + l->mapped[i].ring.broken;
	return lost;
}
