/* Recordings as ELF core files: the reader. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lwp.h>
#include "base/bytes.h"
#include "lwp/arena.h"
#include "lwp/core.h"
#include "lwp/facts.h"
#include "lwp/mappings.h"
#include "lwp/recording.h"

/*
 * Members of the kernel's struct elf_prstatus and struct elf_prpsinfo of x86-64
 * (linux/elfcore.h), by offset.
 */
#define PRSTATUS_PID   32
#define PRPSINFO_PID   24
#define PRPSINFO_FNAME 40
#define PRPSINFO_ARGS  56
#define PRPSINFO_SIZE  136

/* NT_X86_XSTATE: an area of XSAVE. LWP is component 62, at offset 832. */
#define XSTATE_BV     512
#define XSTATE_LWP    832
#define LWP_COMPONENT (UINT64_C(1) << 62)

/* Members of the LWPCB, and of the state that XSAVE stores. */
#define BLOCK_SIZE_OF_RING 4
#define BLOCK_BASE	   8
#define STATE_BASE	   16
#define STATE_SIZE_OF_RING 24
#define RING_SIZE_MASK	   0x0fffffff

/* An LWPCB has at most 255 quadwords (CPUID 8000_001C EBX). */
#define BLOCK_MAX ((size_t)255 * 8)

struct reader {
	struct recording *r;
	struct core core;
	char *why;
	size_t room;
	/* What the notes have. */
	struct core_note files, facts;
	size_t nthread, nstate; /* notes of threads, and of their states */
	size_t count_bytes;	/* in notes of counts */
	uint64_t vdso, program; /* addresses in the vDSO and in the program, or 0 */
};

static int damaged(struct reader *l, const char *why)
{
	snprintf(l->why, l->room, "%s", why);
	errno = EINVAL;
	return -1;
}

static int no_memory(struct reader *l)
{
	snprintf(l->why, l->room, "%s", strerror(ENOMEM));
	errno = ENOMEM;
	return -1;
}

/* Copy the string in n bytes, without blanks at its end; if it is empty, return NULL. */
static const char *copy_string(struct reader *l, const void *s, size_t n)
{
	n = strnlen(s, n);
	while (n && ((const char *)s)[n - 1] == ' ')
		n--;
	char *copy = n ? arena_alloc(&l->r->owner, n + 1, 1) : NULL;
	return copy ? memcpy(copy, s, n) : NULL;
}

/* Return the id of a process or thread; 0 if it cannot be one: it is not known. */
static pid_t read_id(const uint8_t *p)
{
	const uint32_t id = bytes_get32(p);

	return id <= INT32_MAX ? (pid_t)id : 0;
}

static void read_prpsinfo(struct reader *l, const struct core_note *note)
{
	if (note->size < PRPSINFO_SIZE)
		return;
	l->r->pid = read_id(note->desc + PRPSINFO_PID);
	l->r->command =
		copy_string(l, note->desc + PRPSINFO_ARGS, PRPSINFO_SIZE - PRPSINFO_ARGS);
	l->r->program = copy_string(l, note->desc + PRPSINFO_FNAME,
				    PRPSINFO_ARGS - PRPSINFO_FNAME);
}

static void read_auxv(struct reader *l, const struct core_note *note)
{
	l->r->auxv = note->desc;
	l->r->auxv_size = note->size;
	for (size_t i = 0; i + 16 <= note->size; i += 16) {
		const uint64_t type = bytes_get64(note->desc + i);
		const uint64_t value = bytes_get64(note->desc + i + 8);

		if (type == AT_SYSINFO_EHDR)
			l->vdso = value;
		else if (type == AT_PHDR)
			l->program = value;
	}
}

/* Return the LWP state in a note, or NULL if LWP was not in use. */
static const uint8_t *lwp_state(const struct core_note *note)
{
	if (!core_is_note(note, "LINUX", NT_X86_XSTATE) ||
	    note->size < XSTATE_LWP + RECORDING_STATE_SIZE ||
	    !(bytes_get64(note->desc + XSTATE_BV) & LWP_COMPONENT) ||
	    !bytes_get64(note->desc + XSTATE_LWP))
		return NULL;
	return note->desc + XSTATE_LWP;
}

