#include "symbols/symbols.h"

#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes.h"
#include "symbols/source.h"

enum { ABBREV, INFO, LINE, STR, CONTENTS };

static const char names[] = "\0.debug_abbrev\0.debug_info\0.debug_line\0.debug_str";
static const unsigned name_of[CONTENTS] = {1, 15, 27, 39};

static uint32_t type_of_strings = SHT_PROGBITS;

/* Write an ELF file with the sections that are not empty. Returns its descriptor. */
static int write_elf(const struct bytes *content)
{
	const int fd = memfd_create("lines", MFD_CLOEXEC);
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = CONTENTS + 2,
		.e_shstrndx = 1,
	};
	Elf64_Shdr section[CONTENTS + 2] = {0};
	size_t at = sizeof(header);

	section[1] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB, .sh_offset = at, .sh_size = sizeof(names)};
	assert_int_equal(pwrite(fd, names, sizeof(names), (off_t)at), sizeof(names));
	at += sizeof(names);
	for (unsigned i = 0; i < CONTENTS; i++) {
		section[2 + i] = (Elf64_Shdr){.sh_name = name_of[i],
					      .sh_type = !content[i].n ? SHT_NULL
							 : i == STR    ? type_of_strings
								       : SHT_PROGBITS,
					      .sh_offset = at,
					      .sh_size = content[i].n};
		assert_int_equal(pwrite(fd, content[i].byte, content[i].n, (off_t)at),
				 content[i].n);
		at += content[i].n;
	}
	header.e_shoff = (at + 7) & ~(size_t)7;
	assert_int_equal(pwrite(fd, section, sizeof(section), (off_t)header.e_shoff),
			 sizeof(section));
	assert_int_equal(pwrite(fd, &header, sizeof(header), 0), sizeof(header));
	return fd;
}

/* Reads the lines of a file with these sections. Returns the result, with errno. */
static int read_lines(const struct bytes *content, struct source_lines *s)
{
	const int fd = write_elf(content);

	*s = (struct source_lines){0};
	errno = 0;
	const int result = symbols_lines(fd, s);
	const int error = errno;

	close(fd);
	errno = error;
	return result;
}

enum { UNIT = 1, FUNCTION, INLINED };

static void put_abbreviation(struct bytes *b, unsigned code, unsigned tag, int children,
			     const uint8_t (*attribute)[2], size_t n)
{
	put(b, code, 1);
	put(b, tag, 1);
	put(b, (unsigned)children, 1);
	for (size_t i = 0; i < n; i++) {
		put(b, attribute[i][0], 1);
		put(b, attribute[i][1], 1);
	}
	put(b, 0, 2);
}

static void put_abbreviations(struct bytes *b)
{
	static const uint8_t unit[][2] = {{DW_AT_stmt_list, DW_FORM_sec_offset}};
	static const uint8_t function[][2] = {{DW_AT_name, DW_FORM_strp},
					      {DW_AT_low_pc, DW_FORM_addr},
					      {DW_AT_high_pc, DW_FORM_data1}};
	static const uint8_t inlined[][2] = {{DW_AT_low_pc, DW_FORM_addr},
					     {DW_AT_high_pc, DW_FORM_data1},
					     {DW_AT_call_file, DW_FORM_data1}};

	put_abbreviation(b, UNIT, DW_TAG_compile_unit, 1, unit, 1);
	put_abbreviation(b, FUNCTION, DW_TAG_subprogram, 1, function, 3);
	put_abbreviation(b, INLINED, DW_TAG_inlined_subroutine, 0, inlined, 3);
	put(b, 0, 1);
}

/* Begin a unit, whose line table is the first one. Returns where its length is. */
static size_t begin_unit(struct bytes *b)
{
	const size_t at = b->n;

	put(b, 0, 4);
	put(b, 4, 2); /* version */
	put(b, 0, 4); /* of the abbreviations */
	put(b, 8, 1); /* bytes of an address */
	put(b, UNIT, 1);
	put(b, 0, 4);
	return at;
}

/* Append a function of 16 bytes at an address, without the end of its children. */
static void put_function(struct bytes *b, unsigned name, uint64_t address)
{
	put(b, FUNCTION, 1);
	put(b, name, 4);
	put(b, address, 8);
	put(b, 16, 1);
}

/* A line table of version 4 with the file 1, "a". */
static void put_line_table(struct bytes *b)
{
	static const uint8_t lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};

	put(b, 0, 4);
	put(b, 4, 2);
	put(b, 0, 4);
	put(b, 0xcfd010101, 5); /* parameters of the program */
	put(b, sizeof(lengths) + 1, 1);
	for (unsigned i = 0; i < sizeof(lengths); i++)
		put(b, lengths[i], 1);
	put(b, 0, 1);
	put(b, 'a', 2);
	put(b, 0, 4);
	end(b, 6);
	end(b, 0);
}

