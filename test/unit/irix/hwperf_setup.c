/* The check of an hwperf_profevctrarg_t, and the layout of its control registers. */
#include "irix/hwperf_setup.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/engine.h"

/* hwperf_spec is event << 5 | interrupt << 4 | mode on every machine. */
static void has_layout_of_irix(void **unused)
{
	static const struct {
		int line, ev, ie, mode, spec;
	} cases[] = {
		{__LINE__, 0, 0, 0, 0},
		{__LINE__, 9, 1, HWPERF_CNTEN_U, 9 << 5 | 1 << 4 | 8},
		{__LINE__, 15, 0, HWPERF_CNTEN_S, 15 << 5 | 4},
		{__LINE__, 31, 1, HWPERF_CNTEN_K, 31 << 5 | 1 << 4 | 2},
		{__LINE__, 1, 0, HWPERF_CNTEN_E, 1 << 5 | 1},
		{__LINE__, 2047, 1, 15, 0xffff},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		hwperf_ctrl_t c = {0};

		c.hwperf_creg.hwp_ev = (uint16_t)cases[i].ev & 2047;
		c.hwperf_creg.hwp_ie = cases[i].ie & 1;
		c.hwperf_creg.hwp_mode = cases[i].mode & 15;
		if ((uint16_t)c.hwperf_spec != cases[i].spec)
			fail_msg("line %d: %#x", cases[i].line, (uint16_t)c.hwperf_spec);
	}
	assert_int_equal(sizeof(hwperf_ctrl_t), 2);
	assert_int_equal(sizeof(hwperf_eventctrl_t), 64);
	assert_int_equal(sizeof(hwperf_cntr_t), 256);
}

enum { U = HWPERF_CNTEN_U, S = HWPERF_CNTEN_S, E = HWPERF_CNTEN_E };

static void checks_each_rule(void **unused)
{
	static const struct {
		int line;
		enum hwperf_rule rule;
		int index, spec, freq, sig, err;
	} cases[] = {
		{__LINE__, HWPERF_R10000, 9, 9 << 5 | U, 0, 0, 0},
		{__LINE__, HWPERF_R10000, 25, 9 << 5 | U, 0, 0, 0},
		{__LINE__, HWPERF_R10000, 25, 25 << 5 | U, 0, 0, EINVAL},
		{__LINE__, HWPERF_R10000, 9, 8 << 5 | U, 0, 0, EINVAL},
		{__LINE__, HWPERF_R12000, 31, 15 << 5 | U, 0, 0, 0},
		{__LINE__, HWPERF_R12000, 31, 31 << 5 | U, 0, 0, EINVAL},
		{__LINE__, HWPERF_R12000_FREE, 31, 31 << 5 | U, 0, 0, 0},
		{__LINE__, HWPERF_R12000_FREE, 0, 31 << 5 | U, 0, 0, 0},
		{__LINE__, HWPERF_R12000_FREE, 0, 32 << 5 | U, 0, 0, EINVAL},
		{__LINE__, HWPERF_R10000, 0, U, 0, 0, 0},
		{__LINE__, HWPERF_R10000, 0, U | E, 0, 0, 0},
		{__LINE__, HWPERF_R10000, 0, E, 0, 0, EINVAL},
		{__LINE__, HWPERF_R10000, 1, 1 << 5, 0, 0, EINVAL},
		{__LINE__, HWPERF_R10000, 0, 0, 0, 0, EINVAL},
		{__LINE__, HWPERF_R10000, 0, 1 << 4 | U, 1, 1, 0},
		{__LINE__, HWPERF_R10000, 0, U, INT32_MAX, 64, 0},
		{__LINE__, HWPERF_R10000, 0, U, 1, 0, 0},
		{__LINE__, HWPERF_R10000, 0, U, -1, 1, EINVAL},
		{__LINE__, HWPERF_R10000, 0, U, INT32_MIN, 1, EINVAL},
		{__LINE__, HWPERF_R10000, 0, U, 1, 65, EINVAL},
		{__LINE__, HWPERF_R10000, 0, U, 1, -1, EINVAL},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		hwperf_profevctrarg_t arg = {.hwp_ovflw_sig = cases[i].sig};

		arg.hwp_evctrargs.hwp_evctrl[cases[i].index].hwperf_spec =
			(short)cases[i].spec;
		arg.hwp_ovflw_freq[cases[i].index] = cases[i].freq;
		errno = 0;
		const int rc = hwperf_arg_check(&arg, cases[i].rule, NULL);
		if (rc != (cases[i].err ? -1 : 0) || (rc && errno != cases[i].err))
			fail_msg("line %d: %d, errno %d", cases[i].line, rc, errno);
	}
}

static void supervisor_mode_is_refused(void **unused)
{
	hwperf_profevctrarg_t arg = {0};

	(void)unused;
	arg.hwp_evctrargs.hwp_evctrl[0].hwperf_spec = U | S;
	assert_int_equal(hwperf_arg_check(&arg, HWPERF_R10000, NULL), -1);
	assert_int_equal(errno, hwperf_is_privileged() ? EINVAL : EPERM);
}