static int is_thread(const struct core_note *note)
{
	return core_is_note(note, "CORE", NT_PRSTATUS) && note->size >= PRSTATUS_PID + 4;
}

/* Look at a note for the first time: take what stands alone, and count the others. */
static void look_at(struct reader *l, const struct core_note *note)
{
	if (is_thread(note))
		l->nthread++;
	else if (lwp_state(note))
		l->nstate++;
	else if (core_is_note(note, "CORE", NT_PRPSINFO))
		read_prpsinfo(l, note);
	else if (core_is_note(note, "CORE", NT_AUXV))
		read_auxv(l, note);
	else if (core_is_note(note, "CORE", NT_FILE))
		l->files = *note;
	else if (core_is_note(note, FACTS_OWNER, FACTS_TEXT))
		l->facts = *note;
	else if (core_is_note(note, FACTS_OWNER, FACTS_COUNTS))
		l->count_bytes += note->size;
}

static int look_at_notes(struct reader *l)
{
	struct core_note note = {0};
	int r;

	while ((r = core_next_note(&l->core, &note)) == 1)
		look_at(l, &note);
	return r ? damaged(l, "the file ends within a note, or a note is malformed") : 0;
}

/* Take the threads and their states; a thread's note comes before that of its state. */
static void read_threads(struct reader *l, struct recording_ring *state, int threads)
{
	struct core_note note = {0};
	pid_t tid = 0;

	while (core_next_note(&l->core, &note) == 1) {
		if (is_thread(&note)) {
			tid = read_id(note.desc + PRSTATUS_PID);
			if (threads)
				l->r->thread[l->r->nthread++].tid = tid;
		} else if (lwp_state(&note)) {
			state->tid = tid;
			state->state = lwp_state(&note);
			state->cb = bytes_get64(state->state);
			state++;
		}
	}
}

/* Find the LWPCB at ring->cb and its ring in the memory of the core. */
static void find_ring(const struct reader *l, struct recording_ring *ring)
{
	ring->block_size = BLOCK_MAX;
	ring->block = core_memory(&l->core, ring->cb, &ring->block_size);
	if (ring->state) {
		ring->base = bytes_get64(ring->state + STATE_BASE);
		ring->size = bytes_get32(ring->state + STATE_SIZE_OF_RING);
	} else if (ring->block_size >= BLOCK_BASE + 8) {
		ring->base = bytes_get64(ring->block + BLOCK_BASE);
		ring->size = bytes_get32(ring->block + BLOCK_SIZE_OF_RING);
	}
	ring->size &= RING_SIZE_MASK;
	ring->bytes = core_memory(&l->core, ring->base, &ring->size);
}

static int by_tid_and_cb(const void *a, const void *b)
{
	const struct recording_ring *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->cb < y->cb ? -1 : x->cb > y->cb;
}

/*
 * Mark the states, which are sorted, that have the thread and the LWPCB of *state. A core
 * file can name a thread twice; a recording of it has the thread's states twice, too.
 */
static void mark_known(struct recording_ring *state, struct recording_ring *first,
		       const struct recording_ring *end)
{
	while (state > first && by_tid_and_cb(state - 1, state) == 0)
		state--;
	const struct recording_ring *const known = state;
	while (state < end && by_tid_and_cb(known, state) == 0)
		(state++)->block_size = 1;
}

/*
 * Give the rings of our own note the states of their threads. The states are sorted.
 * Those of which no ring is known come after the rings.
 */
static void merge_states(struct reader *l, struct recording_ring *state)
{
	struct recording *r = l->r;
	const size_t known = r->nring;

	qsort(state, l->nstate, sizeof *state, by_tid_and_cb);
	for (size_t i = 0; i < known; i++) {
		struct recording_ring *found = bsearch(&r->ring[i], state, l->nstate,
						       sizeof *state, by_tid_and_cb);

		if (!found)
			continue;
		r->ring[i].state = found->state;
		if (!found->block_size)
			mark_known(found, state, state + l->nstate);
	}
	for (size_t i = 0; i < l->nstate; i++) {
		if (state[i].block_size)
			continue;
		r->ring[r->nring] = state[i];
		find_ring(l, &r->ring[r->nring++]);
	}
}

