#include "base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	int line;
	const char *want;
	const char *offer[6];
	const char *text;
} cases[] = {
	/* the kinds of edits, and the limit of a third of the length */
	{__LINE__, "abcdef", {NULL}, ""},
	{__LINE__, "abcdef", {"uvwxyz"}, ""},
	{__LINE__, "abcdef", {"abcdef"}, "did you mean 'abcdef'?"},
	{__LINE__, "abcdef", {"abxyef"}, "did you mean 'abxyef'?"},
	{__LINE__, "abcdef", {"axyzef"}, ""},
	{__LINE__, "abcdef", {"badcef"}, "did you mean 'badcef'?"},
	{__LINE__, "abcdef", {"badcfe"}, ""},
	{__LINE__, "abcdef", {"abcd"}, "did you mean 'abcd'?"},
	{__LINE__, "abcdef", {"abc"}, ""},
	{__LINE__, "ab", {"ax"}, ""},
	{__LINE__, "ab", {"AB"}, "did you mean 'AB'?"},
	{__LINE__, "", {"a"}, ""},
	{__LINE__, "a", {""}, ""},
	/* case and separators are cheap, whatever the length */
	{__LINE__,
	 "dispatch0_br_target",
	 {"Dispatch0_br_target"},
	 "did you mean 'Dispatch0_br_target'?"},
	{__LINE__, "CYCLE_CNT", {"cycle_cnt"}, "did you mean 'cycle_cnt'?"},
	{__LINE__, "L1.dc.loads", {"L1-DC-LOADS"}, "did you mean 'L1-DC-LOADS'?"},
	{__LINE__, "l1_dcache", {"l1-dcache"}, "did you mean 'l1-dcache'?"},
	{__LINE__, "ec_ref", {"dc_ref", "EC_ref"}, "did you mean 'EC_ref' or 'dc_ref'?"},
	{__LINE__,
	 "abcdef",
	 {"BAcdef", "abdcef", "abcdeF"},
	 "did you mean 'abcdeF', 'abdcef' or 'BAcdef'?"},
	/* order: nearest first, the first offered of equals, each name once */
	{__LINE__,
	 "abcdef",
	 {"abcxef", "abcdxf", "abcdex", "xbcdef"},
	 "did you mean 'abcxef', 'abcdxf' or 'abcdex'?"},
	{__LINE__,
	 "abcdef",
	 {"abcxyf", "abcdxf", "abcxyz", "Abcdef", "abxdef"},
	 "did you mean 'Abcdef', 'abcdxf' or 'abxdef'?"},
	{__LINE__,
	 "abcdef",
	 {"abcxef", "abcxef", "abcdef", "abcxef"},
	 "did you mean 'abcdef' or 'abcxef'?"},
	/* names that contain the wanted name come after names that differ little */
	{__LINE__, "miss", {"L2_RQSTS:MISS"}, "did you mean 'L2_RQSTS:MISS'?"},
	{__LINE__, "mis", {"L2_RQSTS:MISS"}, ""},
	{__LINE__,
	 "branch",
	 {"a_lot_of_branches", "branch-instructions", "brunch"},
	 "did you mean 'brunch', 'branch-instructions' or 'a_lot_of_branches'?"},
	{__LINE__, "branch", {"xx_Branch"}, "did you mean 'xx_Branch'?"},
	{__LINE__, "l1_dcache", {"perf::L1-DCACHE"}, "did you mean 'perf::L1-DCACHE'?"},
};

static void test_table(void **state)
{
	char buf[256];

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct nearest s;

		nearest_init(&s, cases[c].want);
		for (size_t i = 0; i < 6 && cases[c].offer[i]; i++)
			nearest_add(&s, cases[c].offer[i]);
		if (strcmp(nearest_text(&s, buf, sizeof(buf)), cases[c].text))
			fail_msg("case of line %d: \"%s\"", cases[c].line, buf);
	}
}

/* The text is cut at every size, and the byte behind the buffer does not change. */
static void test_small_buffers(void **state)
{
	static const char full[] = "did you mean 'abcd', 'abce' or 'abcf'?";
	struct nearest s;

	(void)state;
	nearest_init(&s, "abcx");
	nearest_add(&s, "abcd");
	nearest_add(&s, "abce");
	nearest_add(&s, "abcf");
	for (unsigned size = 0; size <= sizeof(full); size++) {
		char buf[sizeof(full) + 1];

		memset(buf, '#', sizeof(buf));
		assert_ptr_equal(nearest_text(&s, buf, size), buf);
		assert_int_equal(buf[size], '#');
		if (size) {
			assert_int_equal(strlen(buf), size - 1);
			assert_memory_equal(buf, full, size - 1);
		}
	}
}

/* Names of 511 bytes are compared, longer names are ignored. */
static void test_long_names(void **state)
{
	char want[514], name[514];
	struct nearest s;

	(void)state;
	memset(want, 'a', sizeof(want));
	memset(name, 'A', sizeof(name));
	want[511] = name[511] = '\0';
	nearest_init(&s, want);
	nearest_add(&s, name);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.distance[0], 511);

	name[511] = 'a';
	name[512] = '\0';
	nearest_init(&s, want);
	nearest_add(&s, name);
	assert_int_equal(s.n, 0);

	nearest_init(&s, name);
	nearest_add(&s, want);
	assert_int_equal(s.n, 0);
}

/* Optimal string alignment by its definition, for short strings. */
static unsigned slow(const char *a, size_t na, const char *b, size_t nb)
{
	if (!na || !nb)
		return 4 * (na + nb);

	unsigned best = slow(a, na - 1, b, nb) + 4;
	const unsigned insert = slow(a, na, b, nb - 1) + 4;
	const int other = a[na - 1] != b[nb - 1];
	const unsigned replace = slow(a, na - 1, b, nb - 1) + 4 * other;

	best = insert < best ? insert : best;
	best = replace < best ? replace : best;
	if (na > 1 && nb > 1 && a[na - 1] == b[nb - 2] && a[na - 2] == b[nb - 1]) {
		const unsigned swap = slow(a, na - 2, b, nb - 2) + 4;

		best = swap < best ? swap : best;
	}
	return best;
}

/*
 * All pairs of words of up to 5 letters x and y: which names are kept, and their
 * distances.
 */
static void test_against_definition(void **state)
{
	(void)state;
	for (unsigned x = 2; x < 64; x++) {
		for (unsigned y = 2; y < 64; y++) {
			char a[8] = "", b[8] = "";
			struct nearest s;

			for (unsigned v = x; v > 1; v >>= 1)
				strcat(a, v & 1 ? "x" : "y");
			for (unsigned v = y; v > 1; v >>= 1)
				strcat(b, v & 1 ? "x" : "y");
			nearest_init(&s, a);
			nearest_add(&s, b);

			const unsigned want = slow(a, strlen(a), b, strlen(b));
			const int near = want <= strlen(a) * 4 / 3;

			if (near && (s.n != 1 || s.distance[0] != want))
				fail_msg("%s, %s: not %u", a, b, want);
			if (!near && s.n && !strstr(b, a))
				fail_msg("%s, %s: kept at %u", a, b, s.distance[0]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_small_buffers),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_against_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
