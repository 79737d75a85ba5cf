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
#include "engine/ring/ring.h"
#include "engine/why.h"

/* read_format of Linux 6.0: the number of lost records. */
#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1u << 4)
#endif

enum { PRECISE = 2 }; /* no skid; 3 does not mean the same on all processors */

/*
 * An event, or one for each kind of core; all of them write into the ring of the first.
 */
struct smpl_source {
	unsigned n;
	int reports_lost;     /* read(2) returns the number of lost records */
	uint64_t nrecs_bytes; /* bytes of nrecs records, after which a signal is due */
	uint64_t due;	      /* value of data_head at which the next signal is due */
	size_t size;	      /* bytes of the mapping */
	pid_t pid; /* the process that mapped the ring: a forked child did not */
	struct perf_event_mmap_page *page;
	struct kernel_ring ring;
	struct kernel_event ev; /* that fd[0] counts */
	int busy;		/* the ring is being read */
	int fd[KERNEL_EVSEL_PARTS];
};

/* How an event is opened. */
struct open_how {
	uint64_t items;	  /* bit n: item n */
	uint64_t format;  /* read_format */
	unsigned precise; /* precise_ip */
	const struct engine_sampling *how;
};

const char *kernel_sampling_iname(struct engine *e)
{
	(void)e;
	return "Linux perf_event sampling";
}

/*
 * Can the event's PMU record addresses of loads and stores? PMUs of Intel can if they
 * have the field ldlat; of AMD's PMUs only ibs_op can.
 */
static int records_memory(const struct select_env *senv, const struct kernel_event *ev)
{
	char name[96], unit[8];
	struct kernel_event ibs;

	if (kernel_sysfs_encode(senv->root, "ibs_op/config=0/", &ibs, unit, sizeof(unit),
				NULL) == 0 &&
	    ibs.type == ev->type)
		return 1;
	if (!senv->ncores)
		return 0;
	struct kernel_event core = {0};
	snprintf(name, sizeof(name), "%s/ldlat=3/", senv->core[ev->core].name);
	return kernel_sysfs_encode(senv->root, name, &core, unit, sizeof(unit), NULL) ==
	       0;
}

/* Records of faults and breakpoints have the address that was accessed. */
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
 * If ITEM_PERIOD is requested of a software event, each event gives a record, whatever
 * the period (perf_swevent_event() of Linux; seen on 6.1 and 6.18).
 */
static uint64_t items_of(const struct select_env *senv, const struct kernel_event *ev)
{
	const uint64_t addr = UINT64_C(1) << ITEM_ADDR;
	const uint64_t memory =
		addr | UINT64_C(1) << ITEM_LATENCY | UINT64_C(1) << ITEM_DATA_SRC;
	const uint64_t period = UINT64_C(1) << ITEM_PERIOD;
	const uint64_t others = ((UINT64_C(1) << ENGINE_NITEMS) - 1) & ~(memory | period);

	if (kernel_event_is_software(ev))
		return has_address(ev) ? others | addr : others;
	return others | period | (records_memory(senv, ev) ? memory : 0);
}

/* The records have the clock of cpc_buf_hrtime(). */
static int open_as(const struct kernel_env *env, const struct kernel_event *ev,
		   const struct open_how *m)
{
	struct perf_event_attr attr;

	kernel_event_attr(ev, &attr);
	attr.sample_period = m->how->period;
	attr.sample_type = kernel_ring_sample_type(m->items);
	attr.read_format = m->format;
	attr.wakeup_events = m->how->nrecs;
	attr.disabled = 1;
	attr.precise_ip = m->precise & 3;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	return kernel_event_open(env, &attr, 0, -1, -1);
}

/* Open with the highest precision that the PMU has; software events need none. */
static int open_precise(const struct kernel_env *env, const struct kernel_event *ev,
			struct open_how *m)
{
	int fd, err = 0;

	for (m->precise = kernel_event_is_software(ev) ? 0 : PRECISE;; m->precise--) {
		fd = open_as(env, ev, m);
		if (fd >= 0)
			return fd;
		if (m->precise == 0)
			break;
		err = errno;
	}
	/* If the event's name requests precision, report why precision was refused. */
	if (ev->precise && err)
		errno = err;
	return -1;
}

/* Kernels before 6.0 refuse PERF_FORMAT_LOST. */
static int open_event(const struct kernel_env *env, const struct kernel_event *ev,
		      struct open_how *m)
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

