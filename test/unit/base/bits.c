#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "itanium2/registers.h"

static const struct bits_layout some = {(const struct bits_field[]){
	{"low", 0, 4},
	{"one", 4, 1},
	{"high", 32, 32},
	{0},
}};
static const struct bits_layout whole = {
	(const struct bits_field[]){{"all", 0, 64}, {0}}};

static const struct {
	int line;
	const struct bits_layout *l;
	const char *name;
	uint64_t reg, v, put,
		got; /* put: reg with v in the field; got: the field of put */
} cases[] = {
	{__LINE__, &some, "low", 0, 5, 5, 5},
	{__LINE__, &some, "low", 0xff, 0, 0xf0, 0},
	{__LINE__, &some, "low", 0, 0x15, 5, 5},
	{__LINE__, &some, "one", 0, 1, 0x10, 1},
	{__LINE__, &some, "one", 0xff, 2, 0xef, 0},
	{__LINE__, &some, "high", 0xff, UINT64_MAX, UINT64_C(0xffffffff000000ff),
	 UINT32_MAX},
	{__LINE__, &some, "no", 0xff, 1, 0xff, 0},
	{__LINE__, &whole, "all", 1, UINT64_MAX, UINT64_MAX, UINT64_MAX},
	{__LINE__, &whole, "all", UINT64_MAX, 0, 0, 0},
};

static void test_table(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		const uint64_t put =
			bits_put(cases[c].l, cases[c].reg, cases[c].name, cases[c].v);
		const uint64_t got = bits_get(cases[c].l, put, cases[c].name);

		if (put != cases[c].put || got != cases[c].got)
			fail_msg("line %d: %#llx, %#llx", cases[c].line,
				 (unsigned long long)put, (unsigned long long)got);
	}
}

/* Each name occurs once, and no bit is in two fields. */
static void check_layout(const struct bits_layout *l)
{
	uint64_t seen = 0;

	assert_non_null(l->field->name);
	for (const struct bits_field *f = l->field; f->name; f++) {
		const uint64_t bits = bits_field_put(f, 0, UINT64_MAX);

		assert_in_range(f->bits, 1, 64 - f->low);
		assert_int_equal(seen & bits, 0);
		seen |= bits;
		for (const struct bits_field *g = l->field; g < f; g++)
			assert_string_not_equal(f->name, g->name);
	}
}

static void test_itanium2(void **state)
{
	static const struct bits_layout *const pmd[] = {
		&ita2_pmd0_layout, &ita2_pmd1_layout,  &ita2_pmd3_layout,
		&ita2_pmd8_layout, &ita2_pmd16_layout, &ita2_pmd17_layout};
	unsigned pmcs = 0, debug = 0;

	(void)state;
	for (unsigned n = 0; n < 20; n++) {
		const struct bits_layout *of[] = {ita2_pmc_layout(n, 0),
						  ita2_debug_layout(n)};

		pmcs += of[0] != NULL;
		debug += of[1] != NULL;
		for (unsigned k = 0; k < 2; k++)
			if (of[k])
				check_layout(of[k]);
	}
	for (size_t i = 0; i < sizeof(pmd) / sizeof(*pmd); i++)
		check_layout(pmd[i]);
	check_layout(&ita2_iear_cache_layout);
	assert_int_equal(pmcs, 12);
	assert_int_equal(debug, 8);
	assert_null(ita2_pmc_layout(3, 0));
	assert_ptr_equal(ita2_pmc_layout(10, 0x3fc8), &ita2_iear_cache_layout);
	assert_ptr_equal(ita2_pmc_layout(10, 0xe8), &ita2_iear_tlb_layout);
	assert_ptr_equal(ita2_debug_layout(0), &ita2_debug_addr_layout);
	assert_ptr_equal(ita2_debug_layout(7), &ita2_debug_mask_layout);
}

/* PMC4 is 0x1228 for CPU_CYCLES in user mode. */
static void test_counter(void **state)
{
	static const struct {
		const char *field;
		uint64_t value;
	} want[] = {{"plm", 8}, {"oi", 1}, {"es", 0x12}, {"pm", 0}, {"ism", 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_int_equal(
			bits_get(ita2_pmc_layout(4, 0x1228), 0x1228, want[i].field),
			want[i].value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_itanium2),
		cmocka_unit_test(test_counter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
