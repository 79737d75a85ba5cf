#include "engine/kernel/sampling.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/kernel/refusal.h"
#include "engine/kernel/ring.h"
#include "engine/why.h"

/* read_format of Linux 6.0: how many records were lost, up to now. */
#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1u << 4)
#endif

enum { PRECISE = 2 }; /* the highest that means one thing everywhere: no skid */

/*
 * An event, or one for each kind of core: the first has the ring, the others write there.
 */
struct smpl_source {
	unsigned n;
	int tells_lost; /* read(2) tells what was lost */
	uint64_t nrecs_bytes;
	uint64_t due; /* bytes written when the next signal is due */
	size_t size;  /* of the mapping */
	pid_t pid;    /* who has it: a forked child does not */
	struct perf_event_mmap_page *page;
	struct kernel_ring ring;
	int busy; /* it is being read */
	int fd[KERNEL_EVSEL_PARTS];
};

/* How an event is opened. */
struct manner {
	uint64_t items;
	uint64_t format;
	unsigned precise;
	const struct engine_sampling *ask;
};

const char *kernel_sampling_iname(struct engine *e)
{
	(void)e;
	return "Linux perf_event sampling";
}

static int is_software(const struct kernel_event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE || ev->type == PERF_TYPE_TRACEPOINT ||
	       ev->type == PERF_TYPE_BREAKPOINT;
}

/*
 * Does its PMU note loads and stores? Intel's have a threshold for that; of AMD's it is
 * the one that picks instructions.
 */
static int notes_memory(const struct select_env *place, const struct kernel_event *ev)
{
	char name[96], unit[8];
	struct kernel_event ibs;

	if (kernel_sysfs_encode(place->root, "ibs_op/config=0/", &ibs, unit, sizeof(unit),
				NULL) == 0 &&
	    ibs.type == ev->type)
		return 1;
	if (!place->ncores)
		return 0;
	struct kernel_event core = {0};
	snprintf(name, sizeof(name), "%s/ldlat=3/", place->core[ev->core].name);
	return kernel_sysfs_encode(place->root, name, &core, unit, sizeof(unit), NULL) ==
	       0;
}

/* Faults and breakpoints come with the address that was accessed. */
static int has_address(const struct kernel_event *ev)
{
	if (ev->type == PERF_TYPE_BREAKPOINT)
		return 1;
	if (ev->type != PERF_TYPE_SOFTWARE)
		return 0;
	switch (ev->config[0]) {
	case PERF_COUNT_SW_PAGE_FAULTS:
	case PERF_COUNT_SW_PAGE_FAULTS_MIN:
	case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
	case PERF_COUNT_SW_ALIGNMENT_FAULTS:
		return 1;
	}
	return 0;
}

/*
 * A software event whose records are to tell their period gives one for each event,
 * whatever the period (perf_swevent_event() of Linux; seen on 6.1 and 6.18).
 */
static uint64_t items_of(const struct select_env *place, const struct kernel_event *ev)
{
	const uint64_t addr = UINT64_C(1) << ITEM_ADDR;
	const uint64_t memory =
		addr | UINT64_C(1) << ITEM_LATENCY | UINT64_C(1) << ITEM_DATA_SRC;
	const uint64_t period = UINT64_C(1) << ITEM_PERIOD;
	const uint64_t others = ((UINT64_C(1) << ENGINE_NITEMS) - 1) & ~(memory | period);

	if (is_software(ev))
		return has_address(ev) ? others | addr : others;
	return others | period | (notes_memory(place, ev) ? memory : 0);
}

/* Its clock is that of cpc_buf_hrtime(). */
static int open_as(const struct kernel_env *env, const struct kernel_event *ev,
		   const struct manner *m)
{
	struct perf_event_attr attr;

	kernel_event_attr(ev, &attr);
	attr.sample_period = m->ask->period;
	attr.sample_type = kernel_ring_what(m->items);
	attr.read_format = m->format;
	attr.wakeup_events = m->ask->nrecs;
	attr.disabled = 1;
	attr.precise_ip = m->precise & 3;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	return kernel_event_open(env, &attr, 0, -1, -1);
}

/* The highest precision that the PMU has; software is precise by itself. */
static int open_precise(const struct kernel_env *env, const struct kernel_event *ev,
			struct manner *m)
{
	int fd, err = 0;

	for (m->precise = is_software(ev) ? 0 : PRECISE;; m->precise--) {
		fd = open_as(env, ev, m);
		if (fd >= 0)
			return fd;
		if (m->precise == 0)
			break;
		err = errno;
	}
	/* Asked for by the event's own name, its refusal is the one that tells. */
	if (ev->precise && err)
		errno = err;
	return -1;
}

/* Old kernels do not know the format that tells what was lost. */
static int open_event(const struct kernel_env *env, const struct kernel_event *ev,
		      struct manner *m)
{
	const uint64_t times =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

	m->format = times | PERF_FORMAT_LOST;
	const int fd = open_precise(env, ev, m);
	if (fd >= 0 || errno != EINVAL)
		return fd;
	m->format = times;
	return open_precise(env, ev, m);
}

