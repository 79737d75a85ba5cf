#include "symbols/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/limits.h"
#include "symbols/pointers.h"
#include "symbols/source.h"

/* What is nested deeper is left out. rustc nests a block for each variable. */
enum { MAX_DEPTH = 2000 };

/* The linker has left code out whose address is within the ELF header. */
enum { FIRST_ADDRESS = 64 };

/* A file that is being read. */
struct reader {
	struct source *to;
	Elf *elf;
	Dwarf *dwarf;
	struct section abbrev, line, line_str, str;
	uint64_t size; /* of all sections, and what is left for the parts of the file */
	uint64_t ranges_left, names_left, lines_left, abbrev_left, bytes_left;
	struct pointers names;	     /* of libdw's strings to indices of names */
	struct pointers line_tables; /* that are read already */
	Dwarf_Files *files;	     /* of the unit */
	const char *dir;	     /* in which the unit was compiled, or NULL */
};

static int malformed(void)
{
	errno = ENOEXEC;
	return -1;
}

/* Take n of what is left of something; -1 with ENOEXEC if that is less. */
static int take(uint64_t *left, uint64_t n)
{
	if (n > *left)
		return malformed();
	*left -= n;
	return 0;
}

/* Copy a name to the source; with a folder, unless that is NULL. */
static int add_name(struct reader *r, const char *dir, const char *name, uint32_t *index)
{
	char *path = NULL;

	if (take(&r->names_left, strlen(name)))
		return -1;
	if (dir && asprintf(&path, "%s/%s", dir, name) < 0)
		return -1;
	*index = source_add_name(r->to, dir ? path : name);
	free(path);
	return *index == SOURCE_NONE ? -1 : 0;
}

/*
 * Fill *index by that of a name of libdw, which stays the same pointer. Returns 0, or -1
 * with ENOMEM or ENOEXEC.
 */
static int intern(struct reader *r, const char *dir, const char *name, uint32_t *index)
{
	uint32_t *const known = name ? pointers_get(&r->names, name) : NULL;

	*index = SOURCE_NONE;
	if (!name)
		return 0;
	if (!known)
		return -1;
	if (!*known) {
		if (add_name(r, dir, name, index))
			return -1;
		*known = *index + 1;
	}
	*index = *known - 1;
	return 0;
}

/* Fill *index by that of the name of a source file. */
static int intern_file(struct reader *r, const char *name, uint32_t *index)
{
	return intern(r, name && *name != '/' ? r->dir : NULL, name, index);
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &a) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a))
		name = dwarf_formstring(&a);
	if (!name && dwarf_attr_integrate(die, DW_AT_name, &a))
		name = dwarf_formstring(&a);
	return name;
}

static uint64_t attribute_value(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	return dwarf_attr(die, name, &a) && !dwarf_formudata(&a, &v) ? v : 0;
}

/* Fill the place that an inlined function is called at. */
static int read_call(struct reader *r, Dwarf_Die *die, struct source_function *f)
{
	const uint64_t file = attribute_value(die, DW_AT_call_file);
	uint32_t index;

	f->call_line = attribute_value(die, DW_AT_call_line);
	if (!r->files || !dwarf_hasattr(die, DW_AT_call_file))
		return 0;
	if (intern_file(r, dwarf_filesrc(r->files, file, NULL, NULL), &index))
		return -1;
	f->call_file = index == SOURCE_NONE ? NULL : r->to->names[index];
	return 0;
}

static uint32_t add_function(struct reader *r, Dwarf_Die *die, uint32_t inlined_into)
{
	struct source_function f = {.inlined_into = inlined_into};
	uint32_t name;

	if (intern(r, NULL, name_of(die), &name))
		return SOURCE_NONE;
	if (name != SOURCE_NONE)
		f.name = r->to->names[name];
	if (inlined_into != SOURCE_NONE && read_call(r, die, &f))
		return SOURCE_NONE;
	return source_add_function(r->to, &f);
}

/*
 * Add a function with its ranges; *function is its index, or SOURCE_NONE if it has no
 * code. Returns 0, or -1 with ENOMEM or ENOEXEC.
 */
static int read_function(struct reader *r, Dwarf_Die *die, uint32_t inlined_into,
			 uint32_t *function)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	*function = SOURCE_NONE;
	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (take(&r->ranges_left, 1))
			return -1;
		if (start >= end || start < FIRST_ADDRESS)
			continue;
		if (*function == SOURCE_NONE &&
		    (*function = add_function(r, die, inlined_into)) == SOURCE_NONE)
			return -1;
		if (source_add_range(r->to, *function, start, end))
			return -1;
	}
	return 0;
}

