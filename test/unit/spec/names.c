/* The attributes that a specification may use in a session. */
#include "spec/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_engine.h"

/* Without a processor the engine has the attributes; it has edge and cmask. */
static void attributes_of_the_engine_are_numbers(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	const struct spec_names names = spec_names_of(cpc);
	struct spec_attr attr = {0};

	(void)state;
	assert_true(names.attr(names.arg, "edge", &attr));
	assert_int_equal(attr.form, SPEC_NUMBER);
	assert_true(names.attr(names.arg, "cmask", &attr));
	assert_false(names.attr(names.arg, "zebra", &attr));
	assert_false(names.attr(names.arg, "", &attr));
	assert_int_equal(cpc_close(cpc), 0);
}

/* Finding the attributes of the kernel takes long, and a software event is none. */
static void software_events_need_no_list_of_attributes(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	const struct spec_names names = spec_names_of(cpc);
	struct spec_attr attr = {0};

	(void)state;
	fake.listed_attrs = 0;
	assert_false(names.attr(names.arg, "page-faults", &attr));
	assert_false(names.attr(names.arg, "cs", &attr));
	assert_int_equal(fake.listed_attrs, 0);
	assert_false(names.attr(names.arg, "own_alpha", &attr));
	assert_int_equal(fake.listed_attrs, 1);
	assert_int_equal(cpc_close(cpc), 0);
}

static void attributes_of_a_processor_are_in_its_table(void **state)
{
	cpc_t *cpc = fake_session("itanium2");
	const struct spec_names names = spec_names_of(cpc);
	struct spec_attr attr = {0};

	(void)state;
	assert_true(names.attr(names.arg, "irange", &attr));
	assert_int_equal(attr.form, SPEC_RANGE);
	assert_false(names.attr(names.arg, "edge", &attr));
	assert_int_equal(cpc_close(cpc), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_of_the_engine_are_numbers),
		cmocka_unit_test(software_events_need_no_list_of_attributes),
		cmocka_unit_test(attributes_of_a_processor_are_in_its_table),
	};

	return cmocka_run_group_tests_name("spec/names", tests, NULL, NULL);
}
