#include "follow.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "common/message.h"
#include "common/signals.h"
#include "common/status.h"

/* The time between two looks at the rings. */
#define LOOK_NS 20000000

/* A ring that is followed. */
struct followed {
	uint64_t cb;
	lwp_block_t block; /* as of the last look */
	uint8_t *bytes;	   /* all of the ring, as of the last look */
	uint8_t *now;	   /* room for the next look */
	uint32_t size;	   /* of both */
	uint32_t next;	   /* offset behind the last record that was printed */
	uint64_t printed;  /* records */
	int started;
};

static volatile sig_atomic_t stopped;

static void stop(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)context;
	stopped = 1;
}

/* Read n bytes of the process. Returns 0 if they cannot be read, as after its end. */
static int read_memory(int fd, uint64_t address, void *p, size_t n)
{
	size_t done = 0;

	while (done < n) {
		const ssize_t got =
			pread(fd, (char *)p + done, n - done, (off_t)(address + done));

		if (got <= 0)
			return 0;
		done += (size_t)got;
	}
	return 1;
}

static int read_block(int fd, uint64_t cb, lwp_block_t *block)
{
	uint8_t bytes[LWP_BLOCK_FIXED];
	lwp_features_t f;

	lwp_features_version1(&f);
	return read_memory(fd, cb, bytes, sizeof bytes) &&
	       lwp_block_decode(block, bytes, sizeof bytes, &f) == 0;
}

/* Make room for a ring, whose size the program can change. */
static void resize(struct followed *f, const lwp_block_t *block, uint32_t event_size)
{
	const uint32_t size = block->buffer_size - block->buffer_size % event_size;

	if (f->started && size == f->size && block->buffer_base == f->block.buffer_base)
		return;
	free(f->bytes);
	free(f->now);
	f->bytes = calloc(1, size + 1);
	f->now = calloc(1, size + 1);
	if (!f->bytes || !f->now)
		err(EXIT_TOOL, "cannot follow a ring");
	f->size = size;
	f->started = 0;
}

/*
 * Return whether LWP has gone round the ring since the last look: then slots have changed
 * that are not between the last printed record and head. The slot at head is not
 * compared, as LWP also writes missed records there.
 */
static int went_round(const struct followed *f, uint32_t head, uint32_t event_size)
{
	uint32_t at = head + event_size;

	for (at = at < f->size ? at : 0; at != f->next && head != f->next;) {
		if (memcmp(f->bytes + at, f->now + at, event_size) != 0)
			return 1;
		at += event_size;
		at = at < f->size ? at : 0;
	}
	return 0;
}

/* Print the records from tail up to head of the ring that was just read. */
static void print_new(struct printer *p, struct followed *f, size_t ring,
		      const lwp_ring_t *view)
{
	const uint32_t n = lwp_ring_count(view);

	printer_ring(p, ring);
	p->first = f->printed;
	printer_slots(p, view, 0, n, PRINTER_UNREAD);
	p->first = 0;
	f->printed += n;
}

/* Tell LWP that the records up to head were read. */
static void give_back(int fd, const struct followed *f, uint32_t head)
{
	uint8_t tail[4];

	bytes_put32(tail, head);
	if (pwrite(fd, tail, sizeof tail, (off_t)(f->cb + LWP_BLOCK_TAIL)) == -1)
		warn("cannot change the LWPCB at %#" PRIx64, f->cb);
}

static unsigned report_missed(const struct followed *f, size_t ring, uint64_t missed)
{
	const uint64_t before = f->started ? f->block.missed : 0;

	if (missed <= before)
		return 0;
	message_notef("ring %zu: %" PRIu64
		      " events were missed because the ring was full",
		      ring + 1, missed - before);
	return 1;
}

/* Look at a ring. Returns how many problems there are, or -1 if the process has ended. */
static int look(struct printer *p, struct followed *f, size_t ring, int fd)
{
	const uint32_t event_size = p->recording->event_size;
	lwp_block_t block;
	lwp_ring_t view;
	int problems = 0;

	if (!read_block(fd, f->cb, &block))
		return -1;
	resize(f, &block, event_size);
	if (!f->size || !read_memory(fd, block.buffer_base, f->now, f->size))
		return 1;
	if (lwp_ring_init(&view, &block, f->now, f->size, event_size) == -1)
		return 1;
	problems += (int)report_missed(f, ring, block.missed);
	if (f->started && went_round(f, view.head, event_size)) {
		warnx("ring %zu: LWP has gone round the ring since the last look: some "
		      "records are lost",
		      ring + 1);
		problems++;
	} else if (f->started) {
		view.tail = f->next;
	}
	print_new(p, f, ring, &view);
	if (p->options->consume && view.head != view.tail)
		give_back(fd, f, view.head);
	uint8_t *bytes = f->bytes;
	f->bytes = f->now;
	f->now = bytes;
	f->next = view.head;
	f->block = block;
	f->started = 1;
	return problems;
}

/* Look at all rings until the end. Returns the number of problems. */
static unsigned look_at_all(struct printer *p, struct followed *f, int fd)
{
	const size_t n = p->recording->nring;
	unsigned problems = 0;
	int last = 0, ended = 0;

	while (!last && !ended && !p->out->error) {
		const struct timespec pause = {.tv_nsec = LOOK_NS};

		last = stopped;
		for (size_t i = 0; i < n; i++) {
			const int found = look(p, &f[i], i, fd);

			ended |= found == -1;
			problems += found > 0 ? (unsigned)found : 0;
		}
		printer_flush(p);
		if (!last && !ended)
			nanosleep(&pause, NULL);
	}
	if (ended)
		message_notef("the process has ended; records that it stored in the last "
			      "%d ms may not be printed",
			      LOOK_NS / 1000000);
	return problems + (unsigned)ended;
}

unsigned follow(struct printer *p)
{
	const struct recording *r = p->recording;
	struct followed *f = calloc(r->nring, sizeof *f);
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/mem", (int)r->pid);
	const int fd = open(path, (p->options->consume ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (!f || fd == -1)
		err(EXIT_TOOL, "cannot follow process %d", (int)r->pid);
	signals_catch(stop);
	for (size_t i = 0; i < r->nring; i++)
		f[i].cb = r->ring[i].cb;
	const unsigned problems = look_at_all(p, f, fd);
	for (size_t i = 0; i < r->nring; i++) {
		free(f[i].bytes);
		free(f[i].now);
	}
	free(f);
	close(fd);
	return problems;
}