/*
 * Go to the next entry. libdw reads all entries in between again, which a malformed file
 * can have it do without end. Returns 0; 1 at the end; or -1 with ENOEXEC.
 */
static int next_sibling(struct reader *r, Dwarf_Die *die)
{
	const Dwarf_Off before = dwarf_dieoffset(die);

	if (dwarf_siblingof(die, die))
		return 1;
	return take(&r->bytes_left, dwarf_dieoffset(die) - before);
}

/* Read the children of an entry. */
static int walk(struct reader *r, Dwarf_Die *parent, unsigned depth, uint32_t function)
{
	Dwarf_Die die;
	int end;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die))
		return 0;
	do {
		uint32_t inner = function;
		int is_inlined = 0;

		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			is_inlined = 1;
			/* fall through */
		case DW_TAG_subprogram:
			if (read_function(r, &die, is_inlined ? function : SOURCE_NONE,
					  &inner))
				return -1;
			if (inner == SOURCE_NONE)
				break;
			/* fall through */
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			if (walk(r, &die, depth + 1, inner))
				return -1;
		}
	} while (!(end = next_sibling(r, &die)));
	return end < 0 ? -1 : 0;
}

static int add_lines(struct reader *r, Dwarf_Lines *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *const line = dwarf_onesrcline(lines, i);
		struct source_row row;
		bool is_end;
		int number;

		if (dwarf_lineaddr(line, &row.address) ||
		    dwarf_lineendsequence(line, &is_end) || dwarf_lineno(line, &number))
			return malformed();
		if (is_end) {
			if (source_end_sequence(r->to, row.address))
				return -1;
			continue;
		}
		row.line = number;
		if (intern_file(r, dwarf_linesrc(line, NULL, NULL), &row.file) ||
		    source_add_row(r->to, &row))
			return -1;
	}
	/* A sequence without end gets an empty range. */
	return source_end_sequence(r->to, 0);
}

/* Return 1 if libdw may read the line table of a unit. */
static int lines_are_sane(struct reader *r, uint64_t offset)
{
	const size_t dir = r->dir ? strnlen(r->dir, LIMITS_NAME) : 0;
	const size_t size = limits_lines(&r->line, offset, dir, &r->line_str, &r->str);

	return size && !take(&r->lines_left, size);
}

/* Read the line table of a unit, unless another unit has it too, and its files. */
static int read_lines(struct reader *r, Dwarf_Die *unit)
{
	Dwarf_Attribute a;
	Dwarf_Word offset;
	Dwarf_Lines *lines;
	size_t n;

	r->files = NULL;
	r->dir = dwarf_attr(unit, DW_AT_comp_dir, &a) ? dwarf_formstring(&a) : NULL;
	if (!dwarf_attr(unit, DW_AT_stmt_list, &a) || dwarf_formudata(&a, &offset) ||
	    offset >= r->line.size)
		return 0;

	uint32_t *const seen = pointers_get(&r->line_tables, r->line.bytes + offset);

	if (!seen)
		return -1;
	if (!*seen)
		*seen = lines_are_sane(r, offset) ? 1 : 3;
	if (*seen == 3 || dwarf_getsrcfiles(unit, &r->files, &n))
		return 0;
	if (*seen == 2 || dwarf_getsrclines(unit, &lines, &n))
		return 0;
	*seen = 2;
	return add_lines(r, lines, n);
}

static int read_unit(struct reader *r, Dwarf_Off offset, Dwarf_Off abbrev)
{
	const size_t size = limits_abbrev(&r->abbrev, abbrev);
	Dwarf_Die unit;

	if (!size || take(&r->abbrev_left, size))
		return malformed();
	if (!dwarf_offdie(r->dwarf, offset, &unit))
		return 0;
	return read_lines(r, &unit) || walk(r, &unit, 0, SOURCE_NONE) ? -1 : 0;
}

static int read_units(struct reader *r)
{
	Dwarf_Off offset = 0, next, abbrev;
	size_t header;

	while (!dwarf_nextcu(r->dwarf, offset, &next, &header, &abbrev, NULL, NULL)) {
		if (read_unit(r, offset + header, abbrev))
			return -1;
		offset = next;
	}
	return source_finish(r->to);
}

