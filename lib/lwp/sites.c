#include "lwp/sites.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/bytes.h"

/* Returns whether n bytes at an offset are in the file. */
static int is_inside(const struct sites *s, uint64_t offset, uint64_t n)
{
	return offset <= s->size && n <= s->size - offset;
}

/* Reads a member of a header, whose type is a word of 4 or 8 bytes, by the class. */
static uint64_t word(const struct sites *s, uint64_t at, size_t offset32, size_t offset64)
{
	return s->is_64 ? bytes_get64(s->file + at + offset64)
			: bytes_get32(s->file + at + offset32);
}

#define WORD(s, at, type, member) \
	word(s, at, offsetof(Elf32_##type, member), offsetof(Elf64_##type, member))
#define AT(s, at, type, member) \
	((s)->file + (at) +     \
	 ((s)->is_64 ? offsetof(Elf64_##type, member) : offsetof(Elf32_##type, member)))

/* Sets the mode and the class. Returns -1 with ENOEXEC if the file is not of x86. */
static int read_kind(struct sites *s)
{
	errno = ENOEXEC;
	if (s->size < sizeof(Elf32_Ehdr) || memcmp(s->file, ELFMAG, SELFMAG) != 0 ||
	    s->file[EI_DATA] != ELFDATA2LSB)
		return -1;
	s->is_64 = s->file[EI_CLASS] == ELFCLASS64;
	if ((!s->is_64 && s->file[EI_CLASS] != ELFCLASS32) ||
	    (s->is_64 && s->size < sizeof(Elf64_Ehdr)))
		return -1;
	const unsigned machine = bytes_get16(AT(s, 0, Ehdr, e_machine));

	if (machine != EM_X86_64 && machine != EM_386)
		return -1;
	s->mode = machine == EM_X86_64 ? 64 : 32;
	return 0;
}

/* Finds the table of sections, and their names. */
static int read_sections(struct sites *s)
{
	uint64_t names = bytes_get16(AT(s, 0, Ehdr, e_shstrndx));
	const size_t least = s->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	s->is_sections = 1;
	s->table = WORD(s, 0, Ehdr, e_shoff);
	s->entry_size = bytes_get16(AT(s, 0, Ehdr, e_shentsize));
	s->n = bytes_get16(AT(s, 0, Ehdr, e_shnum));
	if (s->entry_size < least || !is_inside(s, s->table, s->entry_size))
		return -1;
	/* Numbers that are too large for the header are in the first section's. */
	if (s->n == 0)
		s->n = WORD(s, s->table, Shdr, sh_size);
	if (names == SHN_XINDEX)
		names = bytes_get32(AT(s, s->table, Shdr, sh_link));
	if (s->n > s->size / s->entry_size ||
	    !is_inside(s, s->table, s->n * s->entry_size))
		return -1;
	if (names < s->n) {
		const uint64_t at = s->table + names * s->entry_size;

		s->names = WORD(s, at, Shdr, sh_offset);
		s->names_size = WORD(s, at, Shdr, sh_size);
	}
	return 0;
}

static int read_segments(struct sites *s)
{
	const size_t least = s->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	s->table = WORD(s, 0, Ehdr, e_phoff);
	s->entry_size = bytes_get16(AT(s, 0, Ehdr, e_phentsize));
	s->n = bytes_get16(AT(s, 0, Ehdr, e_phnum));
	if (s->n == 0)
		return 0;
	if (s->entry_size < least || !is_inside(s, s->table, s->n * s->entry_size))
		return -1;
	return 0;
}

int sites_begin(struct sites *s, const void *file, size_t size)
{
	*s = (struct sites){.file = file, .size = size, .section = ""};
	if (read_kind(s) != 0)
		return -1;
	errno = EINVAL;
	return WORD(s, 0, Ehdr, e_shoff) ? read_sections(s) : read_segments(s);
}

/* Returns the string at an offset of the names, or "" if it does not end in them. */
static const char *section_name(const struct sites *s, uint32_t at)
{
	if (!is_inside(s, s->names, s->names_size) || at >= s->names_size)
		return "";
	const char *name = (const char *)s->file + s->names + at;

	return memchr(name, '\0', s->names_size - at) ? name : "";
}

/* Bytes of the file, and the address of the first. */
struct code {
	uint64_t address, offset, size;
};

/* Returns whether the section whose header is at this offset has code, and fills *c. */
static int is_code_section(struct sites *s, uint64_t at, struct code *c)
{
	const uint32_t type = bytes_get32(AT(s, at, Shdr, sh_type));

	if (type != SHT_PROGBITS || !(WORD(s, at, Shdr, sh_flags) & SHF_EXECINSTR))
		return 0;
	c->address = WORD(s, at, Shdr, sh_addr);
	c->offset = WORD(s, at, Shdr, sh_offset);
	c->size = WORD(s, at, Shdr, sh_size);
	s->section = section_name(s, bytes_get32(AT(s, at, Shdr, sh_name)));
	return 1;
}

static int is_code_segment(const struct sites *s, uint64_t at, struct code *c)
{
	if (bytes_get32(AT(s, at, Phdr, p_type)) != PT_LOAD ||
	    !(bytes_get32(AT(s, at, Phdr, p_flags)) & PF_X))
		return 0;
	c->address = WORD(s, at, Phdr, p_vaddr);
	c->offset = WORD(s, at, Phdr, p_offset);
	c->size = WORD(s, at, Phdr, p_filesz);
	return 1;
}

/* Moves to the next bytes of code. Returns 0 if there are none. */
static int open_next(struct sites *s)
{
	while (s->i < s->n) {
		const uint64_t at = s->table + s->i++ * s->entry_size;
		struct code c;

		if (!(s->is_sections ? is_code_section(s, at, &c)
				     : is_code_segment(s, at, &c)))
			continue;
		if (c.offset > s->size)
			continue;
		s->offset = c.offset;
		s->bias = c.address - c.offset;
		/* What would be behind the end of the file is left out. */
		s->end = c.size < s->size - c.offset ? c.offset + c.size : s->size;
		return 1;
	}
	return 0;
}

static int is_prefix(uint8_t byte)
{
	return byte == 0x64 || byte == 0x65 || byte == 0x67;
}

static int decode(const struct sites *s, uint64_t at, lwp_instruction_t *i)
{
	return lwp_instruction_decode(i, s->file + at, s->end - at, s->mode) >= 0;
}

/* Fills *site if there is an instruction whose 8F is at this offset. */
static int read_site(const struct sites *s, uint64_t at, struct site *site)
{
	lwp_instruction_t *i = &site->instruction;
	uint64_t begin = at;

	if (!decode(s, at, i))
		return 0;
	while (i->memory && begin > s->offset && at - begin < 2 &&
	       is_prefix(s->file[begin - 1]))
		begin--;
	/* With all its prefixes the instruction could be too long. */
	while (!decode(s, begin, i))
		begin++;
	site->offset = begin;
	site->address = begin + s->bias;
	site->section = s->section;
	return 1;
}

int sites_next(struct sites *s, struct site *site)
{
	for (;;) {
		const uint8_t *p = memchr(s->file + s->offset, 0x8f, s->end - s->offset);

		if (!p) {
			s->offset = s->end = 0;
			if (!open_next(s))
				return 0;
			continue;
		}
		const uint64_t at = (uint64_t)(p - s->file);

		if (read_site(s, at, site)) {
			s->offset = site->offset + site->instruction.length;
			return 1;
		}
		s->offset = at + 1;
	}
}