/* Is the value computed from several events? A record belongs to one event. */
static int is_sum(const struct evsel *s)
{
	if (s->factor != 1)
		return 1;
	for (unsigned i = 1; i < s->n; i++)
		if (s->ev[i].core == s->ev[i - 1].core)
			return 1;
	return 0;
}

/* The event's PMU has no interrupt. */
static int refuse_no_interrupt(const struct evsel *s, struct why *why)
{
	return why_refuse(why, ENOTSUP,
			  "%s: this event gives no records, because its PMU cannot "
			  "interrupt; count it instead",
			  s->name);
}

static int open_all(const struct kernel_env *env, const struct select_env *senv,
		    const struct evsel *s, const struct engine_sampling *how,
		    struct smpl_source *src, struct kernel_failure *f, struct why *why)
{
	struct open_how m = {.items = items_of(senv, &s->ev[0]), .how = how};

	*why->text = '\0';
	*f = (struct kernel_failure){.ev = &s->ev[0]};
	if (is_sum(s))
		return why_refuse(why, ENOTSUP,
				  "%s: this event gives no records, because it is "
				  "counted as a sum of events (%s); sample one of these",
				  s->name, s->note ? s->note : "several");
	for (unsigned i = 0; i < s->n; i++) {
		f->ev = &s->ev[i];
		src->fd[i] = open_event(env, f->ev, &m);
		if (src->fd[i] < 0)
			return errno == EOPNOTSUPP ? refuse_no_interrupt(s, why) : -1;
		src->n++;
	}
	src->ev = s->ev[0];
	src->reports_lost = (m.format & PERF_FORMAT_LOST) != 0;
	src->ring.sample_type = kernel_ring_sample_type(m.items);
	src->nrecs_bytes = (uint64_t)kernel_ring_record_size(m.items) * how->nrecs;
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
			       const struct select_env *senv, const struct evsel *s,
			       struct kernel_failure *f, struct why *why)
{
	const struct engine_sampling how = {.period = INT64_MAX, .nrecs = 1};
	struct smpl_source *src = source_new(why);

	if (!src)
		return 0;
	const int rc = open_all(env, senv, s, &how, src, f, why);
	kernel_sampling_close(src);
	return rc ? 0 : items_of(senv, &s->ev[0]);
}

static int refuse_map(const struct evsel *s, size_t size, struct why *why)
{
	const int err = errno;

	if (err != EPERM && err != ENOMEM)
		return why_refuse(why, err, "%s: cannot map a buffer for records: %s",
				  s->name, strerror(err));
	return why_refuse(
		why, err,
		"%s: %s: the kernel locks %zu kB of memory for its records, more than "
		"kernel.perf_event_mlock_kb (for each CPU) and the limit of locked "
		"memory (ulimit -l) allow a user; request a smaller smpl_nrecs, or raise "
		"one of them",
		s->name, strerror(err), size / 1024);
}

/* The first page holds the positions of the kernel and of the reader. */
static int map_ring(const struct evsel *s, struct smpl_source *src, struct why *why)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = page;

	while (size < 2 * src->nrecs_bytes)
		size *= 2;
	void *p = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, src->fd[0],
		       0);
	if (p == MAP_FAILED)
		return refuse_map(s, page + size, why);
	src->page = p;
	src->pid = getpid();
	src->size = page + size;
	src->ring.data = (const unsigned char *)p + page;
	src->ring.size = size;
	src->due = src->nrecs_bytes;
	for (unsigned i = 1; i < src->n; i++)
		if (ioctl(src->fd[i], PERF_EVENT_IOC_SET_OUTPUT, src->fd[0]))
			return why_refuse(
				why, errno,
				"%s: cannot join the records of all kinds of core: %s",
				s->name, strerror(errno));
	return 0;
}

/* Signal the calling LWP; si_fd identifies the event (fcntl(2), F_SETSIG). */
static int request_signal(const struct evsel *s, int fd, int signo, struct why *why)
{
	const struct f_owner_ex me = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)};

	if (fcntl(fd, F_SETSIG, signo) || fcntl(fd, F_SETOWN_EX, &me) ||
	    fcntl(fd, F_SETFL, O_ASYNC))
		return why_refuse(why, errno, "%s: cannot get signals for records: %s",
				  s->name, strerror(errno));
	return 0;
}

struct smpl_source *kernel_sampling_open(const struct kernel_env *env,
					 const struct select_env *senv,
					 const struct evsel *s,
					 const struct engine_sampling *how,
					 struct kernel_failure *f, struct why *why)
{
	struct smpl_source *src = source_new(why);

