/* Recordings as ELF core files: the writer. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/text.h"
#include "lwp/facts.h"
#include "lwp/recording.h"

#define PAGE UINT64_C(4096)

/* The kernel's struct elf_prstatus and struct elf_prpsinfo of x86-64, by offset. */
enum { PRSTATUS_SIZE = 336, PRSTATUS_PID = 32 };
enum {
	PRPSINFO_SIZE = 136,
	PRPSINFO_STATE = 1, /* the letter of the state */
	PRPSINFO_PID = 24,
	PRPSINFO_FNAME = 40,
	PRPSINFO_ARGS = 56,
};

/*
 * The area of XSAVE: what the kernel saves (in the bytes for software), the components
 * that are not in their initial state, and LWP's.
 */
enum { XSTATE_SAVED = 464, XSTATE_BV = 512, XSTATE_LWP = 832, XSTATE_SIZE = 960 };
#define LWP_COMPONENT (UINT64_C(1) << 62)

/* An ELF file has fewer program headers than PN_XNUM; rings beyond have no segment. */
#define SEGMENTS_MAX 65000

/* Bytes that are written after the notes. */
struct piece {
	const uint8_t *bytes;
	size_t size;
	uint64_t address; /* 0: not in the memory of the process */
	uint64_t offset;  /* in the file */
};

struct writer {
	const struct recording *r;
	struct piece *piece;
	size_t npiece;
	struct facts_place *place; /* of each ring */
	const struct piece **segment;
	size_t nsegment;
	struct textbuf head, notes;
};

static void put_note(struct textbuf *b, const char *owner, uint32_t type,
		     const void *desc, size_t n)
{
	static const char zero[4];
	const size_t name = strlen(owner) + 1;
	uint8_t header[sizeof(Elf64_Nhdr)];

	bytes_put32(header + offsetof(Elf64_Nhdr, n_namesz), (uint32_t)name);
	bytes_put32(header + offsetof(Elf64_Nhdr, n_descsz), (uint32_t)n);
	bytes_put32(header + offsetof(Elf64_Nhdr, n_type), type);
	textbuf_put(b, (char *)header, sizeof header);
	textbuf_put(b, owner, name);
	textbuf_put(b, zero, -name & 3);
	textbuf_put(b, desc, n);
	textbuf_put(b, zero, -n & 3);
}

static void put_text_note(struct textbuf *b, const char *owner, uint32_t type,
			  const struct textbuf *desc)
{
	b->failed |= desc->failed;
	put_note(b, owner, type, desc->s, desc->len);
}

static void put_prpsinfo(struct textbuf *b, const struct recording *r)
{
	uint8_t info[PRPSINFO_SIZE] = {0};
	const char *program = r->program ? r->program : "";
	const char *slash = strrchr(program, '/');

	info[PRPSINFO_STATE] = 'R';
	bytes_put32(info + PRPSINFO_PID, (uint32_t)r->pid);
	strncpy((char *)info + PRPSINFO_FNAME, slash ? slash + 1 : program,
		PRPSINFO_ARGS - PRPSINFO_FNAME - 1);
	strncpy((char *)info + PRPSINFO_ARGS, r->command ? r->command : "",
		PRPSINFO_SIZE - PRPSINFO_ARGS - 1);
	put_note(b, "CORE", NT_PRPSINFO, info, sizeof info);
}

static void put_state(struct textbuf *b, const uint8_t *state)
{
	uint8_t area[XSTATE_SIZE] = {0};

	bytes_put64(area + XSTATE_SAVED, LWP_COMPONENT | 3);
	bytes_put64(area + XSTATE_BV, LWP_COMPONENT);
	memcpy(area + XSTATE_LWP, state, RECORDING_STATE_SIZE);
	put_note(b, "LINUX", NT_X86_XSTATE, area, sizeof area);
}

static void put_thread(struct textbuf *b, pid_t tid)
{
	uint8_t status[PRSTATUS_SIZE] = {0};

	bytes_put32(status + PRSTATUS_PID, (uint32_t)tid);
	put_note(b, "CORE", NT_PRSTATUS, status, sizeof status);
}

/* The states of a thread's rings follow the note of the thread. */
static void put_threads(struct textbuf *b, const struct recording *r)
{
	const struct recording_thread self = {.tid = r->pid};
	const struct recording_thread *t = r->nthread ? r->thread : &self;

	for (size_t i = 0; i < r->nthread + !r->nthread; i++) {
		put_thread(b, t[i].tid);
		for (size_t k = 0; k < r->nring; k++)
			if (r->ring[k].state && r->ring[k].tid == t[i].tid)
				put_state(b, r->ring[k].state);
	}
}

