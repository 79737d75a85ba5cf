/* Rings of LWPs that are sampled. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/sample/set.h"
#include "engine/why.h"

/* Bytes of a ring, without its first page; less where locked memory is limited. */
enum { RING_SIZE = 1 << 17 };

struct sample_lwp {
	const struct sample_set *set;
	unsigned nfd;
	int fd[SAMPLE_FORMATS];
	uint8_t of[SAMPLE_FORMATS]; /* the event of the set */
	struct perf_event_mmap_page *page;
	size_t mapped; /* bytes at page */
	struct sample_ring ring;
};

/* Map the largest ring that the kernel allows. Returns 0, or -1 with errno. */
static int map(struct sample_lwp *l, int fd)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t size = RING_SIZE > page ? RING_SIZE : page; size >= page; size /= 2) {
		void *p = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			       0);

		if (p != MAP_FAILED) {
			l->page = p;
			l->mapped = page + size;
			l->ring.ring.data = (const unsigned char *)p + page;
			l->ring.ring.size = size;
			return 0;
		}
		if (errno != EPERM && errno != ENOMEM)
			return -1;
	}
	return -1;
}

/* All events of an LWP write into the ring of the first. */
static int join(struct sample_lwp *l, int fd)
{
	return l->nfd == 1 ? map(l, fd) : ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, l->fd[0]);
}

static int refuse_ring(pid_t tid, struct why *why)
{
	return why_refuse(why, errno,
			  "cannot map a ring of samples of LWP %d: %s; "
			  "kernel.perf_event_mlock_kb and RLIMIT_MEMLOCK limit such "
			  "memory (CAP_IPC_LOCK or root: no limit)",
			  (int)tid, strerror(errno));
}

/* Open a part of an event. Parts of the first event also report mappings and names. */
static int open_part(struct sample_lwp *l, unsigned event, unsigned part, pid_t tid,
		     struct why *why)
{
	const struct sample_choice *const c = &l->set->choice[event];
	struct perf_event_attr attr = c->attr[part];
	struct sample_format *const f = &l->ring.format[l->ring.n];

	attr.mmap = attr.mmap_data = attr.mmap2 = event == 0;
	attr.comm = attr.comm_exec = event == 0;
	const int fd = sample_set_open(l->set, &attr, tid);
	if (fd < 0)
		return sample_set_refuse(l->set, event, tid, errno, why);
	l->of[l->nfd] = (uint8_t)event;
	l->fd[l->nfd++] = fd;
	*f = (struct sample_format){0, l->set->source[event].id, c->kind};
	if (ioctl(fd, PERF_EVENT_IOC_ID, &f->id) == -1 || join(l, fd) == -1)
		return refuse_ring(tid, why);
	l->ring.n++;
	return 0;
}

struct sample_lwp *sample_lwp_open(const struct sample_set *s, pid_t tid, struct why *why)
{
	struct sample_lwp *l = calloc(1, sizeof *l);

	if (!l) {
		why_refuse(why, ENOMEM, "memory ran out");
		return NULL;
	}
	l->set = s;
	for (unsigned e = 0; e < s->n; e++)
		for (unsigned part = 0; part < s->choice[e].n; part++)
			if (open_part(l, e, part, tid, why) == -1) {
				const int error = errno;

				sample_lwp_close(l);
				errno = error;
				return NULL;
			}
	return l;
}

void sample_lwp_read(struct sample_lwp *l, const struct sample_handler *to)
{
	const uint64_t head = __atomic_load_n(&l->page->data_head, __ATOMIC_ACQUIRE);

	sample_ring_read(&l->ring, head, to);
	__atomic_store_n(&l->page->data_tail, l->ring.ring.tail, __ATOMIC_RELEASE);
}

int sample_lwp_state(const struct sample_lwp *l, struct sample_state *state)
{
	const uint64_t ring_lost = l->ring.ring.lost;
	uint64_t lost = 0;

	*state = (struct sample_state){
		.throttled = l->ring.ring.throttled,
		.missed = l->ring.missed + l->ring.ring.broken + ring_lost,
	};
	for (unsigned i = 0; i < l->nfd; i++) {
		/* The value, the times enabled and running, and the lost records. */
		uint64_t word[4] = {0};
		const ssize_t n = read(l->fd[i], word, sizeof word);

		if (n < 24) {
			errno = n == -1 ? errno : EIO;
			return -1;
		}
		state->count[l->of[i]] += word[0];
		/* Parts for other kinds of cores run while this one does not. */
		if (word[2] < word[1] && l->set->choice[l->of[i]].n == 1)
			state->shared = 1;
		lost += word[3];
	}
	/* The ring does not have the losses behind its last record. */
	if (lost > ring_lost)
		state->missed += lost - ring_lost;
	return 0;
}

void sample_lwp_close(struct sample_lwp *l)
{
	if (!l)
		return;
	if (l->page)
		munmap(l->page, l->mapped);
	for (unsigned i = 0; i < l->nfd; i++)
		close(l->fd[i]);
	free(l);
}
