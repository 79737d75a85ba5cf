#include "engine/sim/pages.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/sim/memory_file.h"
#include "sim_counters.h"

/* Rows that one pread(2) reads; reads that meet a writer before it is taken for dead. */
enum { ROWS = 32, TRIES = 2000 };

/* The start of struct pages_page, up to its rows. */
struct front {
	uint32_t seq;
	int32_t pid;
	uint32_t state, notes;
	uint64_t note_pc;
	uint32_t execs, nrows;
	uint64_t total[PAGES_COUNTERS];
};
enum { FRONT = offsetof(struct pages_page, row) };

_Static_assert(sizeof(struct front) == FRONT &&
		       offsetof(struct front, note_pc) ==
			       offsetof(struct pages_page, note_pc) &&
		       offsetof(struct front, total) ==
			       offsetof(struct pages_page, total),
	       "struct front is the start of struct pages_page");

/* The start of struct pages_head, up to npages: the whole is too large for a stack. */
struct head_start {
	uint64_t magic;
	uint32_t version, ncounters;
	uint64_t requested;
};

_Static_assert(sizeof(struct head_start) == offsetof(struct pages_head, npages) &&
		       offsetof(struct head_start, requested) ==
			       offsetof(struct pages_head, requested),
	       "struct head_start is the start of struct pages_head");

static int64_t offset_of(long page)
{
	return PAGES_HEAD_SIZE + (int64_t)page * PAGES_PAGE_SIZE;
}

static int copy(const struct sim_pages *p, void *to, size_t size, int64_t at)
{
	return pread(p->fd, to, size, at) == (ssize_t)size ? 0 : -1;
}

/* Write the head of the file. A name of the program that is too long is left out. */
static int fill(int fd, const struct sim_pages_run *run)
{
	const size_t name = strlen(run->argv0) + 1;
	const uint32_t chosen = run->chosen != 0;
	const struct head_start head = {.magic = PAGES_MAGIC,
					.version = PAGES_VERSION,
					.ncounters = SIM_NCOUNTERS,
					.requested = run->requested};

	if (memory_file_write(fd, &head, sizeof head, 0) == -1 ||
	    memory_file_write(fd, run->machine, sizeof *run->machine,
			      offsetof(struct pages_head, machine)) == -1 ||
	    memory_file_write(fd, &chosen, sizeof chosen,
			      offsetof(struct pages_head, chosen)) == -1)
		return -1;
	return name > PAGES_NAME ? 0
				 : memory_file_write(fd, run->argv0, name,
						     offsetof(struct pages_head, argv0));
}

int sim_pages_make(struct sim_pages *p, const struct sim_pages_run *run)
{
	p->fd = -1;
	p->n = 0;
	p->pid = calloc(PAGES_MAX, sizeof *p->pid);
	if (p->pid)
		p->fd = memory_file("opencpc pages", offset_of(PAGES_MAX));
	if (p->fd != -1 && fill(p->fd, run) == 0)
		return 0;
	sim_pages_free(p);
	return -1;
}

void sim_pages_free(struct sim_pages *p)
{
	const int e = errno;

	if (p->fd != -1)
		close(p->fd);
	free(p->pid);
	*p = (struct sim_pages){.fd = -1};
	errno = e;
}

unsigned sim_pages_count(struct sim_pages *p)
{
	uint32_t n;

	if (p->fd == -1 || copy(p, &n, sizeof n, offsetof(struct pages_head, npages)))
		return 0;
	n = n < PAGES_MAX ? n : PAGES_MAX;
	/* The simulator takes a page before it writes the page's pid. */
	while (p->n < n) {
		const int64_t at = offsetof(struct pages_head, pid) +
				   (int64_t)p->n * (int64_t)sizeof *p->pid;

		if (copy(p, &p->pid[p->n], sizeof *p->pid, at) || !p->pid[p->n])
			break;
		p->n++;
	}
	return p->n;
}

