#include "symbols/maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Modules are told apart by their addresses alone. */
static char names[] = "abc";

static struct module *module(char name)
{
	return (struct module *)&names[name - 'a'];
}

/* Mappings "START END OFFSET MODULE", in this order, and the list that results. */
static const struct {
	int line;
	struct {
		uint64_t start, end, offset;
		char name;
	} add[4];
	const char *text;
} adds[] = {
	{__LINE__, {{0}}, ""},
	{__LINE__, {{10, 20, 0, 'a'}}, "a 10-20+0 "},
	{__LINE__, {{30, 40, 0, 'b'}, {10, 20, 5, 'a'}}, "a 10-20+5 b 30-40+0 "},
	{__LINE__, {{10, 20, 0, 'a'}, {20, 30, 0, 'b'}}, "a 10-20+0 b 20-30+0 "},
	/* a new mapping in, before, behind, over an older one */
	{__LINE__,
	 {{10, 40, 0, 'a'}, {20, 30, 7, 'b'}},
	 "a 10-20+0 b 20-30+7 a 30-40+20 "},
	{__LINE__, {{10, 40, 0, 'a'}, {0, 30, 7, 'b'}}, "b 0-30+7 a 30-40+20 "},
	{__LINE__, {{10, 40, 0, 'a'}, {10, 30, 7, 'b'}}, "b 10-30+7 a 30-40+20 "},
	{__LINE__, {{10, 40, 3, 'a'}, {30, 40, 7, 'b'}}, "a 10-30+3 b 30-40+7 "},
	{__LINE__, {{10, 40, 0, 'a'}, {30, 60, 7, 'b'}}, "a 10-30+0 b 30-60+7 "},
	{__LINE__, {{10, 40, 0, 'a'}, {10, 40, 7, 'b'}}, "b 10-40+7 "},
	{__LINE__, {{10, 40, 0, 'a'}, {0, 50, 7, 'b'}}, "b 0-50+7 "},
	{__LINE__,
	 {{10, 20, 0, 'a'}, {30, 40, 1, 'b'}, {15, 35, 2, 'c'}},
	 "a 10-15+0 c 15-35+2 b 35-40+6 "},
	{__LINE__,
	 {{10, 20, 0, 'a'}, {20, 30, 1, 'b'}, {0, 40, 2, 'c'}, {50, 60, 0, 'a'}},
	 "c 0-40+2 a 50-60+0 "},
	{__LINE__, {{10, 40, 0, 'a'}, {20, 20, 0, 'b'}, {30, 25, 0, 'b'}}, "a 10-40+0 "},
};

static void add(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(adds) / sizeof(*adds); i++) {
		struct maps m = {0};
		char text[200] = "";

		for (int k = 0; k < 4 && adds[i].add[k].name; k++)
			assert_int_equal(
				maps_add(&m,
					 &(struct mapping){
						 .start = adds[i].add[k].start,
						 .end = adds[i].add[k].end,
						 .offset = adds[i].add[k].offset,
						 .module = module(adds[i].add[k].name)}),
				0);
		for (size_t k = 0; k < m.n; k++)
			sprintf(text + strlen(text), "%c %d-%d+%d ",
				*(char *)m.list[k].module, (int)m.list[k].start,
				(int)m.list[k].end, (int)m.list[k].offset);
		if (strcmp(text, adds[i].text) != 0)
			fail_msg("line %d: %s", adds[i].line, text);
		maps_free(&m);
	}
}

static void find(void **state)
{
	struct maps m = {0};

	(void)state;
	assert_null(maps_find(&m, 0));
	assert_int_equal(maps_add(&m, &(struct mapping){.start = 10,
							.end = 20,
							.module = module('a')}),
			 0);
	assert_int_equal(maps_add(&m, &(struct mapping){.start = 30,
							.end = 40,
							.module = module('b')}),
			 0);
	assert_null(maps_find(&m, 9));
	assert_ptr_equal(maps_find(&m, 10)->module, module('a'));
	assert_ptr_equal(maps_find(&m, 19)->module, module('a'));
	assert_null(maps_find(&m, 20));
	assert_ptr_equal(maps_find(&m, 39)->module, module('b'));
	assert_null(maps_find(&m, UINT64_MAX));
	maps_free(&m);
}

/* Lines of /proc/PID/maps; the text has the numbers in decimal, or "" for a bad line. */
static const struct {
	int line;
	const char *maps, *text;
} lines[] = {
	{__LINE__, "10-20 r-xp 00001000 fe:00 247498      /usr/bin/a",
	 "16-32+4096 /usr/bin/a"},
	{__LINE__, "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]",
	 "18446744073699065856-18446744073699069952+0 [vsyscall]"},
	{__LINE__, "10-20 rw-p 00000000 00:00 0 ", "16-32+0 "},
	{__LINE__, "10-20 rw-p 00000000 00:00 0", "16-32+0 "},
	{__LINE__, "10-20 r-xp 0 00:00 7 /a b  c (deleted)", "16-32+0 /a b  c (deleted)"},
	{__LINE__, "10-20 r-xp 0 00:00 7 /a\\012b\\134", "16-32+0 /a\nb\\134"},
	{__LINE__, "", ""},
	{__LINE__, "10", ""},
	{__LINE__, "10-", ""},
	{__LINE__, "10-20", ""},
	{__LINE__, "10-20 r-xp", ""},
	{__LINE__, "10-20 r-xp 0", ""},
	{__LINE__, "10-20 r-xp 0 00:00 ", ""},
	{__LINE__, "10-20 r-xp x 00:00 7 /a", ""},
	{__LINE__, "-10-20 r-xp 0 00:00 7 /a", ""},
	{__LINE__, " 10-20 r-xp 0 00:00 7 /a", ""},
	{__LINE__, "10--20 r-xp 0 00:00 7 /a", ""},
	{__LINE__, "Size:      4 kB", ""},
	{__LINE__, "10-20 r-xp 0 00:00 7 /a/path/of/more/than/31/characters", ""},
};

static void parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		char path[32], text[100] = "";
		struct mapping m;

		if (!maps_parse(lines[i].maps, &m, path, sizeof(path)))
			snprintf(text, sizeof(text), "%ju-%ju+%ju %s", (uintmax_t)m.start,
				 (uintmax_t)m.end, (uintmax_t)m.offset, path);
		if (strcmp(text, lines[i].text) != 0)
			fail_msg("line %d: %s", lines[i].line, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(add),
		cmocka_unit_test(find),
		cmocka_unit_test(parse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
