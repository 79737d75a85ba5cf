#include "engine/sim/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "engine/sim/memory_file.h"
#include "sim_counters.h"

int sim_image_make(struct sim_image_file *f, const struct records_head *head)
{
	struct records_head own = *head;

	own.magic = RECORDS_MAGIC;
	own.version = RECORDS_VERSION;
	f->head = own;
	f->fd = memory_file("opencpc records", (off_t)records_offset(RECORDS_UNITS));
	if (f->fd == -1)
		return -1;
	if (memory_file_write(f->fd, &own, sizeof own, 0) == 0)
		return 0;
	sim_image_close(f);
	return -1;
}

void sim_image_close(struct sim_image_file *f)
{
	const int e = errno;

	if (f->fd != -1)
		close(f->fd);
	free(f->chunk);
	*f = (struct sim_image_file){.fd = -1};
	errno = e;
}

static int copy(const struct sim_image_file *f, void *to, size_t size, uint64_t at)
{
	return pread(f->fd, to, size, (off_t)at) == (ssize_t)size ? 0 : -1;
}

/* Is this the head of a chunk with sizes that are possible? */
static int is_chunk(const struct sim_image_file *f, const struct records_chunk *c)
{
	if (c->magic != CHUNK_MAGIC)
		return 0;
	if (c->kind == CHUNK_CELLS)
		return c->units == 1 && c->used <= RECORDS_UNIT - RECORDS_CHUNK;
	return c->kind == CHUNK_RING && c->units == records_ring_units(f->head.room) &&
	       c->used <= f->head.room;
}

static int add_chunk(struct sim_image_file *f, uint64_t unit,
		     const struct records_chunk *head)
{
	if (array_grow(&f->chunk, f->nchunks, sizeof *f->chunk) == -1)
		return -1;
	f->chunk[f->nchunks++] = (struct sim_image_chunk){unit, *head};
	return 0;
}

/*
 * Return the next unit from this one on with bytes that were written. The program could
 * have claimed millions of units in the head, which would take a minute to read.
 */
static uint64_t written_unit(const struct sim_image_file *f, uint64_t unit)
{
	const off_t at = lseek(f->fd, (off_t)records_offset(unit), SEEK_DATA);

	if (at == -1)
		return errno == ENXIO ? RECORDS_UNITS : unit;
	return ((uint64_t)at - RECORDS_HEAD_SIZE) / RECORDS_UNIT;
}

uint32_t sim_image_find(struct sim_image_file *f, int *incomplete)
{
	struct records_chunk c;
	struct records_head now;

	*incomplete = 1;
	f->nchunks = 0;
	if (copy(f, &now, sizeof now, 0))
		return 0;
	const uint64_t n = now.nunits < RECORDS_UNITS ? now.nunits : RECORDS_UNITS;
	for (uint64_t unit = 0; (unit = written_unit(f, unit)) < n;) {
		const int is =
			!copy(f, &c, sizeof c, records_offset(unit)) && is_chunk(f, &c);

		if (is && add_chunk(f, unit, &c))
			return 0;
		unit += is ? c.units : 1;
	}
	*incomplete = now.failed != 0;
	return now.nimages;
}

/* ---- The parts of an image. Each call returns 0, or -1 with ENOMEM. */

/* An image that is being read. */
struct reader {
	const struct sim_image_file *f;
	struct sim_image *to;
};

static int add_count(struct reader *r, uint64_t pc, uint64_t event, uint64_t count)
{
	struct sim_image *const to = r->to;

	if (!count || event >= r->f->head.nevents)
		return 0;
	if (array_grow(&to->count, to->ncount, sizeof *to->count) == -1)
		return -1;
	to->count[to->ncount++] = (struct sim_image_count){
		.pc = pc, .count = count, .event = (uint32_t)event};
	return 0;
}

static int add_site(struct reader *r, uint64_t pc, const uint64_t *count, size_t n)
{
	for (size_t e = 0; e < n; e++)
		if (add_count(r, pc, e, count[e]))
			return -1;
	return 0;
}