/* A record is of one event. */
static int is_sum(const struct evsel *s)
{
	if (s->factor != 1)
		return 1;
	for (unsigned i = 1; i < s->n; i++)
		if (s->ev[i].core == s->ev[i - 1].core)
			return 1;
	return 0;
}

/* Its PMU has no interrupt. */
static int cannot_interrupt(const struct evsel *s, struct why *why)
{
	return why_refuse(why, ENOTSUP,
			  "%s: it cannot interrupt here, so it gives no records; "
			  "count it",
			  s->name);
}

static int open_all(const struct kernel_env *env, const struct select_env *place,
		    const struct evsel *s, const struct engine_sampling *ask,
		    struct smpl_source *src, struct kernel_failure *f, struct why *why)
{
	struct manner m = {.items = items_of(place, &s->ev[0]), .ask = ask};

	*why->text = '\0';
	*f = (struct kernel_failure){.ev = &s->ev[0]};
	if (is_sum(s))
		return why_refuse(why, ENOTSUP,
				  "%s: it is counted as a sum of events (%s), which "
				  "gives no records; sample one of them",
				  s->name, s->note ? s->note : "several");
	for (unsigned i = 0; i < s->n; i++) {
		f->ev = &s->ev[i];
		src->fd[i] = open_event(env, f->ev, &m);
		if (src->fd[i] < 0)
			return errno == EOPNOTSUPP ? cannot_interrupt(s, why) : -1;
		src->n++;
	}
	src->tells_lost = (m.format & PERF_FORMAT_LOST) != 0;
	src->ring.what = kernel_ring_what(m.items);
	src->nrecs_bytes = (uint64_t)kernel_ring_record(m.items) * ask->nrecs;
	return 0;
}

static struct smpl_source *source_new(struct why *why)
{
	struct smpl_source *src = calloc(1, sizeof(*src));

	if (!src)
		why_refuse(why, ENOMEM, "sampling: %s", strerror(ENOMEM));
	return src;
}

/* Keeps errno. */
void kernel_sampling_close(struct smpl_source *src)
{
	const int err = errno;

	if (!src)
		return;
	if (src->page && src->pid == getpid())
		munmap(src->page, src->size);
	for (unsigned i = 0; i < src->n; i++)
		close(src->fd[i]);
	free(src);
	errno = err;
}

uint64_t kernel_sampling_probe(const struct kernel_env *env,
			       const struct select_env *place, const struct evsel *s,
			       struct kernel_failure *f, struct why *why)
{
	const struct engine_sampling ask = {.period = INT64_MAX, .nrecs = 1};
	struct smpl_source *src = source_new(why);

	if (!src)
		return 0;
	const int rc = open_all(env, place, s, &ask, src, f, why);
	kernel_sampling_close(src);
	return rc ? 0 : items_of(place, &s->ev[0]);
}

static int explain_map(const struct evsel *s, size_t size, struct why *why)
{
	const int err = errno;

	if (err != EPERM && err != ENOMEM)
		return why_refuse(why, err, "%s: no ring for its records: %s", s->name,
				  strerror(err));
	return why_refuse(
		why, err,
		"%s: %s: the kernel locks %zu kB of memory for its records, more than "
		"kernel.perf_event_mlock_kb (for each CPU) and the limit of locked "
		"memory (ulimit -l) allow a user; ask for a smaller smpl_nrecs, or raise "
		"one of them",
		s->name, strerror(err), size / 1024);
}

/* The first page tells how far the kernel and the reader are. */
static int map_ring(const struct evsel *s, struct smpl_source *src, struct why *why)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = page;

	while (size < 2 * src->nrecs_bytes)
		size *= 2;
	void *p = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, src->fd[0],
		       0);
	if (p == MAP_FAILED)
		return explain_map(s, page + size, why);
	src->page = p;
	src->pid = getpid();
	src->size = page + size;
	src->ring.data = (const unsigned char *)p + page;
	src->ring.size = size;
	src->due = src->nrecs_bytes;
	for (unsigned i = 1; i < src->n; i++)
		if (ioctl(src->fd[i], PERF_EVENT_IOC_SET_OUTPUT, src->fd[0]))
			return why_refuse(why, errno, "%s: one ring for all cores: %s",
					  s->name, strerror(errno));
	return 0;
}

/* The signal is for this LWP, and says which event it is of (fcntl(2), F_SETSIG). */
static int ask_signal(const struct evsel *s, int fd, int signo, struct why *why)
{
	const struct f_owner_ex me = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)};

	if (fcntl(fd, F_SETSIG, signo) || fcntl(fd, F_SETOWN_EX, &me) ||
	    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC))
		return why_refuse(why, errno, "%s: signals for its records: %s", s->name,
				  strerror(errno));
	return 0;
}

struct smpl_source *kernel_sampling_open(const struct kernel_env *env,
					 const struct select_env *place,
					 const struct evsel *s,
					 const struct engine_sampling *ask,
					 struct kernel_failure *f, struct why *why)
{
	struct smpl_source *src = source_new(why);

