#include "symbols/elf.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT = 1, SYMBOLS, NAMES, INDICES, SECTIONS, NSYMBOLS = 6 };

/* A file with one section of code, whose symbols each have 16 bytes of it. */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr load;
	Elf64_Shdr section[SECTIONS];
	Elf64_Sym symbol[NSYMBOLS];
	Elf32_Word index[NSYMBOLS]; /* of the sections of symbols with SHN_XINDEX */
	char names[NSYMBOLS * 2 + 2];
};

static void add_section(struct image *m, unsigned i, unsigned type, size_t at,
			size_t size, size_t entry)
{
	m->section[i] = (Elf64_Shdr){
		.sh_type = type,
		.sh_offset = at,
		.sh_size = size,
		.sh_entsize = entry,
		.sh_addralign = 1,
	};
}

static void make(struct image *m)
{
	memset(m, 0, sizeof(*m));
	m->header = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = offsetof(struct image, load),
		.e_shoff = offsetof(struct image, section),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = NAMES,
	};
	m->load = (Elf64_Phdr){.p_type = PT_LOAD,
			       .p_vaddr = 4096,
			       .p_filesz = sizeof(*m),
			       .p_memsz = sizeof(*m)};
	add_section(m, TEXT, SHT_PROGBITS, 0, sizeof(*m), 0);
	m->section[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	m->section[TEXT].sh_addr = 4096;
	add_section(m, SYMBOLS, SHT_SYMTAB, offsetof(struct image, symbol),
		    sizeof(m->symbol), sizeof(*m->symbol));
	m->section[SYMBOLS].sh_link = NAMES;
	add_section(m, NAMES, SHT_STRTAB, offsetof(struct image, names), sizeof(m->names),
		    0);
	add_section(m, INDICES, SHT_SYMTAB_SHNDX, offsetof(struct image, index),
		    sizeof(m->index), sizeof(*m->index));
	m->section[INDICES].sh_link = SYMBOLS;
	for (unsigned i = 1; i < NSYMBOLS; i++) {
		m->symbol[i] = (Elf64_Sym){.st_name = 2 * i,
					   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					   .st_shndx = TEXT,
					   .st_value = 4096 + 16 * i,
					   .st_size = 16};
		m->names[2 * i] = (char)('a' + i);
	}
}

struct read {
	struct elf_file file;
	struct table table;
	struct strings strings;
};

/* Reads the image. Returns the result, with errno. */
static int read_image(struct read *r, struct image *m)
{
	*r = (struct read){0};
	errno = 0;
	return elf_file_read_memory(m, sizeof(*m), &r->file, &r->table, &r->strings);
}

static void finish(struct read *r)
{
	elf_file_free(&r->file);
	table_free(&r->table);
	strings_free(&r->strings);
}

/* How symbol 3, "d", is stored, and whether it is shown. */
static const struct {
	int line;
	unsigned type, section, index;
	int shown;
} cases[] = {
	{__LINE__, STT_FUNC, TEXT, 0, 1},
	{__LINE__, STT_NOTYPE, TEXT, 0, 1},
	{__LINE__, STT_SECTION, TEXT, 0, 0},
	{__LINE__, 11, TEXT, 0, 0}, /* a type of another system */
	{__LINE__, STT_FUNC, SHN_UNDEF, 0, 0},
	{__LINE__, STT_FUNC, SHN_ABS, 0, 0},
	{__LINE__, STT_FUNC, SHN_XINDEX, TEXT, 1},
	{__LINE__, STT_FUNC, SHN_XINDEX, 0, 0},
	{__LINE__, STT_FUNC, SHN_XINDEX, SECTIONS, 0},
};

static void symbols_of_code_are_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct symbol *found;
		struct image m;
		struct read r;

		make(&m);
		m.symbol[3].st_info = ELF64_ST_INFO(STB_GLOBAL, cases[i].type);
		m.symbol[3].st_shndx = (Elf64_Section)cases[i].section;
		m.index[3] = cases[i].index;
		assert_int_equal(read_image(&r, &m), 0);
		assert_int_equal(table_finish(&r.table), 0);
		found = table_function(&r.table, 4096 + 16 * 3 + 5);
		if (!!found != cases[i].shown || (found && strcmp(found->name, "d") != 0))
			fail_msg("line %d: %s", cases[i].line,
				 found ? found->name : "not shown");
		assert_string_equal(table_function(&r.table, 4096 + 16 * 4)->name, "e");
		finish(&r);
	}
}

/* The name of a file belongs to the local symbols behind it, up to the next name. */
static void local_symbols_have_their_source_file(void **state)
{
	const struct symbol *found;
	struct image m;
	struct read r;

	(void)state;
	make(&m);
	m.symbol[1].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FILE);
	m.symbol[1].st_shndx = SHN_ABS;
	m.symbol[2].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
	m.symbol[3].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FILE);
	m.symbol[3].st_shndx = SHN_ABS;
	m.symbol[3].st_name = sizeof(m.names);
	m.symbol[4].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
	assert_int_equal(read_image(&r, &m), 0);
	assert_int_equal(table_finish(&r.table), 0);
	found = table_function(&r.table, 4096 + 16 * 2);
	assert_string_equal(found->name, "c");
	assert_string_equal(found->unit, "b");
	/* a name that is not in the file is no name */
	assert_null(table_function(&r.table, 4096 + 16 * 4)->unit);
	/* a global symbol has none */
	assert_string_equal(table_function(&r.table, 4096 + 16 * 5)->name, "f");
	assert_null(table_function(&r.table, 4096 + 16 * 5)->unit);
	finish(&r);
}

static void segments_beyond_the_file_are_malformed(void **state)
{
	struct image m;
	struct read r;

	(void)state;
	make(&m);
	m.header.e_phoff = UINT64_MAX - 64;
	assert_int_equal(read_image(&r, &m), -1);
	assert_int_equal(errno, ENOEXEC);
	finish(&r);
}

/* Section 0, which does not exist, would have the index of the names. */
static void a_file_may_have_no_sections(void **state)
{
	struct image m;
	struct read r;

	(void)state;
	make(&m);
	m.header.e_shoff = 0;
	m.header.e_shnum = 0;
	m.header.e_shstrndx = SHN_XINDEX;
	assert_int_equal(read_image(&r, &m), 0);
	assert_int_equal(r.file.nsegments, 1);
	assert_int_equal(r.table.n, 0);
	finish(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_of_code_are_shown),
		cmocka_unit_test(local_symbols_have_their_source_file),
		cmocka_unit_test(segments_beyond_the_file_are_malformed),
		cmocka_unit_test(a_file_may_have_no_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