static void put64(struct textbuf *b, uint64_t v)
{
	uint8_t bytes[8];

	bytes_put64(bytes, v);
	textbuf_put(b, (char *)bytes, sizeof bytes);
}

/* A file is mapped if its path begins with a slash; others are "[heap]" and the like. */
static int is_file(const struct recording_mapping *m)
{
	return m->path && *m->path == '/';
}

static void put_files(struct textbuf *b, const struct recording *r)
{
	struct textbuf desc = {0};
	uint64_t n = 0;

	for (size_t i = 0; i < r->nmapping; i++)
		n += (uint64_t)is_file(&r->mapping[i]);
	put64(&desc, n);
	put64(&desc, PAGE);
	for (size_t i = 0; i < r->nmapping; i++) {
		const struct recording_mapping *m = &r->mapping[i];

		if (!is_file(m))
			continue;
		put64(&desc, m->start);
		put64(&desc, m->end);
		put64(&desc, m->offset / PAGE);
	}
	for (size_t i = 0; i < r->nmapping; i++)
		if (is_file(&r->mapping[i]))
			textbuf_put(&desc, r->mapping[i].path,
				    strlen(r->mapping[i].path) + 1);
	put_text_note(b, "CORE", NT_FILE, &desc);
	free(desc.s);
}

/* A note for the counts of each event; for many counts several, as a size has 32 bits. */
static void put_counts(struct textbuf *b, const struct recording *r)
{
	enum { MAX = 1 << 24 };

	for (size_t i = 0; i < r->ncount;) {
		struct textbuf desc = {0};
		const uint32_t event = r->count[i].event;

		put64(&desc, event);
		for (int n = 0; n < MAX && i < r->ncount && r->count[i].event == event;
		     n++) {
			put64(&desc, r->count[i].ip);
			put64(&desc, r->count[i++].count);
		}
		put_text_note(b, FACTS_OWNER, FACTS_COUNTS, &desc);
		free(desc.s);
	}
}

static void put_facts(struct writer *w)
{
	struct textbuf facts = {0};

	facts_write(&facts, w->r, w->place);
	put_text_note(&w->notes, FACTS_OWNER, FACTS_TEXT, &facts);
	free(facts.s);
}

/* The facts come last: they are written again when the places of the rings are known. */
static size_t put_notes(struct writer *w)
{
	put_threads(&w->notes, w->r);
	put_prpsinfo(&w->notes, w->r);
	if (w->r->auxv)
		put_note(&w->notes, "CORE", NT_AUXV, w->r->auxv, w->r->auxv_size);
	put_files(&w->notes, w->r);
	put_counts(&w->notes, w->r);
	const size_t at = w->notes.len;
	put_facts(w);
	return at;
}

static void add_piece(struct writer *w, const uint8_t *bytes, size_t size,
		      uint64_t address)
{
	if (!size)
		return;
	struct piece *p = &w->piece[w->npiece++];
	p->bytes = bytes;
	p->size = size;
	p->address = address;
}

/*
 * In ascending order of address. Of two at one address the one that was added last comes
 * first.
 */
static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = *(const struct piece *const *)a;
	const struct piece *y = *(const struct piece *const *)b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x > y ? -1 : x < y;
}

/* Find which pieces become segments: those in memory that overlap no segment before. */
static void choose_segments(struct writer *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->npiece; i++)
		if (w->piece[i].address)
			w->segment[n++] = &w->piece[i];
	qsort(w->segment, n, sizeof(const struct piece *), compare_pieces);
	for (size_t i = 0; i < n; i++) {
		const struct piece *p = w->segment[i];
		const struct piece *last =
			w->nsegment ? w->segment[w->nsegment - 1] : NULL;

		if ((!last || p->address - last->address >= last->size) &&
		    w->nsegment < SEGMENTS_MAX)
			w->segment[w->nsegment++] = p;
	}
}

/* Place the pieces in the file, at offsets which equal their addresses modulo a page. */
static void place_pieces(struct writer *w, uint64_t at)
{
	for (size_t i = 0; i < w->npiece; i++) {
		at += (w->piece[i].address - at) & (PAGE - 1);
		w->piece[i].offset = at;
		at += w->piece[i].size;
	}
}

/* The pieces of the rings come first, in their order. */
static void place_rings(struct writer *w)
{
	const struct piece *p = w->piece;

	for (size_t i = 0; i < w->r->nring; i++) {
		if (w->r->ring[i].block_size)
			w->place[i].block = p++->offset;
		if (w->r->ring[i].size)
			w->place[i].bytes = p++->offset;
	}
}

