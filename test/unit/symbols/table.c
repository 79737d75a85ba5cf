#include "symbols/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Two symbols of the same range, and the name that is shown. */
static const struct {
	int line;
	struct symbol symbol[2];
	const char *shown;
} cases[] = {
	{__LINE__,
	 {{.name = "label", .kind = SYMBOL_LABEL, .binding = SYMBOL_GLOBAL},
	  {.name = "function", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_LOCAL}},
	 "function"},
	{__LINE__,
	 {{.name = "global", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_GLOBAL},
	  {.name = "weak", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_WEAK}},
	 "global"},
	{__LINE__,
	 {{.name = "read", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_WEAK},
	  {.name = "__read", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_WEAK}},
	 "read"},
	{__LINE__,
	 {{.name = "longer", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_WEAK},
	  {.name = "short", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_WEAK}},
	 "short"},
	{__LINE__,
	 {{.name = "b", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_WEAK},
	  {.name = "a", .kind = SYMBOL_FUNCTION, .binding = SYMBOL_WEAK}},
	 "a"},
};

static void the_better_name_is_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (int first = 0; first < 2; first++) {
			struct table t = {0};

			for (int k = 0; k < 2; k++) {
				struct symbol s = cases[i].symbol[k ^ first];

				s.start = 4096;
				s.size = 16;
				assert_int_equal(table_add(&t, &s), 0);
			}
			assert_int_equal(table_finish(&t), 0);
			assert_non_null(table_function(&t, 4100));
			if (strcmp(table_function(&t, 4100)->name, cases[i].shown) != 0)
				fail_msg("line %d: %s is shown", cases[i].line,
					 table_function(&t, 4100)->name);
			table_free(&t);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_better_name_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
