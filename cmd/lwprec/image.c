#include "image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"

struct image_ring {
	pid_t tid;
	char name[16]; /* of the thread */
	uint64_t cb, base;
	uint8_t block[EMULATE_BLOCK_SIZE], *bytes;
	size_t block_size, size;
};

static void read_name(struct image_ring *r, pid_t pid)
{
	file_read(r->name, sizeof r->name, "/proc/%d/task/%d/comm", (int)pid,
		  (int)r->tid);
	r->name[strcspn(r->name, "\n")] = '\0';
}

static struct image_ring *find_ring(struct image *m, pid_t tid, uint64_t cb)
{
	for (size_t i = 0; i < m->nring; i++)
		if (m->ring[i].tid == tid && m->ring[i].cb == cb)
			return &m->ring[i];
	return NULL;
}

static struct image_ring *add_ring(struct image *m, pid_t tid, uint64_t cb)
{
	if (array_grow(&m->ring, m->nring, sizeof *m->ring) == -1)
		return NULL;
	struct image_ring *r = &m->ring[m->nring++];
	*r = (struct image_ring){.tid = tid, .cb = cb};
	return r;
}

/* Bring the saved LWPCB up to date with the state of its thread, if LWP is enabled. */
static void flush(struct image_ring *r, const struct emulate_state *s)
{
	const uint32_t counter = (uint32_t)s->counter & 0x3ffffff;

	if (!s->cb || r->block_size < sizeof r->block)
		return;
	memcpy(r->block + LWP_BLOCK_HEAD, &s->head, sizeof s->head);
	if (s->flags & LWP_FLAG(LWP_EVENT_VAL))
		memcpy(r->block + EMULATE_COUNTER, &counter, sizeof counter);
}

/* One record stands for as many events as the interval says, if that is constant. */
static void add_interval(struct image *m, const struct emulate_state *s)
{
	const uint64_t interval = s->random ? 0 : (uint64_t)s->interval + 1;

	if (m->nring == 1)
		m->interval = interval;
	else if (m->interval != interval)
		m->interval = 0;
}

void image_save_ring(struct image *m, pid_t tid, const struct emulate_state *s)
{
	struct image_ring *r = find_ring(m, tid, s->last_cb);

	if (!r)
		r = add_ring(m, tid, s->last_cb);
	uint8_t *bytes = r ? realloc(r->bytes, s->size) : NULL;
	if (!bytes) {
		m->lost = 1;
		return;
	}
	r->bytes = bytes;
	r->base = s->last_base;
	r->size = emulate_read(m->pid, r->base, bytes, s->size);
	r->block_size = emulate_read(m->pid, r->cb, r->block, sizeof r->block);
	read_name(r, m->pid);
	flush(r, s);
	add_interval(m, s);
}

void image_add(struct image *m, const struct emulate_state *s)
{
	m->values += s->values;
	m->markers += s->markers;
}

void image_read_facts(struct image *m)
{
	struct recording now;

	if (recording_of_process(&now, m->pid) == -1) {
		m->lost |= errno == ENOMEM;
		return;
	}
	recording_free(&m->fact);
	m->fact = now;
}

/* The threads that had rings, and those that were there when the facts were read. */
static size_t list_threads(const struct image *m, struct recording_thread *thread)
{
	size_t n = 0;

	for (size_t i = 0; i < m->fact.nthread; i++)
		thread[n++] = m->fact.thread[i];
	for (size_t i = 0; i < m->nring; i++) {
		size_t k = 0;

		while (k < n && thread[k].tid != m->ring[i].tid)
			k++;
		if (k == n)
			thread[n++] = (struct recording_thread){m->ring[i].tid,
								m->ring[i].name};
	}
	return n;
}

static void list_rings(const struct image *m, struct recording_ring *ring)
{
	for (size_t i = 0; i < m->nring; i++) {
		const struct image_ring *r = &m->ring[i];

		ring[i] = (struct recording_ring){
			.tid = r->tid,
			.cb = r->cb,
			.base = r->base,
			.block = r->block,
			.block_size = r->block_size,
			.bytes = r->bytes,
			.size = r->size,
		};
	}
}

uint64_t image_missed(const struct image *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->nring; i++)
		n += bytes_get64(m->ring[i].block + LWP_BLOCK_MISSED);
	return n;
}

int image_write(struct image *m, int fd)
{
	static const char source[] = "emulated LWP instructions";
	struct recording_thread *thread =
		calloc(m->fact.nthread + m->nring + 1, sizeof *thread);
	struct recording_ring *ring = calloc(m->nring + 1, sizeof *ring);
	struct recording_event event[] = {
		{LWP_EVENT_VAL, "val", source, m->interval, m->values},
		{LWP_EVENT_INS, "ins", source, 1, m->markers},
	};
	struct recording r = m->fact;
	lwp_cpuid_t cpuid;
	int result = -1;

	if (!thread || !ring)
		goto done;
	list_rings(m, ring);
	r.pid = m->pid;
	r.unix_ns = m->begun;
	r.event_offset = LWP_EVENT_OFFSET;
	r.event_size = LWP_EVENT_SIZE;
	lwp_features_encode(&cpuid, &emulate_features);
	memcpy(r.cpuid, cpuid.lwp, sizeof r.cpuid);
	r.is_own = 1;
	r.thread = thread;
	r.nthread = list_threads(m, thread);
	r.ring = ring;
	r.nring = m->nring;
	r.event = event;
	r.nevent = sizeof event / sizeof event[0];
	result = recording_write(fd, &r);
done:
	free(thread);
	free(ring);
	return result;
}

void image_next(struct image *m)
{
	for (size_t i = 0; i < m->nring; i++)
		free(m->ring[i].bytes);
	free(m->ring);
	recording_free(&m->fact);
	*m = (struct image){
		.pid = m->pid,
		.n = m->n + 1,
		.begun = (uint64_t)clock_unix_ns(),
	};
}