static uint64_t bit(enum sim_counter c)
{
	return UINT64_C(1) << c;
}

/* Returns how many of these counters an outcome of a branch adds to. */
static unsigned adds(uint64_t counters, const struct records_branch *b, unsigned i)
{
	const int taken = (i ^ b->inverted) & 1, predicted = i / 2 >= 2;
	uint64_t added = bit(CTR_BR_COND);

	if (taken)
		added |= bit(CTR_BR_COND_TK);
	if (taken || b->crossing)
		added |= bit(CTR_I1_REF);
	if (taken != predicted)
		added |= bit(taken ? CTR_BR_MISP_TK : CTR_BR_MISP_NT);
	return (unsigned)__builtin_popcountll(counters & added);
}

static int add_branch(struct reader *r, const struct records_branch *b,
		      const uint64_t *count)
{
	for (uint32_t e = 0; e < r->f->head.nevents; e++) {
		uint64_t sum = 0;

		for (unsigned i = 0; i < 8; i++)
			sum += count[i] * adds(r->f->head.event[e].counters, b, i);
		if (add_count(r, b->pc, e, sum))
			return -1;
	}
	return 0;
}

/* Adds a piece of code with n items, and 1 or 8 counts. */
static int add_run(struct reader *r, const struct records_branch *b, size_t n,
		   const uint64_t *count, size_t counts)
{
	const uint64_t *const item = (const uint64_t *)(b + 1);
	uint64_t executed = 0;

	for (size_t i = 0; i < counts; i++)
		executed += count[i];
	for (size_t i = 0; i < n; i++)
		if (add_count(r, RECORDS_ITEM_PC(item[i]), RECORDS_ITEM_EVENT(item[i]),
			      executed * RECORDS_ITEM_N(item[i])))
			return -1;
	return counts == 8 ? add_branch(r, b, count) : 0;
}

/* Returns the string at text, which has size bytes, or NULL if it does not end there. */
static const char *string(const char *text, size_t size)
{
	return memchr(text, 0, size) ? text : NULL;
}

static void set_image(struct sim_image *to, const struct records_image *i, size_t size)
{
	const char *const text = (const char *)(i + 1);
	const size_t room = size - sizeof *i;
	const char *const program = string(text, room);

	to->pid = i->pid;
	to->start = i->start == START_FORK ? START_FORK : START_EXEC;
	to->unix_ns = i->unix_ns;
	to->program = program ? program : "";
	to->argv = NULL;
	to->argv_size = 0;
	if (!program || i->argv > room - strlen(program) - 1)
		return;
	to->argv = program + strlen(program) + 1;
	to->argv_size = i->argv;
}

static int add_mapping(struct reader *r, const struct records_mapping *m, size_t size)
{
	const char *const path = string((const char *)(m + 1), size - sizeof *m);
	struct sim_image *const image = r->to;

	if (!path || m->start >= m->end)
		return 0;
	const size_t rest = size - sizeof *m - strlen(path) - 1;
	if (array_grow(&image->mapping, image->nmapping, sizeof *image->mapping) == -1)
		return -1;
	struct sim_image_mapping *const to = &image->mapping[image->nmapping];
	*to = (struct sim_image_mapping){m->start, m->end, m->offset, *path ? path : NULL,
					 NULL,	   0};
	if (m->head && m->head <= rest) {
		to->head = (const uint8_t *)path + strlen(path) + 1;
		to->head_size = m->head;
	}
	image->nmapping++;
	return 0;
}

/* Adds an entry whose sizes are possible. Entries of unknown kinds are left out. */
static int add_entry(struct reader *r, const struct records_entry *e)
{
	const void *const id = e + 1;
	const uint64_t *const count = records_counts(e);
	const size_t n = (e->size - sizeof *e - e->id) / sizeof *count;

	switch (e->kind) {
	case ENTRY_IMAGE:
		if (e->id >= sizeof(struct records_image))
			set_image(r->to, id, e->id);
		return 0;
	case ENTRY_MAPPING:
		return e->id > sizeof(struct records_mapping) ? add_mapping(r, id, e->id)
							      : 0;
	case ENTRY_RUN:
		if (e->id < sizeof(struct records_branch) || (n != 1 && n != 8))
			return 0;
		return add_run(r, id,
			       (e->id - sizeof(struct records_branch)) / sizeof *count,
			       count, n);
	case ENTRY_SITE:
		return e->id == 8 ? add_site(r, *(const uint64_t *)id, count, n) : 0;
	default:
		return 0;
	}
}

