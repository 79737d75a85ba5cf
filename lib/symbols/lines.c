#include "symbols/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/cursor.h"
#include "symbols/linetable.h"
#include "symbols/pointers.h"
#include "symbols/source.h"

/* What is nested deeper is left out. rustc nests a block for each variable. */
enum { MAX_DEPTH = 2000 };

/* The linker has left code out whose address is within the ELF header. */
enum { FIRST_ADDRESS = 64 };

/* A file that is being read. */
struct reader {
	struct source_lines *to;
	Elf *elf;
	Dwarf *dwarf;
	struct section abbrev, info;
	struct section common_str; /* of the file that dwz has moved strings to */
	struct linetable table;	   /* of the unit, once it is opened */
	int has_table, is_open;
	uint64_t offset; /* of the table */
	uint64_t size;	 /* of all sections, and what is left for the parts of the file */
	uint64_t ranges_left, names_left, lines_left, abbrev_left, bytes_left;
	struct pointers names;	/* of libdw's strings to indices of names */
	struct pointers tables; /* line tables whose rows are read */
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

/*
 * Fill *index by that of a name of libdw, which stays the same pointer. Returns 0, or -1
 * with ENOMEM or ENOEXEC.
 */
static int intern(struct reader *r, const char *name, uint32_t *index)
{
	uint32_t *const known = name ? pointers_get(&r->names, name) : NULL;

	*index = SOURCE_NONE;
	if (!name)
		return 0;
	if (!known)
		return -1;
	if (!*known) {
		if (take(&r->names_left, strlen(name)))
			return -1;
		*index = source_add_name(r->to, name);
		if (*index == SOURCE_NONE)
			return -1;
		*known = *index + 1;
	}
	*index = *known - 1;
	return 0;
}

/* Open the line table of the unit, once. */
static int open_table(struct reader *r)
{
	if (r->is_open)
		return 0;
	r->is_open = 1;
	if (linetable_open(&r->table, r->offset)) {
		r->has_table = 0;
		return errno == ENOMEM ? -1 : 0;
	}
	return take(&r->lines_left, r->table.size);
}

/* Does a section end before a string that begins in it? */
static int cuts_off(const struct section *s, const char *string)
{
	const uintptr_t at = (uintptr_t)string - (uintptr_t)s->bytes;

	return s->bytes && at < s->size && !memchr(string, '\0', s->size - at);
}

/* Return the string of an attribute; NULL if it has none, or its section cuts it off. */
static const char *string_of(const struct reader *r, Dwarf_Attribute *a)
{
	const struct section *const in[] = {&r->info, &r->table.str, &r->table.line_str,
					    &r->common_str};
	const char *const string = dwarf_formstring(a);

	for (size_t i = 0; string && i < sizeof in / sizeof in[0]; i++)
		if (cuts_off(in[i], string))
			return NULL;
	return string;
}

static const char *name_of(const struct reader *r, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &a) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a))
		name = string_of(r, &a);
	if (!name && dwarf_attr_integrate(die, DW_AT_name, &a))
		name = string_of(r, &a);
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
	uint32_t index;

	f->call_line = attribute_value(die, DW_AT_call_line);
	if (!r->has_table || !dwarf_hasattr(die, DW_AT_call_file))
		return 0;
	if (open_table(r))
		return -1;
	if (linetable_file(&r->table, attribute_value(die, DW_AT_call_file), &index))
		return -1;
	f->call_file = index == SOURCE_NONE ? NULL : r->to->names[index];
	return 0;
}

static uint32_t add_function(struct reader *r, Dwarf_Die *die, uint32_t inlined_into)
{
	struct source_function f = {.inlined_into = inlined_into};
	uint32_t name;

	if (intern(r, name_of(r, die), &name))
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
			/* Without code, it may still contain lambdas with code. */
			if (read_function(r, &die, is_inlined ? function : SOURCE_NONE,
					  &inner))
				return -1;
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

/* Read the rows of the line table of a unit, unless another unit has it too. */
static int read_lines(struct reader *r, Dwarf_Die *unit)
{
	Dwarf_Attribute a;
	Dwarf_Word offset;
	uint32_t *seen;

	r->has_table = r->is_open = 0;
	r->table.comp_dir =
		dwarf_attr(unit, DW_AT_comp_dir, &a) ? string_of(r, &a) : NULL;
	if (!dwarf_attr(unit, DW_AT_stmt_list, &a) || dwarf_formudata(&a, &offset) ||
	    offset >= r->table.line.size)
		return 0;
	r->has_table = 1;
	r->offset = offset;
	seen = pointers_get(&r->tables, r->table.line.bytes + offset);
	if (!seen)
		return -1;
	if ((*seen)++)
		return 0;
	if (open_table(r))
		return -1;
	return r->has_table ? linetable_run(&r->table) : 0;
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
 * left of the file. Returns 0, or -1 if it is too big or has a wrong type.
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

	/* Libelf converts notes and others into a copy; strings there are not judged. */
	const int is_plain = h.sh_type <= SHT_PROGBITS || h.sh_type >= SHT_LOPROC;
	const uint64_t expanded = expanded_size(s, &h, name);

	if (!is_plain || take(left, h.sh_size) ||
	    (expanded > SMALL_SECTION && expanded / MAX_EXPANSION > h.sh_size))
		return -1;
	*size += expanded;
	return 0;
}

/* Add the sizes of all sections of debug information, or return -1 as add_size() does. */
static int add_sizes(Elf *elf, uint64_t *size)
{
	size_t names, bytes;
	uint64_t left;

	if (elf_getshdrstrndx(elf, &names) || !elf_rawfile(elf, &bytes))
		return -1;
	left = bytes;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
		if (add_size(elf, names, s, &left, size))
			return -1;
	return 0;
}

/*
 * Open a file for libdw, which expands compressed sections: *size gets the size of all
 * its sections of debug information then. Returns NULL with ENOEXEC or ENOMEM.
 */
static Elf *open_elf(int fd, uint64_t *size)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	*size = 0;
	if (elf && elf_kind(elf) == ELF_K_ELF && !add_sizes(elf, size))
		return elf;
	elf_end(elf);
	malformed();
	return NULL;
}