/* Add the rings whose LWPCBs the caller has named, if they are not known yet. */
static int add_named(struct reader *l, const uint64_t *cb, size_t ncb)
{
	for (size_t i = 0; i < ncb; i++) {
		struct recording_ring *ring = &l->r->ring[l->r->nring];
		size_t k = 0;

		while (k < l->r->nring && l->r->ring[k].cb != cb[i])
			k++;
		if (k < l->r->nring)
			continue;
		ring->cb = cb[i];
		find_ring(l, ring);
		if (!ring->block) {
			snprintf(l->why, l->room,
				 "it does not have the memory at address %#llx, where "
				 "an LWPCB was expected",
				 (unsigned long long)cb[i]);
			errno = ENOENT;
			return -1;
		}
		l->r->nring++;
	}
	return 0;
}

static int read_rings(struct reader *l, const uint64_t *cb, size_t ncb)
{
	struct recording *r = l->r;
	const int threads = !r->nthread;
	struct recording_ring *state =
		arena_alloc(&r->owner, l->nstate, sizeof(struct recording_ring));
	struct recording_ring *ring =
		arena_alloc(&r->owner, r->nring + l->nstate + ncb, sizeof *ring);

	if (threads)
		r->thread = arena_alloc(&r->owner, l->nthread, sizeof *r->thread);
	if (!state || !ring || !r->thread)
		return no_memory(l);
	if (r->nring)
		memcpy(ring, r->ring, r->nring * sizeof *ring);
	r->ring = ring;
	read_threads(l, state, threads);
	merge_states(l, state);
	return add_named(l, cb, ncb);
}

static int by_event_and_ip(const void *a, const void *b)
{
	const struct recording_count *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

/* A note of counts: the index of the event (8 bytes), then pairs (address, count). */
static int read_counts(struct reader *l)
{
	struct recording *r = l->r;
	struct core_note note = {0};

	r->count = arena_alloc(&r->owner, l->count_bytes / 16, sizeof *r->count);
	if (!r->count)
		return no_memory(l);
	while (core_next_note(&l->core, &note) == 1) {
		if (!core_is_note(&note, FACTS_OWNER, FACTS_COUNTS))
			continue;
		const uint64_t event = note.size >= 8 ? bytes_get64(note.desc) : 0;
		if (note.size % 16 != 8 || event >= r->nevent)
			return damaged(l, "a note with counts is malformed");
		for (size_t at = 8; at < note.size; at += 16)
			r->count[r->ncount++] = (struct recording_count){
				.ip = bytes_get64(note.desc + at),
				.event = (uint32_t)event,
				.count = bytes_get64(note.desc + at + 8)};
	}
	qsort(r->count, r->ncount, sizeof *r->count, by_event_and_ip);
	return 0;
}

/* Read the notes that lwprec itself has written, if there are any. */
static int read_own(struct reader *l)
{
	struct recording *r = l->r;

	if (!l->facts.desc)
		return 0;
	r->is_own = 1;
	r->command = NULL;
	r->program = NULL;
	if (facts_read(r, l->facts.desc, l->facts.size, l->core.file, l->core.size,
		       l->why, l->room) == -1)
		return -1;
	return read_counts(l);
}

static int read_core(struct reader *l, const uint64_t *cb, size_t ncb)
{
	if (look_at_notes(l) == -1 || read_own(l) == -1)
		return -1;
	if (!l->r->is_own && mappings_read(l->r, &l->core, &l->files, l->vdso, l->program,
					   l->why, l->room) == -1)
		return -1;
	mappings_find_heads(l->r, &l->core);
	return read_rings(l, cb, ncb);
}

int recording_read(struct recording *r, const void *file, size_t size, const uint64_t *cb,
		   size_t ncb, char *why, size_t n)
{
	struct reader l = {.r = r, .why = why, .room = n};

	*r = (struct recording){
		.event_offset = LWP_EVENT_OFFSET,
		.event_size = LWP_EVENT_SIZE,
	};
	if (core_open(&l.core, file, size, why, n) == -1)
		return -1;
	const int status = read_core(&l, cb, ncb);
	const int error = errno;
	core_close(&l.core);
	if (status == -1)
		recording_free(r);
	errno = error;
	return status;
}

void recording_free(struct recording *r)
{
	arena_free(&r->owner);
	*r = (struct recording){0};
}
