#include "engine/bpf/object.h"

#include <elf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

/* The names of the sections of programs begin with this word. */
#define PREFIX "program/"

/* An object, and its sections with names. */
struct object {
	const unsigned char *bytes;
	size_t size;
	Elf64_Ehdr head;
	Elf64_Shdr names;
};

/* Are n bytes from this offset inside the object? */
static int is_inside(const struct object *o, uint64_t offset, uint64_t n)
{
	return offset <= o->size && n <= o->size - offset;
}

/* Copy n bytes; returns -1 with EINVAL if they are not inside the object. */
static int copy(const struct object *o, uint64_t offset, void *to, size_t n)
{
	if (!is_inside(o, offset, n)) {
		errno = EINVAL;
		return -1;
	}
	memcpy(to, o->bytes + offset, n);
	return 0;
}

static int read_section(const struct object *o, unsigned i, Elf64_Shdr *s)
{
	if (i >= o->head.e_shnum) {
		errno = EINVAL;
		return -1;
	}
	return copy(o, o->head.e_shoff + i * sizeof *s, s, sizeof *s);
}

/* Returns the text at an offset of a section of texts, or NULL with EINVAL. */
static const char *text(const struct object *o, const Elf64_Shdr *s, uint64_t offset)
{
	if (is_inside(o, s->sh_offset, s->sh_size) && offset < s->sh_size) {
		const char *t = (const char *)o->bytes + s->sh_offset + offset;

		if (memchr(t, 0, s->sh_size - offset))
			return t;
	}
	errno = EINVAL;
	return NULL;
}

static int open_object(struct object *o, const unsigned char *bytes, size_t size)
{
	*o = (struct object){.bytes = bytes, .size = size};
	if (copy(o, 0, &o->head, sizeof o->head) == -1)
		return -1;
	if (memcmp(o->head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    o->head.e_ident[EI_CLASS] != ELFCLASS64 || o->head.e_machine != EM_BPF) {
		errno = EINVAL;
		return -1;
	}
	return read_section(o, o->head.e_shstrndx, &o->names);
}

/* Find the section with the instructions. Returns its number, or -1 with ENOENT. */
static int find_program(const struct object *o, const char *name, Elf64_Shdr *s)
{
	const size_t n = sizeof PREFIX - 1;

	for (unsigned i = 1; i < o->head.e_shnum; i++) {
		if (read_section(o, i, s) == -1)
			return -1;
		const char *t = text(o, &o->names, s->sh_name);
		if (!t)
			return -1;
		if (s->sh_type == SHT_PROGBITS && s->sh_size &&
		    (s->sh_flags & SHF_EXECINSTR) && strncmp(t, PREFIX, n) == 0 &&
		    strcmp(t + n, name) == 0)
			return (int)i;
	}
	errno = ENOENT;
	return -1;
}

static const struct bpf_object_map *find_map(const struct bpf_object_map *map,
					     unsigned nmaps, const char *name)
{
	for (unsigned i = 0; name && i < nmaps; i++)
		if (strcmp(map[i].name, name) == 0)
			return &map[i];
	errno = EINVAL;
	return NULL;
}

/*
 * A use of a map is a pair of instructions that loads 64 bits: the first gets the
 * descriptor, the second the offset in the value.
 */
static int relocate(struct bpf_insn *pair, const struct bpf_object_map *map,
		    uint64_t offset)
{
	if (pair->code != (BPF_LD | BPF_DW | BPF_IMM)) {
		errno = EINVAL;
		return -1;
	}
	pair[1].imm = map->is_value ? (int32_t)(offset + (uint32_t)pair->imm) : 0;
	pair->src_reg = map->is_value ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD;
	pair->imm = map->fd;
	return 0;
}

static int relocate_one(const struct object *o, const Elf64_Shdr *symbols,
			const Elf64_Rel *rel, struct bpf_insn *insn, size_t n,
			const struct bpf_object_map *map, unsigned nmaps)
{
	const uint64_t at = rel->r_offset / sizeof *insn;
	Elf64_Shdr names;
	Elf64_Sym symbol;

	if (read_section(o, symbols->sh_link, &names) == -1 ||
	    copy(o, symbols->sh_offset + ELF64_R_SYM(rel->r_info) * sizeof symbol,
		 &symbol, sizeof symbol) == -1)
		return -1;
	const struct bpf_object_map *m =
		find_map(map, nmaps, text(o, &names, symbol.st_name));
	if (!m)
		return -1;
	if (n < 2 || at > n - 2) {
		errno = EINVAL;
		return -1;
	}
	return relocate(&insn[at], m, symbol.st_value);
}

/* Apply all relocations of the section with this number. */
static int relocate_all(const struct object *o, unsigned section, struct bpf_insn *insn,
			size_t n, const struct bpf_object_map *map, unsigned nmaps)
{
	Elf64_Shdr s, symbols;
	Elf64_Rel rel;

	for (unsigned i = 1; i < o->head.e_shnum; i++) {
		if (read_section(o, i, &s) == -1)
			return -1;
		if (s.sh_type != SHT_REL || s.sh_info != section)
			continue;
		if (read_section(o, s.sh_link, &symbols) == -1)
			return -1;
		for (uint64_t k = 0; k < s.sh_size / sizeof rel; k++)
			if (copy(o, s.sh_offset + k * sizeof rel, &rel, sizeof rel) ==
				    -1 ||
			    relocate_one(o, &symbols, &rel, insn, n, map, nmaps) == -1)
				return -1;
	}
	return 0;
}

uint64_t *bpf_object_program(const unsigned char *object, size_t size, const char *name,
			     const struct bpf_object_map *map, unsigned nmaps, size_t *n)
{
	struct object o;
	Elf64_Shdr s;

	if (open_object(&o, object, size) == -1)
		return NULL;
	const int section = find_program(&o, name, &s);
	if (section == -1)
		return NULL;
	if (!is_inside(&o, s.sh_offset, s.sh_size)) {
		errno = EINVAL;
		return NULL;
	}
	*n = s.sh_size / sizeof(struct bpf_insn);
	struct bpf_insn *insn = malloc(s.sh_size);
	if (!insn)
		return NULL;
	memcpy(insn, object + s.sh_offset, s.sh_size);
	if (relocate_all(&o, (unsigned)section, insn, *n, map, nmaps) == 0)
		return (uint64_t *)insn;
	const int e = errno;
	free(insn);
	errno = e;
	return NULL;
}