long sim_pages_of(struct sim_pages *p, pid_t pid, long after)
{
	for (long i = (long)sim_pages_count(p) - 1; i > after; i--)
		if (p->pid[i] == pid)
			return i;
	return -1;
}

/* Copy the front and a row (NULL: none) of a page as they were at one moment. */
static int snapshot(const struct sim_pages *p, long page, struct front *front,
		    unsigned number, struct pages_row *row)
{
	const int64_t at = offset_of(page);
	const int64_t row_at = at + FRONT + (int64_t)number * (int64_t)sizeof *row;
	uint32_t after;

	for (unsigned tries = 0;; tries++) {
		if (copy(p, front, sizeof *front, at) ||
		    (row && copy(p, row, sizeof *row, row_at)) ||
		    copy(p, &after, sizeof after, at))
			return -1;
		/*
		 * After many tries the writer was killed or stopped while it wrote. Each
		 * word is whole, and no older than the last complete update.
		 */
		if ((after == front->seq && !(after & 1)) || tries == TRIES)
			return 0;
		sched_yield();
	}
}

static void copy_front(const struct front *from, struct sim_page *to)
{
	to->state = from->state;
	to->notes = from->notes;
	to->note_pc = from->note_pc;
	to->pid = from->pid;
	to->nrows = from->nrows;
	memcpy(to->total, from->total, sizeof to->total);
}

/* Returns the number of the LWP's row, or nrows if it has none. */
static unsigned find_row(const struct sim_pages *p, long page, unsigned nrows, pid_t tid,
			 unsigned hint)
{
	struct pages_row row[ROWS];
	unsigned k = 0;

	if (hint >= nrows)
		hint = 0;
	for (unsigned seen = 0; seen < nrows; seen++) {
		const unsigned i = (hint + seen) % nrows;

		if (seen == 0 || i == 0 || ++k == ROWS) {
			const unsigned some = nrows - i < ROWS ? nrows - i : ROWS;

			if (copy(p, row, some * sizeof row[0],
				 offset_of(page) + FRONT +
					 (int64_t)i * (int64_t)sizeof row[0]))
				return nrows;
			k = 0;
		}
		if (row[k].state != ROW_FREE && row[k].tid == tid)
			return i;
	}
	return nrows;
}

int sim_pages_read(const struct sim_pages *p, long page, struct sim_page *to)
{
	struct front front;

	if (snapshot(p, page, &front, 0, NULL))
		return -1;
	copy_front(&front, to);
	return 0;
}

void sim_pages_reason(const struct sim_pages *p, long page, char text[PAGES_REASON])
{
	text[0] = '\0';
	if (copy(p, text, PAGES_REASON,
		 offset_of(page) + (int64_t)offsetof(struct pages_page, reason)))
		return;
	text[PAGES_REASON - 1] = '\0';
	for (char *c = text; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

int sim_pages_begun(struct sim_pages *p)
{
	struct sim_page first;

	if (sim_pages_count(p) == 0)
		return 0;
	return sim_pages_read(p, 0, &first) == -1 || first.nrows > 0 ||
	       first.state == PAGE_NATIVE;
}

int sim_pages_row(const struct sim_pages *p, long page, pid_t tid, unsigned *hint,
		  struct sim_page *to, uint64_t count[PAGES_COUNTERS])
{
	struct front front;
	struct pages_row row;

	if (snapshot(p, page, &front, 0, NULL))
		return 0;
	copy_front(&front, to);
	const unsigned nrows = front.nrows < PAGES_ROWS ? front.nrows : PAGES_ROWS;
	const unsigned i = find_row(p, page, nrows, tid, *hint);
	if (i == nrows || snapshot(p, page, &front, i, &row) || row.tid != tid)
		return 0;
	*hint = i;
	copy_front(&front, to);
	memcpy(count, row.count, sizeof row.count);
	return 1;
}
