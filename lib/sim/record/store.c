/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/record/store.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

/* Functions of the core that its headers for tools do not declare. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd,
						      Off64T offset);
extern SysRes VG_(am_munmap_valgrind)(Addr start, SizeT length);
extern SysRes VG_(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e,
			      UWord f, UWord g, UWord h);
extern Int VG_(safe_fd)(Int oldfd);

enum { MAX_CHUNKS = 4096, FIRST_SLOTS = 1 << 12 };

static struct {
	Int fd;
	struct records_head *head;
	UInt image;
	unsigned nchunks; /* of CHUNK_CELLS; the last one is being filled */
	struct records_chunk *chunk[MAX_CHUNKS];
	/* All entries with counts, by a hash of what they are about. */
	struct records_entry **slot;
	UWord nslots, used;
} store;

static void *map(uint64_t offset, SizeT size)
{
	const SysRes r = VG_(am_shared_mmap_file_float_valgrind)(
		size, VKI_PROT_READ | VKI_PROT_WRITE, store.fd, (Off64T)offset);

	return sr_isError(r) ? NULL : (void *)sr_Res(r);
}

/* Claims units. Returns the first one; RECORDS_UNITS if no more are left. */
static uint64_t claim(UInt units)
{
	uint64_t first;

	if (__atomic_load_n(&store.head->nunits, __ATOMIC_ACQUIRE) > RECORDS_UNITS)
		return RECORDS_UNITS;
	first = __atomic_fetch_add(&store.head->nunits, units, __ATOMIC_ACQ_REL);
	return first + units <= RECORDS_UNITS ? first : RECORDS_UNITS;
}

/* The magic number is written last: it makes the chunk valid. */
static void begin_chunk(struct records_chunk *c, enum records_chunk_kind kind, UInt units)
{
	c->kind = kind;
	c->image = store.image;
	c->units = units;
	__atomic_store_n(&c->magic, CHUNK_MAGIC, __ATOMIC_RELEASE);
}

static struct records_chunk *new_chunk(enum records_chunk_kind kind, UInt units)
{
	const uint64_t unit = claim(units);
	struct records_chunk *c;

	if (unit == RECORDS_UNITS)
		return NULL;
	c = map(records_offset(unit), (SizeT)units * RECORDS_UNIT);
	if (c)
		begin_chunk(c, kind, units);
	return c;
}

static int is_valid(const struct records_head *h)
{
	return h->magic == RECORDS_MAGIC && h->version == RECORDS_VERSION &&
	       h->nevents <= RECORDS_EVENTS;
}

const struct records_head *store_open(const HChar *path)
{
	struct vg_stat st;
	const SysRes r = VG_(open)(path, VKI_O_RDWR, 0);

	if (sr_isError(r))
		return NULL;
	store.fd = VG_(safe_fd)((Int)sr_Res(r));
	if (VG_(fstat)(store.fd, &st) || st.size < (Long)records_offset(RECORDS_UNITS))
		return NULL;
	store.head = map(0, RECORDS_HEAD_SIZE);
	if (!store.head || !is_valid(store.head))
		return NULL;
	store.image = __atomic_fetch_add(&store.head->nimages, 1, __ATOMIC_ACQ_REL);
	return store.head;
}

/* ---- Entries */

static void *about(const struct records_entry *e)
{
	return (void *)(e + 1);
}

static uint64_t hash(enum records_entry_kind kind, const void *id, UInt bytes)
{
	const uint64_t *const word = id;
	uint64_t h = kind;

	for (UInt i = 0; i < bytes / sizeof *word; i++)
		h = (h ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 29);
	return h >> 16;
}

/* Returns the slot of the entry, or the free slot where it belongs. */
static struct records_entry **find(enum records_entry_kind kind, const void *id,
				   UInt bytes)
{
	UWord i = hash(kind, id, bytes) & (store.nslots - 1);

	for (; store.slot[i]; i = (i + 1) & (store.nslots - 1)) {
		const struct records_entry *const e = store.slot[i];

		if (e->kind == kind && e->id == bytes &&
		    VG_(memcmp)(about(e), id, bytes) == 0)
			break;
	}
	return &store.slot[i];
}

static void grow(void)
{
	struct records_entry **const old = store.slot;
	const UWord n = store.nslots;

	if (store.used < n / 2)
		return;
	store.nslots = n ? 2 * n : FIRST_SLOTS;
	store.slot = VG_(calloc)("cpcsim.entries", store.nslots, sizeof *store.slot);
	for (UWord i = 0; i < n; i++)
		if (old[i])
			*find(old[i]->kind, about(old[i]), old[i]->id) = old[i];
	if (old)
		VG_(free)(old);
}

