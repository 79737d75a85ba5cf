#include "symbols/linetable.h"

#include <dwarf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bytes.h"

/* Append a string. Tables have the layout of DWARF 5, section 6.2.4. */
static void put_string(struct bytes *b, const char *s)
{
	memcpy(b->byte + b->n, s, strlen(s) + 1);
	b->n += strlen(s) + 1;
}

enum { OPCODES = 13 };

static void put_parameters(struct bytes *b, unsigned version, unsigned ops)
{
	static const uint8_t lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};

	put(b, 4, 1); /* bytes of the smallest instruction */
	if (version >= 4)
		put(b, ops, 1);
	put(b, 1, 1);	 /* default of is_stmt */
	put(b, 0xfd, 1); /* line base -3 */
	put(b, 12, 1);	 /* line range */
	put(b, OPCODES, 1);
	for (unsigned i = 0; i < sizeof(lengths); i++)
		put(b, lengths[i], 1);
}

/* Append "set the address to 4096". */
static void put_address(struct bytes *b)
{
	put(b, 0, 1);
	put(b, 9, 1);
	put(b, DW_LNE_set_address, 1);
	put(b, 4096, 8);
}

static void put_end(struct bytes *b)
{
	put(b, 0, 1);
	put(b, 1, 1);
	put(b, DW_LNE_end_sequence, 1);
}

/* Begin a table of version 4 with the file a.c; returns where its header begins. */
static size_t begin_4(struct bytes *b, unsigned ops)
{
	put(b, 0, 4);
	put(b, 4, 2);

	const size_t header = b->n;

	put(b, 0, 4);
	put_parameters(b, 4, ops);
	put(b, 0, 1); /* no folders */
	put_string(b, "a.c");
	put(b, 0, 3); /* folder 0, time, size */
	put(b, 0, 1);
	end(b, header);
	return header;
}

static struct section section_of(const struct bytes *b)
{
	return (struct section){b->byte, b->n, 0};
}

struct tested {
	struct source_lines lines;
	struct linetable t;
};

static void begin(struct tested *x, const struct bytes *b)
{
	*x = (struct tested){0};
	x->t.line = section_of(b);
	x->t.to = &x->lines;
	x->t.names_left = 1000;
}

static void finish(struct tested *x)
{
	linetable_free(&x->t);
	source_free(&x->lines);
}

/* Fails unless a table has these lines from 4096 on, in steps of 4 bytes. */
static void check_lines(const struct bytes *b, const char *file, const unsigned *lines,
			unsigned n)
{
	struct tested x;

	begin(&x, b);
	assert_int_equal(linetable_open(&x.t, 0), 0);
	assert_int_equal(linetable_run(&x.t), 0);
	assert_int_equal(source_finish(&x.lines), 0);
	for (unsigned i = 0; i < n; i++) {
		const struct source_row *row = source_row(&x.lines, 4096 + 4 * i);

		assert_non_null(row);
		assert_int_equal(row->line, lines[i]);
		assert_string_equal(x.lines.names[row->file], file);
	}
	assert_null(source_row(&x.lines, 4096 + 4 * n));
	finish(&x);
}

static void put_copy_of_line(struct bytes *b, unsigned step)
{
	put(b, DW_LNS_advance_line, 1);
	put(b, step, 1);
	put(b, DW_LNS_copy, 1);
}

static void a_fixed_advance_takes_two_bytes(void **state)
{
	struct bytes b = {0};

	(void)state;
	begin_4(&b, 1);
	put_address(&b);
	put_copy_of_line(&b, 9);
	put(&b, DW_LNS_fixed_advance_pc, 1);
	put(&b, 4, 2);
	put_copy_of_line(&b, 1);
	put(&b, DW_LNS_advance_pc, 1);
	put(&b, 1, 1);
	put_end(&b);
	end(&b, 0);
	check_lines(&b, "a.c", (const unsigned[]){10, 11}, 2);
}

/* Two operations have one address: an instruction of a VLIW machine has both. */
static void operations_share_an_instruction(void **state)
{
	struct bytes b = {0};

	(void)state;
	begin_4(&b, 2);
	put_address(&b);
	put_copy_of_line(&b, 9);
	put(&b, DW_LNS_advance_pc, 1);
	put(&b, 3, 1); /* to the second operation of the instruction at 4100 */
	put_copy_of_line(&b, 1);
	put(&b, DW_LNS_advance_pc, 1);
	put(&b, 1, 1);
	put_end(&b);
	end(&b, 0);
	check_lines(&b, "a.c", (const unsigned[]){10, 11}, 2);
}

