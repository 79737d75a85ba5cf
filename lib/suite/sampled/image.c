#include "suite/sampled/image.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/procfs.h"

/* The most records of a ring: 32 MiB, as in recordings of the simulator. */
enum { ROOM = (1 << 20) - 1 };

/* The bytes of a mapped ELF file that a recording has. */
enum { HEAD = 4096 };

enum { BLOCK = LWP_EVENT_OFFSET + 8 * LWP_MAX_EVENTS };

/* ---- Threads and records */

struct sampled_ring *sampled_add(struct sampled *m, pid_t tid)
{
	struct sampled_ring *r = NULL;

	if (array_grow(&m->ring, m->nring, sizeof *m->ring) == 0)
		r = calloc(1, sizeof *r);
	if (!r) {
		m->lost = 1;
		return NULL;
	}
	r->tid = tid;
	file_read(r->name, sizeof r->name, "/proc/%d/task/%d/comm", (int)m->pid,
		  (int)tid);
	r->name[strcspn(r->name, "\n")] = '\0';
	m->ring[m->nring++] = r;
	return r;
}

static int grow(struct sampled_ring *r)
{
	const uint32_t room = r->room ? r->room * 2 : 64;
	uint8_t *bytes = reallocarray(r->bytes, room, LWP_EVENT_SIZE);

	if (!bytes)
		return -1;
	r->bytes = bytes;
	r->room = room;
	return 0;
}

void sampled_store(struct sampled_ring *r, const lwp_record_t *record)
{
	if (r->n == ROOM || (r->n == r->room && grow(r) == -1)) {
		r->missed++;
		return;
	}
	lwp_record_encode(r->bytes + (size_t)r->n++ * LWP_EVENT_SIZE, record);
}

/* The newest thread with an id has the name: ids are used again. */
void sampled_name(struct sampled *m, pid_t tid, const char *name)
{
	for (size_t i = m->nring; i-- > 0;)
		if (m->ring[i]->tid == tid) {
			snprintf(m->ring[i]->name, sizeof m->ring[i]->name, "%.15s",
				 name);
			return;
		}
}

struct sampled_sum sampled_sum(const struct sampled *m)
{
	struct sampled_sum sum = {0, 0};

	for (size_t i = 0; i < m->nring; i++) {
		sum.stored += m->ring[i]->n;
		sum.missed += m->ring[i]->missed;
	}
	return sum;
}

/* ---- Mappings */

/* Keep p, which may be NULL if memory ran out, until the image ends. */
static void *keep(struct sampled *m, void *p)
{
	if (!p || array_grow(&m->memory, m->nmemory, sizeof *m->memory) == -1) {
		free(p);
		m->lost = 1;
		return NULL;
	}
	return m->memory[m->nmemory++] = p;
}

/*
 * Read the first bytes of a mapped file, if the file at the path is the mapped one and
 * has not changed since the image began.
 */
static void read_head(struct sampled *m, const struct sample_mapping *from,
		      struct recording_mapping *to)
{
	const int fd = to->path[0] == '/' && !to->offset
			       ? open(to->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
			       : -1;
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_ino == from->inode &&
	    (uint64_t)st.st_ctim.tv_sec * 1000000000 + (uint64_t)st.st_ctim.tv_nsec <
		    m->begun) {
		uint8_t *p = keep(m, calloc(1, HEAD));
		const ssize_t n = p ? read(fd, p, HEAD) : 0;

		if (n > 0)
			recording_set_head(to, p, (size_t)n);
	}
	close(fd);
}

/* A part of a file has the build id of another part. */
static void share_build_id(const struct sampled *m, struct recording_mapping *to)
{
	for (size_t i = 0; i < m->nmapping && to->path && !to->build_id; i++) {
		const struct recording_mapping *other = &m->mapping[i];

		if (!other->path || strcmp(other->path, to->path) != 0)
			continue;
		to->build_id = other->build_id;
		to->build_id_size = other->build_id_size;
	}
}

void sampled_map(struct sampled *m, const struct sample_mapping *from)
{
	struct recording_mapping *grown =
		reallocarray(m->mapping, m->nmapping + 2, sizeof *grown);
	struct recording_mapping to = {
		.start = from->start,
		.end = from->end,
		.offset = from->path ? from->offset : 0,
	};

	if (!grown) {
		m->lost = 1;
		return;
	}
	m->mapping = grown;
	if (from->path && (to.path = keep(m, strdup(from->path))))
		read_head(m, from, &to);
	share_build_id(m, &to);
	struct recording r = {.mapping = m->mapping, .nmapping = m->nmapping};
	recording_map(&r, &to);
	m->nmapping = r.nmapping;
}

/* ---- Images */