static void a_name_takes_the_place_of_the_rule(void **unused)
{
	struct hwperf_names names = {.name = {[4] = (char *)"page-faults"}};
	hwperf_profevctrarg_t arg = {0};

	(void)unused;
	arg.hwp_evctrargs.hwp_evctrl[4].hwperf_spec = 9 << 5 | U;
	assert_int_equal(hwperf_arg_check(&arg, HWPERF_R10000, &names), 0);
	assert_int_equal(hwperf_arg_check(&arg, HWPERF_R10000, NULL), -1);
	struct hwperf_setup *s = hwperf_setup_open(&arg, HWPERF_R10000, &names);
	assert_non_null(s);
	assert_int_equal(s->n, 1);
	assert_int_equal(s->pair[0].index[0], 4);
	hwperf_setup_drop(s);
	names.name[4] = (char *)"no such event";
	assert_null(hwperf_setup_open(&arg, HWPERF_R10000, &names));
	assert_int_equal(errno, EINVAL);
}

static void events_of_two_counters_are_pairs(void **unused)
{
	struct hwperf_names names;
	hwperf_profevctrarg_t arg = {0};
	static const int index[] = {2, 5, 31};

	(void)unused;
	for (int i = 0; i < HWPERF_EVENTMAX; i++)
		names.name[i] = (char *)"page-faults";
	for (int i = 0; i < 3; i++)
		arg.hwp_evctrargs.hwp_evctrl[index[i]].hwperf_spec = U;
	struct hwperf_setup *s = hwperf_setup_open(&arg, HWPERF_R10000, &names);
	assert_non_null(s);
	assert_int_equal(s->n, 2);
	assert_int_equal(s->pair[0].n, 2);
	assert_int_equal(s->pair[0].index[0], 2);
	assert_int_equal(s->pair[0].index[1], 31);
	assert_int_equal(s->pair[1].n, 1);
	assert_int_equal(s->pair[1].index[0], 5);
	hwperf_setup_drop(s);
}

static void environment_selects_the_rule(void **unused)
{
	(void)unused;
	unsetenv("CPC_HWPERF_RULE");
	assert_int_equal(hwperf_rule_default(), HWPERF_R10000);
	setenv("CPC_HWPERF_RULE", "r12000", 1);
	assert_int_equal(hwperf_rule_default(), HWPERF_R12000);
	setenv("CPC_HWPERF_RULE", "r12000-free", 1);
	assert_int_equal(hwperf_rule_default(), HWPERF_R12000_FREE);
	setenv("CPC_HWPERF_RULE", "r4400", 1);
	assert_int_equal(hwperf_rule_default(), HWPERF_R10000);
}

/* The counts are made up: the events of a pair take turns with others. */
static void values_are_scaled_by_the_time(void **unused)
{
	static const struct {
		int line;
		struct count count;
		uint64_t value;
		int class;
	} cases[] = {
		{__LINE__, {.count = 70, .enabled = 10, .running = 10}, 70, CPC_EXACT},
		{__LINE__, {.count = 70, .enabled = 40, .running = 10}, 280, CPC_SCALED},
		{__LINE__, {.count = 7, .enabled = 5, .running = 2}, 17, CPC_SCALED},
		{__LINE__, {.count = 0, .enabled = 10}, 0, CPC_UNAVAILABLE},
		{__LINE__, {.count = 0}, 0, CPC_EXACT},
		{__LINE__,
		 {.count = UINT64_C(1) << 62,
		  .enabled = 3000000000,
		  .running = 1000000000},
		 UINT64_C(3) << 62,
		 CPC_SCALED},
	};
	struct hwperf_names names = {.name = {[3] = (char *)"page-faults"}};
	hwperf_profevctrarg_t arg = {0};

	(void)unused;
	arg.hwp_evctrargs.hwp_evctrl[3].hwperf_spec = 3 << 5 | U;
	struct hwperf_setup *s = hwperf_setup_open(&arg, HWPERF_R10000, &names);
	assert_non_null(s);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const hwperf_value_t *v;
		hwperf_values_t values = {0};

		hwperf_pair_add(&s->pair[0], &cases[i].count, &values);
		v = &values.hwp_value[3];
		if (v->hwv_value != cases[i].value ||
		    v->hwv_count != cases[i].count.count ||
		    v->hwv_class != cases[i].class)
			fail_msg("line %d: %ju, class %d", cases[i].line,
				 (uintmax_t)v->hwv_value, v->hwv_class);
		/* the values of two periods are added, scaled by themselves */
		hwperf_pair_add(&s->pair[0], &cases[1].count, &values);
		assert_int_equal(v->hwv_value, cases[i].value + 280);
		assert_in_range(v->hwv_class, CPC_SCALED, CPC_UNAVAILABLE);
	}
	hwperf_setup_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_layout_of_irix),
		cmocka_unit_test(checks_each_rule),
		cmocka_unit_test(supervisor_mode_is_refused),
		cmocka_unit_test(a_name_takes_the_place_of_the_rule),
		cmocka_unit_test(events_of_two_counters_are_pairs),
		cmocka_unit_test(values_are_scaled_by_the_time),
		cmocka_unit_test(environment_selects_the_rule),
	};

	return cmocka_run_group_tests_name("irix/hwperf_setup", tests, NULL, NULL);
}
