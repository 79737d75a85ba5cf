#include "lwp/core.h"

#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* The offset of a member of a struct of elf.h. */
#define AT(type, member) offsetof(type, member)

static int fail(int error, char *why, size_t n, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int fail(int error, char *why, size_t n, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, n, fmt, ap);
	va_end(ap);
	errno = error;
	return -1;
}

static int check_header(const uint8_t *file, size_t size, char *why, size_t n)
{
	if (size < SELFMAG || memcmp(file, ELFMAG, SELFMAG) != 0)
		return fail(ENOEXEC, why, n, "the file is not an ELF core file");
	if (size < sizeof(Elf64_Ehdr))
		return fail(EINVAL, why, n, "the file ends within the ELF header");
	if (file[EI_CLASS] != ELFCLASS64 || file[EI_DATA] != ELFDATA2LSB ||
	    bytes_get16(file + AT(Elf64_Ehdr, e_machine)) != EM_X86_64)
		return fail(ENOEXEC, why, n,
			    "the ELF file is not of x86-64, the processors with LWP");
	if (bytes_get16(file + AT(Elf64_Ehdr, e_type)) != ET_CORE)
		return fail(ENOEXEC, why, n, "the ELF file is not a core file");
	return 0;
}

/*
 * Return the number of program headers: where there are 65535 or more, the first section
 * header has it (elf(5), PN_XNUM).
 */
static uint64_t count_headers(const uint8_t *file, size_t size)
{
	const uint16_t n = bytes_get16(file + AT(Elf64_Ehdr, e_phnum));
	const uint64_t at = bytes_get64(file + AT(Elf64_Ehdr, e_shoff));

	if (n != PN_XNUM || at > size || size - at < sizeof(Elf64_Shdr))
		return n;
	return bytes_get32(file + at + AT(Elf64_Shdr, sh_info));
}

/* Return a segment; the part beyond the end of the file is left out. */
static struct core_segment segment_of(const struct core *c, const uint8_t *header)
{
	struct core_segment s = {
		.start = bytes_get64(header + AT(Elf64_Phdr, p_vaddr)),
		.offset = bytes_get64(header + AT(Elf64_Phdr, p_offset)),
		.size = bytes_get64(header + AT(Elf64_Phdr, p_filesz)),
	};
	uint64_t memory = bytes_get64(header + AT(Elf64_Phdr, p_memsz));

	if (s.offset > c->size)
		s.offset = c->size;
	if (s.size > c->size - s.offset)
		s.size = c->size - s.offset;
	if (memory > UINT64_MAX - s.start)
		memory = UINT64_MAX - s.start;
	s.end = s.start + memory;
	return s;
}

static void add_segment(struct core *c, const uint8_t *header)
{
	const uint32_t type = bytes_get32(header + AT(Elf64_Phdr, p_type));
	struct core_segment s = segment_of(c, header);

	if (type == PT_NOTE)
		c->notes[c->nnotes++] = s;
	if (s.size > s.end - s.start)
		s.size = s.end - s.start;
	if (type == PT_LOAD && s.end > s.start)
		c->load[c->nload++] = s;
}