/* A process that was killed has no facts any more. */
static void note_unread(struct sampled *m, int error)
{
	const char state = procfs_state(m->pid, &(unsigned){0});

	m->lost = error == ENOMEM;
	if (!m->lost && state != 'Z' && state != 'X' && kill(m->pid, 0) == 0)
		m->error = error;
}

void sampled_begin(struct sampled *m, pid_t pid, unsigned n)
{
	*m = (struct sampled){.pid = pid, .n = n, .begun = (uint64_t)clock_unix_ns()};
	if (recording_of_process(&m->fact, pid) == -1) {
		note_unread(m, errno);
		return;
	}
	m->mapping = calloc(m->fact.nmapping + 1, sizeof *m->mapping);
	if (!m->mapping) {
		m->lost = 1;
		return;
	}
	for (size_t i = 0; i < m->fact.nmapping; i++)
		m->mapping[m->nmapping++] = m->fact.mapping[i];
}

void sampled_end(struct sampled *m)
{
	for (size_t i = 0; i < m->nring; i++) {
		free(m->ring[i]->bytes);
		free(m->ring[i]);
	}
	for (size_t i = 0; i < m->nmemory; i++)
		free(m->memory[i]);
	free(m->ring);
	free(m->memory);
	free(m->mapping);
	recording_free(&m->fact);
	*m = (struct sampled){.pid = m->pid};
}

/* ---- The recording */

/* The LWPCB of a ring. */
static void fill_block(uint8_t *block, const struct sampled_ring *r,
		       const struct sample_source *source, unsigned n)
{
	lwp_block_t b = {
		.flags = LWP_FLAG_PTSC,
		.buffer_size = (ROOM + 1) * LWP_EVENT_SIZE,
		.events = LWP_MAX_EVENTS,
		.head = r->n * LWP_EVENT_SIZE,
		.missed = r->missed,
	};
	lwp_features_t f;

	lwp_features_version1(&f);
	for (unsigned i = 0; i < n; i++) {
		b.flags |= LWP_FLAG(source[i].id);
		b.interval[source[i].id] = (int32_t)source[i].interval - 1;
	}
	lwp_block_encode(block, BLOCK, &b, &f);
}

static unsigned list_events(const struct sampled *m, const struct sample_set *events,
			    struct recording_event *event)
{
	unsigned n;
	const struct sample_source *s = sample_set_sources(events, &n);
	const int inexact = m->shared || m->unread;

	for (unsigned i = 0; i < n; i++)
		event[i] = (struct recording_event){
			.id = s[i].id,
			.name = s[i].name,
			.source = s[i].origin,
			.interval = s[i].interval,
			.events = s[i].counts && !inexact ? m->count[i] : UINT64_MAX,
		};
	return n;
}

/* List the rings that have something, with LWPCBs at block, and their threads. */
static void list_rings(const struct sampled *m, const struct sample_set *events,
		       uint8_t *block, struct recording *r)
{
	unsigned n;
	const struct sample_source *source = sample_set_sources(events, &n);

	for (size_t i = 0; i < m->nring; i++, block += BLOCK) {
		const struct sampled_ring *from = m->ring[i];

		if (!from->n && !from->missed)
			continue;
		fill_block(block, from, source, n);
		r->thread[r->nthread++] =
			(struct recording_thread){from->tid, from->name};
		r->ring[r->nring++] = (struct recording_ring){
			.tid = from->tid,
			.block = block,
			.block_size = BLOCK,
			.bytes = from->bytes,
			.size = (size_t)from->n * LWP_EVENT_SIZE,
		};
	}
}

int sampled_write(const struct sampled *m, const struct sample_set *events, int fd)
{
	struct recording_event event[SAMPLE_SOURCES];
	uint8_t *block = calloc(m->nring + 1, BLOCK);
	struct recording r = m->fact;
	int result = -1;

	r.pid = m->pid;
	r.unix_ns = m->begun;
	r.event_offset = LWP_EVENT_OFFSET;
	r.event_size = LWP_EVENT_SIZE;
	r.clock = "CLOCK_MONOTONIC";
	r.is_own = 1;
	r.mapping = m->mapping;
	r.nmapping = m->nmapping;
	r.thread = calloc(m->nring + 1, sizeof *r.thread);
	r.nthread = 0;
	r.ring = calloc(m->nring + 1, sizeof *r.ring);
	r.nring = 0;
	r.event = event;
	r.nevent = list_events(m, events, event);
	if (block && r.thread && r.ring) {
		list_rings(m, events, block, &r);
		result = recording_write(fd, &r);
	}
	const int error = errno;
	free(block);
	free(r.thread);
	free(r.ring);
	errno = error;
	return result;
}
