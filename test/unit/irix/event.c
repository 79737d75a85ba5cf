#include "irix/event.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	int line;
	const char *cpu, *text;
	int number; /* or -1 */
	int error;
} cases[] = {
	{__LINE__, "r10000", "0", 0, 0},
	{__LINE__, "r10000", "31", 31, 0},
	{__LINE__, "r10000", "09", 9, 0},
	{__LINE__, "r10000", "32", -1, EINVAL},
	{__LINE__, "r10000", "99999999999999999999999999", -1, EINVAL},
	{__LINE__, "r10000", "CYCLES0", 0, 0},
	{__LINE__, "r10000", "L1D_MISS", 25, 0},
	{__LINE__, "r12000", "MHT_OCCUPANCY", 4, 0},
	{__LINE__, "r10000", "MHT_OCCUPANCY", -1, ENOENT},
	{__LINE__, "r10000", "", -1, ENOENT},
	{__LINE__, "r10000", "-1", -1, ENOENT},
	{__LINE__, "r10000", "0x1", -1, ENOENT},
	{__LINE__, "r10000", "1 ", -1, ENOENT},
	{__LINE__, "r10000", "cycles", -1, ENOENT},
	{__LINE__, "r10000", "us3::EC_ref", -1, ENOENT},
	{__LINE__, "nosuch", "CYCLES0", -1, ENOENT},
};

static void test_numbers(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		errno = 0;
		const int n = irix_event_number(cases[i].cpu, cases[i].text);

		if (n != cases[i].number || errno != cases[i].error)
			fail_msg("line %d: %d, errno %d", cases[i].line, n, errno);
	}
}

/* Each processor has all events, and each name gives its number. */
static void test_names_and_labels(void **state)
{
	static const char *const cpu[] = {"r10000", "r12000"};

	(void)state;
	for (unsigned c = 0; c < 2; c++) {
		assert_true(irix_event_has_cpu(cpu[c]));
		for (int i = 0; i < IRIX_NEVENTS; i++) {
			assert_non_null(irix_event_name(cpu[c], i));
			assert_int_equal(
				irix_event_number(cpu[c], irix_event_name(cpu[c], i)), i);
			assert_in_range(strlen(irix_event_label(cpu[c], i)), 6, 60);
		}
		assert_null(irix_event_name(cpu[c], -1));
		assert_null(irix_event_label(cpu[c], IRIX_NEVENTS));
	}
	assert_false(irix_event_has_cpu("us3"));
	assert_null(irix_event_name("nosuch", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_names_and_labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