static void find_section(Elf *elf, const char *name, struct section *s)
{
	const char *const ident = elf_getident(elf, NULL);
	size_t names;
	GElf_Shdr h;

	s->is_big_endian = ident && ident[EI_DATA] == ELFDATA2MSB;
	if (elf_getshdrstrndx(elf, &names))
		return;
	for (Elf_Scn *i = NULL; (i = elf_nextscn(elf, i));) {
		const char *const found =
			gelf_getshdr(i, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;
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

/* Let so many bytes of debug information be read. */
static void add_limits(struct reader *r, uint64_t size)
{
	/*
	 * Each range has at least a byte. Units may share abbreviations and line tables.
	 * An entry is read as often as it is nested deep.
	 */
	r->ranges_left += size;
	r->names_left += 4 * size;
	r->table.names_left += 4 * size + (1 << 20);
	r->abbrev_left += 16 * size + (1 << 20);
	r->bytes_left += 256 * size;
}

/* Judge a file of a unit that was split off, once. Returns 0; or -1 with errno. */
static int accept_split(struct reader *r, Elf *elf)
{
	uint32_t *const seen = pointers_get(&r->tables, elf);
	struct section abbrev = {0};
	uint64_t size = 0;

	if (!seen)
		return -1;
	if ((*seen)++)
		return 0;
	find_section(elf, ".debug_abbrev.dwo", &abbrev);
	if (add_sizes(elf, &size) || abbrev_check(&abbrev))
		return malformed();
	r->lines_left += 16 * size;
	add_limits(r, size);
	return 0;
}

/*
 * Read the functions of a unit. With -gsplit-dwarf they are in another file, which libdw
 * finds: it has names of files in a line table of its own, which has no rows.
 */
static int read_functions(struct reader *r, Dwarf_Die *unit)
{
	const struct linetable whole = r->table;
	const struct section info = r->info;
	Dwarf_Die split;
	uint8_t type;
	Elf *elf;
	int result;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton || !split.addr)
		return walk(r, unit, 0, SOURCE_NONE);
	elf = dwarf_getelf(dwarf_cu_getdwarf(split.cu));
	if (!elf || accept_split(r, elf))
		return -1;
	r->table.line = r->table.str = r->table.line_str = (struct section){0};
	find_section(elf, ".debug_line.dwo", &r->table.line);
	find_section(elf, ".debug_str.dwo", &r->table.str);
	find_section(elf, ".debug_info.dwo", &r->info);
	r->has_table = r->table.line.size > 0;
	r->is_open = 0;
	r->offset = attribute_value(&split, DW_AT_stmt_list);
	result = walk(r, &split, 0, SOURCE_NONE);
	r->info = info;
	r->table.line = whole.line;
	r->table.str = whole.str;
	r->table.line_str = whole.line_str;
	return result;
}

static int read_unit(struct reader *r, Dwarf_Off offset, Dwarf_Off abbrev)
{
	const size_t size = abbrev_size(&r->abbrev, abbrev);
	Dwarf_Die unit;

	if (!size || take(&r->abbrev_left, size))
		return malformed();
	if (!dwarf_offdie(r->dwarf, offset, &unit))
		return 0;
	return read_lines(r, &unit) || read_functions(r, &unit) ? -1 : 0;
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

static void find_sections(struct reader *r)
{
	find_section(r->elf, ".debug_abbrev", &r->abbrev);
	find_section(r->elf, ".debug_info", &r->info);
	find_section(r->elf, ".debug_line", &r->table.line);
	find_section(r->elf, ".debug_line_str", &r->table.line_str);
	find_section(r->elf, ".debug_str", &r->table.str);
	if (dwarf_getalt(r->dwarf))
		find_section(dwarf_getelf(dwarf_getalt(r->dwarf)), ".debug_str",
			     &r->common_str);
	r->lines_left = 16 * r->table.line.size;
	add_limits(r, r->size);
}

int symbols_lines(int fd, struct source_lines *s)
{
	struct reader r = {.to = s, .table.to = s};
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
	pointers_free(&r.tables);
	linetable_free(&r.table);
	dwarf_end(r.dwarf);
	elf_end(r.elf);
	return result;
}
