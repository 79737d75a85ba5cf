/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/record/image.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

#include "sim/record/store.h"

enum { PAGE = 4096, MAX_TEXT = 32768 /* bytes of a program's arguments that are kept */ };

/* A text that is being composed, as the id of an entry. */
struct text {
	UInt size;
	char byte[MAX_TEXT + 2 * PAGE];
};

/* Adds bytes, cut to the room that is left. */
static void add(struct text *t, const void *from, UInt n)
{
	const UInt room = sizeof t->byte - t->size;

	VG_(memcpy)(t->byte + t->size, from, n < room ? n : room);
	t->size += n < room ? n : room;
}

static void add_string(struct text *t, const HChar *s)
{
	add(t, s, (UInt)VG_(strlen)(s) + 1);
}

/* Adds an entry without counts. */
static void put(enum records_entry_kind kind, struct text *t)
{
	while (t->size % 8)
		t->byte[t->size++] = '\0';
	store_entry(kind, t->byte, t->size, 0);
}

static uint64_t unix_ns(void)
{
	struct vki_timespec now;

	VG_(clock_gettime)(&now, VKI_CLOCK_REALTIME);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void describe(enum records_start start)
{
	struct records_image image = {
		.pid = VG_(getpid)(), .start = start, .unix_ns = unix_ns()};
	struct text *const t = VG_(calloc)("cpcsim.image", 1, sizeof *t);
	const XArray *const args = VG_(args_for_client);
	const HChar *const program = VG_(args_the_exename);
	UInt before;

	add(t, &image, sizeof image);
	add_string(t, program ? program : "");
	before = t->size;
	add_string(t, program ? program : "");
	for (Word i = 0; i < VG_(sizeXA)(args); i++) {
		const HChar *const arg = *(HChar **)VG_(indexXA)(args, i);

		if (t->size + VG_(strlen)(arg) < MAX_TEXT)
			add_string(t, arg);
	}
	image.argv = t->size - before;
	VG_(memcpy)(t->byte, &image, sizeof image);
	put(ENTRY_IMAGE, t);
	VG_(free)(t);
}

static int is_elf(const HChar *at)
{
	return at[0] == 0x7f && at[1] == 'E' && at[2] == 'L' && at[3] == 'F';
}

/* Adds the part of a segment that is from start to end. */
static void add_mapping(const NSegment *seg, Addr start, Addr end)
{
	struct records_mapping m = {.start = start,
				    .end = end,
				    .offset =
					    (uint64_t)seg->offset + (start - seg->start)};
	const HChar *const path = VG_(am_get_filename)(seg);
	struct text *t;

	if (!path || VG_(strlen)(path) >= PAGE)
		return;
	if (!m.offset && seg->hasR && end - start >= PAGE && is_elf((const HChar *)start))
		m.head = PAGE;
	t = VG_(calloc)("cpcsim.mapping", 1, sizeof *t);
	add(t, &m, sizeof m);
	add_string(t, path);
	add(t, (const void *)start, (UInt)m.head);
	put(ENTRY_MAPPING, t);
	VG_(free)(t);
}

/* Adds memory that is no file's. It may hold code in the place of a file's. */
static void add_anonymous(Addr start, Addr end)
{
	const struct records_mapping m = {.start = start, .end = end};
	struct text *const t = VG_(calloc)("cpcsim.mapping", 1, sizeof *t);

	add(t, &m, sizeof m);
	add_string(t, "");
	put(ENTRY_MAPPING, t);
	VG_(free)(t);
}

/* Adds the segments of memory: those of files, and others if they are executable. */
static void add_segments(Addr start, SizeT size, Bool x)
{
	Addr at = start;

	while (at < start + size) {
		const NSegment *const seg = VG_(am_find_nsegment)(at);

		if (!seg)
			return;
		const Addr end =
			seg->end < start + size - 1 ? seg->end + 1 : start + size;
		if (seg->kind == SkFileC)
			add_mapping(seg, at, end);
		else if (seg->kind == SkAnonC && x)
			add_anonymous(at, end);
		at = end;
	}
}

/* The program has mapped memory; the core also reports memory that is no file's. */
static void mapped(Addr start, SizeT size, Bool r, Bool w, Bool x, ULong handle)
{
	(void)r;
	(void)w;
	(void)handle;
	add_segments(start, size, x);
}

/* Memory that becomes executable, as compilers at run time let it. */
static void protected(Addr start, SizeT size, Bool r, Bool w, Bool x)
{
	(void)r;
	(void)w;
	if (x)
		add_segments(start, size, x);
}

void image_open(void)
{
	describe(START_EXEC);
	VG_(track_new_mem_startup)(mapped);
	VG_(track_new_mem_mmap)(mapped);
	VG_(track_change_mem_mprotect)(protected);
}

void image_forked(void)
{
	describe(START_FORK);
}
