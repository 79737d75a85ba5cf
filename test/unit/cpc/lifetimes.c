/* Records of the lives of LWPs, which not all engines have. */
#include "cpc/lifetimes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_engine.h"

static void an_engine_without_records_is_refused(void **state)
{
	static const enum lifetimes_by by[] = {LIFETIMES_BY_RECORDS, LIFETIMES_BY_BPF};
	cpc_t *cpc = fake_session(NULL);

	(void)state;
	assert_non_null(cpc);
	cpc_set_t *set = cpc_set_create(cpc);
	assert_non_null(set);
	for (size_t i = 0; i < sizeof by / sizeof by[0]; i++) {
		errno = 0;
		assert_null(lifetimes_open(cpc, by[i], NULL, 1, &set));
		assert_int_equal(errno, ENOTSUP);
		errno = 0;
		assert_int_equal(lifetimes_check(cpc, by[i]), -1);
		assert_int_equal(errno, ENOTSUP);
	}
	lifetimes_close(NULL);
	cpc_close(cpc);
	assert_int_equal(fake.groups, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_engine_without_records_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