static void put_elf_header(struct writer *w)
{
	uint8_t h[sizeof(Elf64_Ehdr)] = {ELFMAG0,    ELFMAG1,	  ELFMAG2,   ELFMAG3,
					 ELFCLASS64, ELFDATA2LSB, EV_CURRENT};

	bytes_put16(h + offsetof(Elf64_Ehdr, e_type), ET_CORE);
	bytes_put16(h + offsetof(Elf64_Ehdr, e_machine), EM_X86_64);
	bytes_put32(h + offsetof(Elf64_Ehdr, e_version), EV_CURRENT);
	bytes_put64(h + offsetof(Elf64_Ehdr, e_phoff), sizeof h);
	bytes_put16(h + offsetof(Elf64_Ehdr, e_ehsize), sizeof h);
	bytes_put16(h + offsetof(Elf64_Ehdr, e_phentsize), sizeof(Elf64_Phdr));
	bytes_put16(h + offsetof(Elf64_Ehdr, e_phnum), (uint16_t)(w->nsegment + 1));
	textbuf_put(&w->head, (char *)h, sizeof h);
}

static void put_program_header(struct writer *w, uint32_t type, const struct piece *p)
{
	uint8_t h[sizeof(Elf64_Phdr)] = {0};

	bytes_put32(h + offsetof(Elf64_Phdr, p_type), type);
	bytes_put32(h + offsetof(Elf64_Phdr, p_flags), PF_R);
	bytes_put64(h + offsetof(Elf64_Phdr, p_offset), p->offset);
	bytes_put64(h + offsetof(Elf64_Phdr, p_vaddr), p->address);
	bytes_put64(h + offsetof(Elf64_Phdr, p_filesz), p->size);
	bytes_put64(h + offsetof(Elf64_Phdr, p_memsz), type == PT_NOTE ? 0 : p->size);
	bytes_put64(h + offsetof(Elf64_Phdr, p_align), type == PT_NOTE ? 4 : PAGE);
	textbuf_put(&w->head, (char *)h, sizeof h);
}

static int write_all(int fd, const void *bytes, size_t n)
{
	for (const char *p = bytes; n;) {
		const ssize_t done = write(fd, p, n);

		if (done == -1 && errno == EINTR)
			continue;
		if (done == -1)
			return -1;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

static int write_pieces(const struct writer *w, int fd, uint64_t at)
{
	static const char zero[PAGE];

	for (size_t i = 0; i < w->npiece; i++) {
		const struct piece *p = &w->piece[i];

		if (write_all(fd, zero, p->offset - at) == -1 ||
		    write_all(fd, p->bytes, p->size) == -1)
			return -1;
		at = p->offset + p->size;
	}
	return 0;
}

static void add_pieces(struct writer *w)
{
	const struct recording *r = w->r;

	for (size_t i = 0; i < r->nring; i++) {
		const struct recording_ring *ring = &r->ring[i];

		add_piece(w, ring->block, ring->block_size, ring->cb);
		add_piece(w, ring->bytes, ring->size, ring->base);
	}
	for (size_t i = 0; i < r->nmapping; i++)
		add_piece(w, r->mapping[i].head, r->mapping[i].head_size,
			  r->mapping[i].start);
}

static int write_file(struct writer *w, int fd)
{
	add_pieces(w);
	choose_segments(w);
	const size_t facts = put_notes(w);
	struct piece notes = {.offset = sizeof(Elf64_Ehdr) +
					(w->nsegment + 1) * sizeof(Elf64_Phdr),
			      .size = w->notes.len};
	place_pieces(w, notes.offset + notes.size);
	place_rings(w);
	w->notes.len = facts;
	put_facts(w);
	put_elf_header(w);
	put_program_header(w, PT_NOTE, &notes);
	for (size_t i = 0; i < w->nsegment; i++)
		put_program_header(w, PT_LOAD, w->segment[i]);
	textbuf_put(&w->head, w->notes.s, w->notes.len);
	if (w->head.failed || w->notes.failed) {
		errno = ENOMEM;
		return -1;
	}
	if (write_all(fd, w->head.s, w->head.len) == -1)
		return -1;
	return write_pieces(w, fd, w->head.len);
}

int recording_write(int fd, const struct recording *r)
{
	const size_t n = 2 * r->nring + r->nmapping + 1;
	struct writer w = {
		.r = r,
		.piece = calloc(n, sizeof(struct piece)),
		.segment = calloc(n, sizeof(const struct piece *)),
		.place = calloc(r->nring + 1, sizeof(struct facts_place)),
	};

	const int status = w.piece && w.segment && w.place ? write_file(&w, fd) : -1;
	const int error = errno;
	free(w.head.s);
	free(w.notes.s);
	free(w.place);
	free(w.segment);
	free(w.piece);
	errno = error;
	return status;
}
