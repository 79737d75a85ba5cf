#include "engine/breakpoint.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	int line;
	const char *name, *symbol; /* symbol NULL: an address */
	uint64_t address, length;
	int has_length;
	enum engine_access access;
	const char *refusal; /* NULL: accepted */
} cases[] = {
	{__LINE__, "mem:0x1000", NULL, 0x1000, 0, 0, ENGINE_ANY, NULL},
	{__LINE__, "mem:16/2:rw", NULL, 16, 2, 1, ENGINE_READ_WRITE, NULL},
	{__LINE__, "mem:hit", "hit", 0, 0, 0, ENGINE_ANY, NULL},
	{__LINE__, "mem:hit:x", "hit", 0, 0, 0, ENGINE_EXECUTE, NULL},
	{__LINE__, "mem:_hit/8:w", "_hit", 0, 8, 1, ENGINE_WRITE, NULL},
	{__LINE__, "mem:hit.part.0:r", "hit.part.0", 0, 0, 0, ENGINE_READ, NULL},
	{__LINE__, "mem:a1/0x4", "a1", 0, 4, 1, ENGINE_ANY, NULL},
	{__LINE__, "mem:read@plt", "read@plt", 0, 0, 0, ENGINE_ANY, NULL},
	{__LINE__, "mem:\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9", 0, 0, 0, ENGINE_ANY,
	 NULL},
	{__LINE__, "mem:", NULL, 0, 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem:-hit", NULL, 0, 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem::x", NULL, 0, 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem:0xffffffffffffffff", NULL, UINT64_MAX, 0, 0, ENGINE_ANY, NULL},
	{__LINE__, "mem:0x10000000000000000", NULL, 0, 0, 0, 0, "no 64-bit address"},
	{__LINE__, "mem:hit/99999999999999999999", NULL, 0, 0, 0, 0, "no length after"},
	{__LINE__, "mem:hit/w", NULL, 0, 0, 0, 0, "no length after '/'"},
	{__LINE__, "mem:hit/8w", NULL, 0, 0, 0, 0, "unexpected 'w' at the end"},
	{__LINE__, "mem:hit:y", NULL, 0, 0, 0, 0, "unknown access 'y'"},
};

static int is_symbol(const struct breakpoint *b, const char *symbol)
{
	if (!symbol || !b->symbol)
		return !symbol && !b->symbol;
	return b->symbol_size == strlen(symbol) &&
	       memcmp(b->symbol, symbol, b->symbol_size) == 0;
}

static void parses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct breakpoint b;
		struct why why = {""};
		errno = 0;
		const int rc = breakpoint_parse(cases[i].name, &b, &why);
		const int good = cases[i].refusal
					 ? rc == -1 && errno == EINVAL &&
						   strstr(why.text, cases[i].refusal)
					 : rc == 0 && is_symbol(&b, cases[i].symbol) &&
						   b.address == cases[i].address &&
						   b.length == cases[i].length &&
						   b.has_length == cases[i].has_length &&
						   b.access == cases[i].access;
		if (!good)
			fail_msg("line %d: rc %d, '%s'", cases[i].line, rc, why.text);
	}
}

static void recognizes_names(void **state)
{
	(void)state;
	assert_true(breakpoint_is("mem:"));
	assert_true(breakpoint_is("mem:0x10:x"));
	assert_false(breakpoint_is("mem"));
	assert_false(breakpoint_is("MEM_INST_RETIRED:ANY"));
	assert_true(breakpoint_is_named("mem:hit:x"));
	assert_true(breakpoint_is_named("mem:_Z1fv"));
	assert_false(breakpoint_is_named("mem:0x10:x"));
	assert_false(breakpoint_is_named("mem:"));
	assert_false(breakpoint_is_named("hit"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses),
		cmocka_unit_test(recognizes_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