/* Units that share a line table, each with a function and one inlined into it. */
static void put_units(struct bytes *content, unsigned n)
{
	memset(content, 0, CONTENTS * sizeof(*content));
	put_abbreviations(&content[ABBREV]);
	put_line_table(&content[LINE]);
	put(&content[STR], 'f', 2);
	for (unsigned i = 0; i < n; i++) {
		struct bytes *const b = &content[INFO];
		const size_t at = begin_unit(b);

		put_function(b, 0, 4096 + 16 * i);
		put(b, INLINED, 1);
		put(b, 4096 + 16 * i, 8);
		put(b, 4, 1);
		put(b, 1, 1);
		put(b, 0, 2);
		end(b, at);
	}
}

static void units_may_share_a_line_table(void **state)
{
	struct bytes content[CONTENTS];
	struct source_lines s;

	(void)state;
	put_units(content, 15);
	assert_int_equal(read_lines(content, &s), 0);
	for (unsigned i = 0; i < 15; i++) {
		const struct source_function *const f =
			source_function(&s, 4096 + 16 * i);

		assert_non_null(f);
		assert_string_equal(f->call_file, "a");
		assert_string_equal(source_caller(&s, f)->name, "f");
		assert_ptr_equal(source_function(&s, 4096 + 16 * i + 5),
				 source_caller(&s, f));
	}
	source_free(&s);
}

/* Reading one line table again for each of many units would take long. */
static void a_line_table_is_not_read_without_end(void **state)
{
	struct bytes content[CONTENTS];
	struct source_lines s;

	(void)state;
	put_units(content, 40);
	assert_int_equal(read_lines(content, &s), -1);
	assert_int_equal(errno, ENOEXEC);
	source_free(&s);
}

/* n functions, whose names are the ends of one string, each one byte shorter. */
static void put_names(struct bytes *content, unsigned n)
{
	struct bytes *const b = &content[INFO];

	memset(content, 0, CONTENTS * sizeof(*content));
	put_abbreviations(&content[ABBREV]);
	memset(content[STR].byte, 'f', 500);
	content[STR].n = 501;

	const size_t at = begin_unit(b);

	for (unsigned i = 0; i < n; i++) {
		put_function(b, i, 4096 + 16 * i);
		put(b, 0, 1);
	}
	put(b, 0, 1);
	end(b, at);
}

static void names_may_end_alike(void **state)
{
	struct bytes content[CONTENTS];
	struct source_lines s;

	(void)state;
	put_names(content, 2);
	assert_int_equal(read_lines(content, &s), 0);
	assert_int_equal(strlen(source_function(&s, 4096)->name), 500);
	assert_int_equal(strlen(source_function(&s, 4096 + 16)->name), 499);
	source_free(&s);
}

/* Behind the section there are other bytes of the file. */
static void a_name_that_its_section_cuts_off_is_none(void **state)
{
	struct bytes content[CONTENTS];
	struct source_lines s;

	(void)state;
	put_names(content, 2);
	content[STR].n--;
	assert_int_equal(read_lines(content, &s), 0);
	assert_non_null(source_function(&s, 4096));
	assert_null(source_function(&s, 4096)->name);
	source_free(&s);
}

/* Libelf converts notes into a copy. */
static void sections_of_other_types_are_malformed(void **state)
{
	struct bytes content[CONTENTS];
	struct source_lines s;

	(void)state;
	put_names(content, 2);
	type_of_strings = SHT_NOTE;
	assert_int_equal(read_lines(content, &s), -1);
	type_of_strings = SHT_PROGBITS;
	assert_int_equal(errno, ENOEXEC);
	source_free(&s);
}

static void names_do_not_take_memory_without_end(void **state)
{
	struct bytes content[CONTENTS];
	struct source_lines s;

	(void)state;
	put_names(content, 20);
	assert_int_equal(read_lines(content, &s), -1);
	assert_int_equal(errno, ENOEXEC);
	source_free(&s);
}

static void abbreviations_without_end_are_malformed(void **state)
{
	struct bytes content[CONTENTS];
	struct source_lines s;

	(void)state;
	put_names(content, 2);
	content[ABBREV].n--;
	assert_int_equal(read_lines(content, &s), -1);
	assert_int_equal(errno, ENOEXEC);
	source_free(&s);
}

static void a_file_without_debug_information_is_refused(void **state)
{
	struct bytes content[CONTENTS] = {0};
	struct source_lines s;

	(void)state;
	assert_int_equal(read_lines(content, &s), -1);
	assert_int_equal(errno, ENOEXEC);
	source_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_may_share_a_line_table),
		cmocka_unit_test(a_line_table_is_not_read_without_end),
		cmocka_unit_test(names_may_end_alike),
		cmocka_unit_test(a_name_that_its_section_cuts_off_is_none),
		cmocka_unit_test(sections_of_other_types_are_malformed),
		cmocka_unit_test(names_do_not_take_memory_without_end),
		cmocka_unit_test(abbreviations_without_end_are_malformed),
		cmocka_unit_test(a_file_without_debug_information_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