/* Returns a new entry of the last chunk that has room for it, or NULL. */
static struct records_entry *append(enum records_entry_kind kind, const void *id,
				    UInt bytes, UInt counts)
{
	const UInt size = sizeof(struct records_entry) + bytes + counts * 8;
	struct records_chunk *c = store.nchunks ? store.chunk[store.nchunks - 1] : NULL;
	struct records_entry *e;

	if (size > RECORDS_UNIT - RECORDS_CHUNK)
		return NULL;
	if (!c || c->used + size > RECORDS_UNIT - RECORDS_CHUNK) {
		c = store.nchunks < MAX_CHUNKS ? new_chunk(CHUNK_CELLS, 1) : NULL;
		if (!c)
			return NULL;
		store.chunk[store.nchunks++] = c;
	}
	e = (struct records_entry *)((Addr)c + RECORDS_CHUNK + c->used);
	*e = (struct records_entry){.kind = kind, .size = size, .id = bytes};
	VG_(memcpy)(about(e), id, bytes);
	__atomic_store_n(&c->used, c->used + size, __ATOMIC_RELEASE);
	return e;
}

/* Returns memory of the same layout that is not in the file. */
static struct records_entry *lose(enum records_entry_kind kind, const void *id,
				  UInt bytes, UInt counts)
{
	const UInt size = sizeof(struct records_entry) + bytes + counts * 8;
	struct records_entry *const e = VG_(calloc)("cpcsim.lost", 1, size);

	store.head->failed = 1;
	*e = (struct records_entry){.kind = kind, .size = size, .id = bytes};
	VG_(memcpy)(about(e), id, bytes);
	return e;
}

struct records_entry *store_entry(enum records_entry_kind kind, const void *id,
				  UInt bytes, UInt counts)
{
	struct records_entry **at;

	grow();
	at = find(kind, id, bytes);
	if (!*at) {
		*at = append(kind, id, bytes, counts);
		if (!*at)
			*at = lose(kind, id, bytes, counts);
		store.used++;
	}
	return *at;
}

/* ---- Rings */

struct records_chunk *store_ring(Int tid)
{
	struct records_chunk *const ring =
		new_chunk(CHUNK_RING, (UInt)records_ring_units(store.head->room));

	if (ring)
		ring->tid = tid;
	else
		store.head->failed = 1;
	return ring;
}

void store_end_ring(struct records_chunk *ring)
{
	VG_(am_munmap_valgrind)((Addr)ring, (SizeT)ring->units * RECORDS_UNIT);
}

/* One call for many pages takes less time than a page fault for each. */
void store_populate(const struct records_chunk *ring)
{
	enum { AHEAD = 1 << 17 /* bytes */, POPULATE_WRITE = 23 /* since Linux 5.14 */ };
	const uint64_t used = ring->used * sizeof(struct records_record);
	const uint64_t end = (uint64_t)ring->units * RECORDS_UNIT;

	if (used && used % AHEAD == 0 && used + 2 * AHEAD < end)
		VG_(do_syscall)
	(__NR_madvise, (UWord)ring + used + VKI_PAGE_SIZE, AHEAD, POPULATE_WRITE, 0, 0, 0,
	 0, 0);
}

/* ---- The child of fork(2) */

static void clear_counts(struct records_chunk *c)
{
	struct records_entry *e;

	for (uint64_t at = 0; at < c->used; at += e->size) {
		e = (struct records_entry *)((Addr)c + RECORDS_CHUNK + at);
		VG_(memset)(records_counts(e), 0, e->size - sizeof *e - e->id);
	}
}

/*
 * Maps a new chunk, with a copy of the entries, in the place of an old one. To the core
 * it is the same mapping.
 */
static Int move_chunk(struct records_chunk *c)
{
	const uint64_t unit = claim(1), used = c->used;
	void *copy;
	SysRes r;

	if (unit == RECORDS_UNITS)
		return -1;
	copy = VG_(malloc)("cpcsim.forked", RECORDS_CHUNK + used);
	VG_(memcpy)(copy, c, RECORDS_CHUNK + used);
	r = VG_(do_syscall)(__NR_mmap, (UWord)c, RECORDS_UNIT,
			    VKI_PROT_READ | VKI_PROT_WRITE,
			    VKI_MAP_SHARED | VKI_MAP_FIXED, (UWord)store.fd,
			    records_offset(unit), 0, 0);
	if (!sr_isError(r)) {
		VG_(memcpy)(c + 1, (struct records_chunk *)copy + 1, used);
		c->used = used;
		clear_counts(c);
		begin_chunk(c, CHUNK_CELLS, 1);
	}
	VG_(free)(copy);
	return sr_isError(r) ? -1 : 0;
}

Int store_forked(void)
{
	store.image = __atomic_fetch_add(&store.head->nimages, 1, __ATOMIC_ACQ_REL);
	for (unsigned i = 0; i < store.nchunks; i++)
		if (move_chunk(store.chunk[i]))
			return -1;
	return 0;
}