	if (src && kernel_event_check_period(&s->ev[0], s->name, how->period, why) == -1)
		goto fail;
	if (!src || open_all(env, senv, s, how, src, f, why) || map_ring(s, src, why))
		goto fail;
	for (unsigned i = 0; how->signo && i < src->n; i++)
		if (request_signal(s, src->fd[i], how->signo, why))
			goto fail;
	if (kernel_sampling_thaw(src) == 0)
		return src;
	why_refuse(why, errno, "%s: cannot start sampling: %s", s->name, strerror(errno));
fail:
	kernel_sampling_close(src);
	return NULL;
}

static int ioctl_all(struct smpl_source *src, unsigned long request, void *arg)
{
	for (unsigned i = 0; i < src->n; i++)
		if (ioctl(src->fd[i], request, arg))
			return -1;
	return 0;
}

int kernel_sampling_freeze(struct smpl_source *src)
{
	return ioctl_all(src, PERF_EVENT_IOC_DISABLE, NULL);
}

int kernel_sampling_thaw(struct smpl_source *src)
{
	return ioctl_all(src, PERF_EVENT_IOC_ENABLE, NULL);
}

int kernel_sampling_period(struct smpl_source *src, uint64_t period)
{
	if (kernel_event_check_period(&src->ev, "", period, NULL) == -1)
		return -1;
	return ioctl_all(src, PERF_EVENT_IOC_PERIOD, &period);
}

static uint64_t written(const struct smpl_source *src)
{
	return __atomic_load_n(&src->page->data_head, __ATOMIC_ACQUIRE);
}

/*
 * The kernel signals after wakeup_events records, and also whenever half the ring has
 * been written; only a signal at which nrecs records have been written is reported.
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

/* Add up the state of all events. */
static int read_state(struct smpl_source *src, struct smpl_state *state)
{
	uint64_t v[4]; /* events, enabled, running, lost */
	const ssize_t want = (ssize_t)sizeof(*v) * (src->reports_lost ? 4 : 3);

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
		if (src->reports_lost)
			state->lost += v[3];
	}
	if (!src->reports_lost)
		state->lost = src->ring.lost;
	state->lost += src->ring.throttled + src->ring.broken;
	state->ns = clock_ns();
	return 0;
}

/* data_tail allows the kernel to overwrite records: set it only after they are copied. */
int kernel_sampling_read(struct smpl_source *src, uint64_t *rec, unsigned max,
			 struct smpl_state *state)
{
	int n = 0;

	if (!__atomic_exchange_n(&src->busy, 1, __ATOMIC_ACQUIRE)) {
		n = (int)kernel_ring_read(&src->ring, written(src), rec, max);
		__atomic_store_n(&src->page->data_tail, src->ring.tail, __ATOMIC_RELEASE);
		__atomic_store_n(&src->busy, 0, __ATOMIC_RELEASE);
	}
	return read_state(src, state) ? -1 : n;
}

/*
 * Add the threshold to a name as a modifier, or as a term before the last character of a
 * name of sysfs. Returns 0 if the event takes none, as it is a row of a table.
 */
static int name_with(const struct engine_request *req, unsigned latency, char *buf,
		     size_t size)
{
	const int len = (int)strlen(req->name);

	if (req->row)
		return 0;
	const int n = kernel_sysfs_is(req->name)
			      ? snprintf(buf, size, "%.*s,ldlat=%u/", len - 1, req->name,
					 latency)
			      : snprintf(buf, size, "%s:ldlat=%u", req->name, latency);
	return n < (int)size;
}

/*
 * The threshold is ldlat, a modifier of libpfm4 or a term of sysfs, which is refused for
 * events that have no threshold.
 */
struct evsel *kernel_sampling_encode(const struct select_env *senv,
				     const struct engine_request *req, unsigned latency,
				     struct why *why)
{
	char name[CPC_MAX_EVENT_LEN + 16];
	struct engine_request with = *req;
	struct why later;

	if (!latency)
		return kernel_select(senv, req, why);
	struct evsel *plain = kernel_select(senv, req, why);
	if (!plain)
		return NULL;
	with.name = name;
	struct evsel *s = name_with(req, latency, name, sizeof(name))
				  ? kernel_select(senv, &with, &later)
				  : NULL;
	if (!s) {
		why_refuse(why, EINVAL,
			   "%s: this event has no threshold, so it does not take "
			   "ld_lat_threshold %u; use an event of loads that has one "
			   "(ldlat)",
			   req->name, latency);
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