/* What zlib reaches with debug information is less than 20. */
enum { MAX_EXPANSION = 64, SMALL_SECTION = 1 << 20 };

/* Return the size of a section of debug information once it is expanded. */
static uint64_t expanded_size(Elf_Scn *s, const GElf_Shdr *h, const char *name)
{
	GElf_Chdr c;

	if (h->sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(s, &c) ? c.ch_size : UINT64_MAX;
	if (name[1] != 'z')
		return h->sh_size;

	/* "ZLIB" and the size, of 8 bytes, the highest first. */
	const Elf_Data *const d = elf_rawdata(s, NULL);
	uint64_t size = UINT64_MAX;

	if (d && d->d_buf && d->d_size >= 12)
		memcpy(&size, (const char *)d->d_buf + 4, sizeof(size));
	return be64toh(size);
}

/*
 * Add the size of a section of debug information, and take its bytes from those that are
 * left of the file. Returns 0, or -1 if it is too big.
 */
static int add_size(Elf *elf, size_t names, Elf_Scn *s, uint64_t *left, uint64_t *size)
{
	GElf_Shdr h;

	if (!gelf_getshdr(s, &h))
		return -1;

	const char *const name = elf_strptr(elf, names, h.sh_name);

	if (!name || h.sh_type == SHT_NOBITS ||
	    (strncmp(name, ".debug_", 7) != 0 && strncmp(name, ".zdebug_", 8) != 0))
		return 0;

	const uint64_t expanded = expanded_size(s, &h, name);

	if (take(left, h.sh_size) ||
	    (expanded > SMALL_SECTION && expanded / MAX_EXPANSION > h.sh_size))
		return -1;
	*size += expanded;
	return 0;
}

/*
 * Open a file for libdw, which expands compressed sections: *size gets the size of all
 * its sections of debug information then. Returns NULL with ENOEXEC or ENOMEM.
 */
static Elf *open_elf(int fd, uint64_t *size)
{
	Elf *elf;
	size_t names, bytes;
	uint64_t left;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	*size = 0;
	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) ||
	    !elf_rawfile(elf, &bytes))
		goto fail;
	left = bytes;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
		if (add_size(elf, names, s, &left, size))
			goto fail;
	return elf;
fail:
	elf_end(elf);
	malformed();
	return NULL;
}

static void find_section(struct reader *r, const char *name, struct section *s)
{
	const char *const ident = elf_getident(r->elf, NULL);
	size_t names;
	GElf_Shdr h;

	s->is_big_endian = ident && ident[EI_DATA] == ELFDATA2MSB;
	if (elf_getshdrstrndx(r->elf, &names))
		return;
	for (Elf_Scn *i = NULL; (i = elf_nextscn(r->elf, i));) {
		const char *const found =
			gelf_getshdr(i, &h) ? elf_strptr(r->elf, names, h.sh_name) : NULL;
		const Elf_Data *d;

		/* ".zdebug_info" is an old name of a compressed ".debug_info". */
		if (!found ||
		    strcmp(found + (found[0] && found[1] == 'z' ? 2 : 1), name + 1) != 0)
			continue;
		d = elf_rawdata(i, NULL);
		if (d && d->d_buf) {
			s->bytes = d->d_buf;
			s->size = d->d_size;
			return;
		}
	}
}

static void find_sections(struct reader *r)
{
	find_section(r, ".debug_abbrev", &r->abbrev);
	find_section(r, ".debug_line", &r->line);
	find_section(r, ".debug_line_str", &r->line_str);
	find_section(r, ".debug_str", &r->str);
	/*
	 * Each range and each row has at least a byte. Units may share abbreviations. An
	 * entry is read as often as it is nested deep.
	 */
	r->ranges_left = r->size;
	r->names_left = 4 * r->size;
	r->lines_left = r->line.size;
	r->abbrev_left = 16 * r->size + (1 << 20);
	r->bytes_left = 256 * r->size;
}

int symbols_lines(int fd, struct source *s)
{
	struct reader r = {.to = s};
	int result;

	r.elf = open_elf(fd, &r.size);
	if (!r.elf)
		return -1;
	r.dwarf = dwarf_begin_elf(r.elf, DWARF_C_READ, NULL);
	if (r.dwarf) {
		find_sections(&r);
		result = read_units(&r);
	} else {
		result = malformed();
	}
	pointers_free(&r.names);
	pointers_free(&r.line_tables);
	dwarf_end(r.dwarf);
	elf_end(r.elf);
	return result;
}