	if (!src || open_all(env, place, s, ask, src, f, why) || map_ring(s, src, why))
		goto fail;
	for (unsigned i = 0; ask->signo && i < src->n; i++)
		if (ask_signal(s, src->fd[i], ask->signo, why))
			goto fail;
	if (kernel_sampling_thaw(src) == 0)
		return src;
	why_refuse(why, errno, "%s: sampling does not start: %s", s->name,
		   strerror(errno));
fail:
	kernel_sampling_close(src);
	return NULL;
}

static int each(struct smpl_source *src, unsigned long request, void *arg)
{
	for (unsigned i = 0; i < src->n; i++)
		if (ioctl(src->fd[i], request, arg))
			return -1;
	return 0;
}

int kernel_sampling_freeze(struct smpl_source *src)
{
	return each(src, PERF_EVENT_IOC_DISABLE, NULL);
}

int kernel_sampling_thaw(struct smpl_source *src)
{
	return each(src, PERF_EVENT_IOC_ENABLE, NULL);
}

int kernel_sampling_period(struct smpl_source *src, uint64_t period)
{
	return each(src, PERF_EVENT_IOC_PERIOD, &period);
}

static uint64_t written(const struct smpl_source *src)
{
	return __atomic_load_n(&src->page->data_head, __ATOMIC_ACQUIRE);
}

/*
 * The kernel wakes after wakeup_events records, and once more whenever half the ring has
 * been written since; the bytes tell which it was.
 */
int kernel_sampling_owns(struct smpl_source *src, int fd)
{
	unsigned i = 0;

	while (i < src->n && src->fd[i] != fd)
		i++;
	if (i == src->n || written(src) < src->due)
		return 0;
	src->due += src->nrecs_bytes;
	return 1;
}

/* What the kernel says of all events together. */
static int look(struct smpl_source *src, struct smpl_state *state)
{
	uint64_t v[4]; /* events, enabled, running, lost */
	const ssize_t want = (ssize_t)sizeof(*v) * (src->tells_lost ? 4 : 3);

	state->lost = 0;
	for (unsigned i = 0; i < src->n; i++) {
		const ssize_t size = read(src->fd[i], v, sizeof(v));
		if (size < 0)
			return -1;
		if (size != want) {
			errno = EIO;
			return -1;
		}
		state->on = v[1];
		if (src->tells_lost)
			state->lost += v[3];
	}
	if (!src->tells_lost)
		state->lost = src->ring.lost;
	state->lost += src->ring.throttled + src->ring.broken;
	state->ns = clock_ns();
	return 0;
}

/* The kernel may write there again only when all that was taken has been copied. */
int kernel_sampling_read(struct smpl_source *src, uint64_t *rec, unsigned max,
			 struct smpl_state *state)
{
	int n = 0;

	if (!__atomic_exchange_n(&src->busy, 1, __ATOMIC_ACQUIRE)) {
		n = (int)kernel_ring_take(&src->ring, written(src), rec, max);
		__atomic_store_n(&src->page->data_tail, src->ring.tail, __ATOMIC_RELEASE);
		__atomic_store_n(&src->busy, 0, __ATOMIC_RELEASE);
	}
	return look(src, state) ? -1 : n;
}

/*
 * A name with the threshold among its modifiers or terms, into buf; 0: it has no place.
 */
static int name_with(const struct engine_request *ask, unsigned latency, char *buf,
		     size_t size)
{
	const size_t len = strlen(ask->name);
	int n;

	if (ask->row)
		return 0;
	if (!kernel_sysfs_is(ask->name))
		n = snprintf(buf, size, "%s:ldlat=%u", ask->name, latency);
	else if (ask->name[len - 1] == '/')
		n = snprintf(buf, size, "%.*s,ldlat=%u/", (int)len - 1, ask->name,
			     latency);
	else
		return 0;
	return n < (int)size;
}

/*
 * libpfm4 refuses its modifier ldlat where an event has none, and the PMU its term; what
 * has no name in one of them has no threshold.
 */
struct evsel *kernel_sampling_encode(const struct select_env *place,
				     const struct engine_request *ask, unsigned latency,
				     struct why *why)
{
	char name[CPC_MAX_EVENT_LEN + 16];
	struct engine_request with = *ask;
	struct why later;

	if (!latency)
		return kernel_select(place, ask, why);
	struct evsel *plain = kernel_select(place, ask, why);
	if (!plain)
		return NULL;
	with.name = name;
	struct evsel *s = name_with(ask, latency, name, sizeof(name))
				  ? kernel_select(place, &with, &later)
				  : NULL;
	if (!s) {
		why_refuse(why, EINVAL,
			   "%s: it does not take ld_lat_threshold %u: that is for "
			   "events of loads that have a threshold (ldlat)",
			   ask->name, latency);
	} else {
		free(s->name);
		s->name = plain->name;
		plain->name = NULL;
	}
	kernel_evsel_free(plain);
	if (!s)
		errno = EINVAL;
	return s;
}