/* Stops at the first entry whose sizes are not possible. */
static int add_entries(struct reader *r, const char *at, size_t size)
{
	const struct records_entry *e;

	for (; size >= sizeof *e; at += e->size, size -= e->size) {
		e = (const struct records_entry *)at;
		if (e->size > size || e->size % 8 || e->size < sizeof *e || e->id % 8 ||
		    e->id > e->size - sizeof *e)
			return 0;
		if (add_entry(r, e))
			return -1;
	}
	return 0;
}

/* Returns memory that lives as long as the image, or NULL. */
static void *keep(struct sim_image *to, size_t size)
{
	if (array_grow(&to->memory, to->nmemory, sizeof *to->memory) == -1)
		return NULL;
	to->memory[to->nmemory] = calloc(1, size ? size : 1);
	return to->memory[to->nmemory] ? to->memory[to->nmemory++] : NULL;
}

static int add_ring(struct reader *r, const struct sim_image_chunk *c)
{
	const size_t n = c->head.used, size = n * sizeof(struct records_record);
	struct sim_image *const to = r->to;

	if (array_grow(&to->ring, to->nring, sizeof *to->ring) == -1)
		return -1;
	struct records_record *const record = keep(to, size);
	char *const name = keep(to, sizeof c->head.name + 1);
	if (!record || !name)
		return -1;
	if (copy(r->f, record, size, records_offset(c->unit) + RECORDS_CHUNK))
		return 0;
	memcpy(name, c->head.name, sizeof c->head.name);
	to->ring[to->nring++] = (struct sim_image_ring){c->head.tid, *name ? name : NULL,
							n, c->head.missed, record};
	return 0;
}

static int add_chunk_of(struct reader *r, const struct sim_image_chunk *c)
{
	if (c->head.kind == CHUNK_RING)
		return add_ring(r, c);
	char *const bytes = keep(r->to, c->head.used);
	if (!bytes)
		return -1;
	if (copy(r->f, bytes, c->head.used, records_offset(c->unit) + RECORDS_CHUNK))
		return 0;
	return add_entries(r, bytes, c->head.used);
}

static int compare(const void *a, const void *b)
{
	const struct sim_image_count *const x = a, *const y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* Sorts the counts, and adds up those of the same event and instruction. */
static void merge(struct sim_image *to)
{
	size_t n = 0;

	if (to->ncount)
		qsort(to->count, to->ncount, sizeof *to->count, compare);
	for (size_t i = 0; i < to->ncount; i++)
		if (n && compare(&to->count[n - 1], &to->count[i]) == 0)
			to->count[n - 1].count += to->count[i].count;
		else
			to->count[n++] = to->count[i];
	to->ncount = n;
}

int sim_image_read(const struct sim_image_file *f, uint32_t image, struct sim_image *to)
{
	struct reader r = {.f = f, .to = to};

	*to = (struct sim_image){.pid = 0};
	for (uint32_t i = 0; i < f->nchunks; i++)
		if (f->chunk[i].head.image == image && add_chunk_of(&r, &f->chunk[i])) {
			sim_image_free(to);
			errno = ENOMEM;
			return -1;
		}
	merge(to);
	if (to->pid && to->program)
		return 0;
	sim_image_free(to);
	errno = ENOENT;
	return -1;
}

void sim_image_free(struct sim_image *image)
{
	void **const memory = image->memory;

	for (size_t i = 0; i < image->nmemory; i++)
		free(memory[i]);
	free(memory);
	free(image->count);
	free(image->mapping);
	free(image->ring);
	*image = (struct sim_image){.pid = 0};
}