static int compare_segments(const void *a, const void *b)
{
	const struct core_segment *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

int core_open(struct core *c, const void *file, size_t size, char *why, size_t n)
{
	*c = (struct core){.file = file, .size = size};
	if (check_header(file, size, why, n) == -1)
		return -1;
	const uint64_t headers = count_headers(file, size);
	const uint64_t at = bytes_get64(c->file + AT(Elf64_Ehdr, e_phoff));
	if (headers &&
	    bytes_get16(c->file + AT(Elf64_Ehdr, e_phentsize)) != sizeof(Elf64_Phdr))
		return fail(EINVAL, why, n, "the program headers have a wrong size");
	if (at > size || headers > (size - at) / sizeof(Elf64_Phdr))
		return fail(EINVAL, why, n, "the file ends within the program headers");
	c->load = calloc(headers + 1, sizeof *c->load);
	c->notes = calloc(headers + 1, sizeof *c->notes);
	if (!c->load || !c->notes) {
		core_close(c);
		return fail(ENOMEM, why, n, "%s", strerror(ENOMEM));
	}
	for (uint64_t i = 0; i < headers; i++)
		add_segment(c, c->file + at + i * sizeof(Elf64_Phdr));
	qsort(c->load, c->nload, sizeof *c->load, compare_segments);
	return 0;
}

void core_close(struct core *c)
{
	free(c->load);
	free(c->notes);
	*c = (struct core){0};
}

/* Return the number of segments that begin at this address or below. */
static size_t segments_below(const struct core *c, uint64_t address)
{
	size_t low = 0, high = c->nload;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (c->load[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return whether the segment after *s follows *s both in memory and in the file. */
static int is_continued(const struct core_segment *s)
{
	return s->size == s->end - s->start && s[1].start == s->end &&
	       s[1].offset == s->offset + s->size;
}

const uint8_t *core_memory(const struct core *c, uint64_t address, size_t *n)
{
	const size_t wanted = *n;
	size_t i = segments_below(c, address);

	*n = 0;
	if (i-- == 0 || address - c->load[i].start >= c->load[i].size)
		return NULL;
	const uint64_t at = address - c->load[i].start;
	const uint8_t *p = c->file + c->load[i].offset + at;
	*n = c->load[i].size - at;
	for (; *n < wanted && i + 1 < c->nload && is_continued(&c->load[i]); i++)
		*n += c->load[i + 1].size;
	if (*n > wanted)
		*n = wanted;
	return *n ? p : NULL;
}

/* Notes of core files are aligned to 4 bytes. */
static uint64_t align4(uint64_t n)
{
	return (n + 3) & ~UINT64_C(3);
}

/*
 * Read the note at *at of size bytes of notes, and move *at behind it. Returns as
 * core_next_note().
 */
static int read_note(struct core_note *note, const uint8_t *notes, size_t size,
		     size_t *at)
{
	const size_t left = size - *at;
	const uint8_t *p = notes + *at;

	if (left < sizeof(Elf64_Nhdr))
		return 0;
	const uint64_t name = align4(bytes_get32(p + AT(Elf64_Nhdr, n_namesz)));
	const uint64_t desc = bytes_get32(p + AT(Elf64_Nhdr, n_descsz));
	if (name + desc > left - sizeof(Elf64_Nhdr)) {
		errno = EINVAL;
		return -1;
	}
	note->owner = (const char *)p + sizeof(Elf64_Nhdr);
	note->owner_size = bytes_get32(p + AT(Elf64_Nhdr, n_namesz));
	note->type = bytes_get32(p + AT(Elf64_Nhdr, n_type));
	note->desc = p + sizeof(Elf64_Nhdr) + name;
	note->size = desc;
	const uint64_t all = sizeof(Elf64_Nhdr) + name + align4(desc);
	*at += all < left ? all : left;
	return 1;
}

int core_next_note(const struct core *c, struct core_note *note)
{
	for (; note->segment < c->nnotes; note->segment++) {
		const struct core_segment *s = &c->notes[note->segment];
		const int r = read_note(note, c->file + s->offset, s->size, &note->at);

		if (r)
			return r;
		note->at = 0;
	}
	return 0;
}

int core_is_note(const struct core_note *note, const char *owner, uint32_t type)
{
	const size_t n = strlen(owner);

	return note->type == type && note->owner_size >= n && note->owner_size <= n + 1 &&
	       memcmp(note->owner, owner, n) == 0;
}

static size_t find_build_id(const uint8_t *notes, size_t size, const uint8_t **id)
{
	struct core_note note = {0};
	size_t at = 0;

	while (read_note(&note, notes, size, &at) == 1) {
		if (!core_is_note(&note, ELF_NOTE_GNU, NT_GNU_BUILD_ID) || !note.size)
			continue;
		*id = note.desc;
		return note.size;
	}
	return 0;
}

/*
 * The offsets in the file are those in memory too: the bytes begin with those of the
 * file.
 */
size_t core_build_id(const uint8_t *elf, size_t size, const uint8_t **id)
{
	size_t found = 0;

	if (size < sizeof(Elf64_Ehdr) || memcmp(elf, ELFMAG, SELFMAG) != 0 ||
	    elf[EI_CLASS] != ELFCLASS64 || elf[EI_DATA] != ELFDATA2LSB)
		return 0;
	const uint64_t at = bytes_get64(elf + AT(Elf64_Ehdr, e_phoff));
	const unsigned n = bytes_get16(elf + AT(Elf64_Ehdr, e_phnum));
	for (unsigned i = 0; i < n && !found && at < size; i++) {
		if ((size - at) / sizeof(Elf64_Phdr) <= i)
			break;
		const uint8_t *header = elf + at + i * sizeof(Elf64_Phdr);
		const uint64_t offset = bytes_get64(header + AT(Elf64_Phdr, p_offset));
		const uint64_t bytes = bytes_get64(header + AT(Elf64_Phdr, p_filesz));
		if (bytes_get32(header + AT(Elf64_Phdr, p_type)) == PT_NOTE &&
		    offset <= size && bytes <= size - offset)
			found = find_build_id(elf + offset, bytes, id);
	}
	return found;
}