static void a_program_may_define_a_file(void **state)
{
	struct bytes b = {0};

	(void)state;
	begin_4(&b, 1);
	put_address(&b);
	put(&b, 0, 1);
	put(&b, 1 + 4 + 3, 1);
	put(&b, DW_LNE_define_file, 1);
	put_string(&b, "b.c");
	put(&b, 0, 3);
	put(&b, DW_LNS_set_file, 1);
	put(&b, 2, 1);
	put_copy_of_line(&b, 6);
	put(&b, DW_LNS_advance_pc, 1);
	put(&b, 1, 1);
	put_end(&b);
	end(&b, 0);
	check_lines(&b, "b.c", (const unsigned[]){7}, 1);
}

/* A table of version 5: its folders and files have values of all forms. */
static void put_5(struct bytes *b, size_t *header)
{
	static const uint8_t forms[][2] = {
		{DW_LNCT_path, DW_FORM_strp},  {DW_LNCT_directory_index, DW_FORM_data2},
		{DW_LNCT_size, DW_FORM_data4}, {DW_LNCT_timestamp, DW_FORM_data8},
		{DW_LNCT_MD5, DW_FORM_data16}, {0x20, DW_FORM_block},
	};

	put(b, 5, 2);
	put(b, 8, 1); /* bytes of an address */
	put(b, 0, 1);
	*header = b->n;
	put(b, 0, 4);
	put_parameters(b, 5, 1);
	put(b, 1, 1); /* a folder has one value */
	put(b, DW_LNCT_path, 1);
	put(b, DW_FORM_string, 1);
	put(b, 1, 1);
	put_string(b, "/src");
	put(b, sizeof(forms) / sizeof(*forms), 1);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		put(b, forms[i][0], 1);
		put(b, forms[i][1], 1);
	}
	put(b, 1, 1); /* one file */
	put(b, 3, 4); /* its name is at 3 of .debug_str */
	put(b, 0, 2);
	put(b, 1, 4);
	put(b, 2, 8);
	put(b, 0, 8);
	put(b, 0, 8);
	put(b, 2, 1); /* a block of two bytes */
	put(b, 0, 2);
	end(b, *header);
}

static const struct section strings = {(const uint8_t *)"ab\0c.c", 7, 0};

static void values_have_forms(void **state)
{
	struct bytes b = {0};
	struct tested x;
	size_t header;
	uint32_t index;

	(void)state;
	put(&b, 0, 4);
	put_5(&b, &header);
	end(&b, 0);
	begin(&x, &b);
	x.t.str = strings;
	assert_int_equal(linetable_open(&x.t, 0), 0);
	assert_int_equal(linetable_file(&x.t, 0, &index), 0);
	assert_string_equal(x.lines.names[index], "/src/c.c");
	assert_int_equal(linetable_file(&x.t, 1, &index), 0);
	assert_int_equal(index, SOURCE_NONE);
	finish(&x);
}

/* DWARF of 64 bits: the length begins with 0xffffffff, and offsets have 8 bytes. */
static void lengths_have_64_bits(void **state)
{
	struct bytes b = {0};
	struct tested x;

	(void)state;
	put(&b, 0xffffffff, 4);
	put(&b, 2 + 8 + 17 + 2, 8);
	put(&b, 3, 2);
	put(&b, 17 + 2, 8);
	put_parameters(&b, 3, 1);
	put(&b, 0, 2); /* no folders, no files */
	begin(&x, &b);
	assert_int_equal(linetable_open(&x.t, 0), 0);
	assert_int_equal(x.t.size, b.n);
	assert_int_equal(x.t.version, 3);
	assert_int_equal(linetable_run(&x.t), 0);
	finish(&x);
}

