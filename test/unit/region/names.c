/* Which names of regions need not be compared byte by byte. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "region/names.h"

static const char constant[] = "solve";
static char variable[] = "solve";
static char zeroes[8];

static void knows_the_programs_constants(void **state)
{
	char on_stack[] = "solve";
	char *on_heap = strdup("solve");

	(void)state;
	assert_non_null(on_heap);
	assert_true(region_name_is_constant("a literal"));
	assert_true(region_name_is_constant(constant));
	assert_false(region_name_is_constant(variable));
	assert_false(region_name_is_constant(zeroes));
	assert_false(region_name_is_constant(on_stack));
	assert_false(region_name_is_constant(on_heap));
	free(on_heap);
}

/* A library can be unmapped, and another string mapped there. */
static void does_not_take_a_librarys_constants(void **state)
{
	Dl_info program, info;
	const char *text = strerror(2);

	(void)state;
	assert_true(dladdr((void *)(uintptr_t)constant, &program));
	if (dladdr(text, &info) && info.dli_fbase != program.dli_fbase)
		assert_false(region_name_is_constant(text));
	else
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_the_programs_constants),
		cmocka_unit_test(does_not_take_a_librarys_constants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