/* A folder with a path that is not absolute, and a file whose folder is not known. */
static void paths_have_folders(void **state)
{
	struct bytes b = {0};
	struct tested x;
	uint32_t index;

	(void)state;
	put(&b, 0, 4);
	put(&b, 3, 2);
	put(&b, 0, 4);
	put_parameters(&b, 3, 1);
	put_string(&b, "inc");
	put(&b, 0, 1);
	for (unsigned dir = 0; dir < 3; dir++) {
		put_string(&b, "a.h");
		put(&b, dir, 1);
		put(&b, 0, 2);
	}
	put_string(&b, "/abs.h");
	put(&b, 0, 4);
	end(&b, 6);
	end(&b, 0);
	begin(&x, &b);
	x.t.comp_dir = "/build";
	assert_int_equal(linetable_open(&x.t, 0), 0);
	static const char *const paths[] = {"/build/a.h", "/build/inc/a.h", "a.h",
					    "/abs.h"};
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(linetable_file(&x.t, i + 1, &index), 0);
		assert_string_equal(x.lines.names[index], paths[i]);
	}
	finish(&x);
}

static void names_have_a_limit(void **state)
{
	struct bytes b = {0};
	struct tested x;
	uint32_t index;

	(void)state;
	begin_4(&b, 1);
	end(&b, 0);
	begin(&x, &b);
	x.t.names_left = 2;
	assert_int_equal(linetable_open(&x.t, 0), 0);
	errno = 0;
	assert_int_equal(linetable_file(&x.t, 1, &index), -1);
	assert_int_equal(errno, ENOEXEC);
	finish(&x);
}

/* A byte of the table of put_5() or begin_4() is changed, or bytes are cut off. */
static const struct {
	int line;
	int version;
	size_t at;
	uint8_t byte;
	size_t cut;
} damages[] = {
	{__LINE__, 4, 0, 0xff, 0},  /* the table is longer than its section */
	{__LINE__, 4, 4, 1, 0},	    /* version 1 */
	{__LINE__, 4, 4, 6, 0},	    /* version 6 */
	{__LINE__, 4, 6, 0xff, 0},  /* the header is longer than the table */
	{__LINE__, 4, 14, 0, 0},    /* the range of lines is 0 */
	{__LINE__, 4, 0, 0, 1},	    /* a byte of the table is missing */
	{__LINE__, 5, 30, 17, 0},   /* more values than any table has */
	{__LINE__, 5, 30, 0, 0},    /* folders without a value */
	{__LINE__, 5, 32, 0x7f, 0}, /* an unknown form */
};

static void damages_are_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		struct bytes b = {0};
		struct tested x;
		size_t header;

		if (damages[i].version == 4) {
			begin_4(&b, 1);
		} else {
			put(&b, 0, 4);
			put_5(&b, &header);
			assert_int_equal(b.byte[30], 1);
		}
		end(&b, 0);
		if (damages[i].cut)
			b.n -= damages[i].cut;
		else
			b.byte[damages[i].at] = damages[i].byte;
		begin(&x, &b);
		x.t.str = strings;
		errno = 0;
		if (linetable_open(&x.t, 0) != -1 || errno != ENOEXEC)
			fail_msg("line %d: the damage is not found", damages[i].line);
		finish(&x);
	}
}

/* Extended opcodes: one without bytes, and a file whose name does not end. */
static void damaged_programs_end(void **state)
{
	static const uint8_t programs[][5] = {
		{0, 0}, {0, 9, DW_LNE_end_sequence}, {0, 2, DW_LNE_define_file, 'a'}};

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		struct bytes b = {0};
		struct tested x;

		begin_4(&b, 1);
		for (unsigned k = 0; k < (i == 2 ? 4 : 3); k++)
			put(&b, programs[i][k], 1);
		end(&b, 0);
		begin(&x, &b);
		assert_int_equal(linetable_open(&x.t, 0), 0);
		errno = 0;
		assert_int_equal(linetable_run(&x.t), -1);
		assert_int_equal(errno, ENOEXEC);
		finish(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fixed_advance_takes_two_bytes),
		cmocka_unit_test(operations_share_an_instruction),
		cmocka_unit_test(a_program_may_define_a_file),
		cmocka_unit_test(values_have_forms),
		cmocka_unit_test(lengths_have_64_bits),
		cmocka_unit_test(paths_have_folders),
		cmocka_unit_test(names_have_a_limit),
		cmocka_unit_test(damages_are_found),
		cmocka_unit_test(damaged_programs_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
