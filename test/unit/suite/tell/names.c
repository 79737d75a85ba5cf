#include "suite/tell/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_engine.h"

static void append(void *arg, const char *name)
{
	char *all = arg;

	strncat(strncat(all, name, 1023 - strlen(all)), " ", 1023 - strlen(all));
}

static const struct {
	const char *cpu, *prefix, *names;
	int tracepoints;
} cases[] = {
	{NULL, "own_", "own_alpha own_beta own_gamma ", 0},
	{NULL, "OWN_", "", 0},
	{NULL, "own_t", "", 0},
	{NULL, "own_trace:", "own_trace:one own_trace:two ", 1},
	{NULL, "page-", "page-faults ", 0},
	{NULL, "us3::EC_r", "us3::EC_rd_miss us3::EC_ref ", 0},
	{NULL, "us3:EC_r", "", 0},
	{NULL, "nowhere::EC_r", "", 0},
	/* Four tables have this event; its name is printed once. */
	{NULL, "EC_re", "EC_ref ", 0},
	{"us3", "EC_r", "EC_rd_miss EC_ref ", 0},
	{"us3", "own_", "", 0},
	{"us3", "PAPI_tot_", "PAPI_tot_cyc PAPI_tot_iis PAPI_tot_ins ", 0},
};

static void walks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cpc_t *cpc = fake_session(cases[i].cpu);
		char all[1024] = "";

		fake.tracepoints = 2;
		assert_int_equal(names_walk(cpc, cases[i].prefix, cases[i].tracepoints,
					    all, append),
				 0);
		if (strcmp(all, cases[i].names) != 0)
			fail_msg("%s: %s", cases[i].prefix, all);
		cpc_close(cpc);
	}
}

static void count(void *arg, const char *name)
{
	(void)name;
	++*(unsigned *)arg;
}

/* The names of the model are known without the simulator, unless an engine was named. */
static void has_all_names(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	unsigned n = 0, with_model = 0;
	char all[1024] = "";

	(void)state;
	assert_int_equal(names_walk(cpc, "", 0, &n, count), 0);
	assert_true(n > 1000);
	cpc->automatic = 1;
	assert_int_equal(names_walk(cpc, "", 0, &with_model, count), 0);
	assert_true(with_model > n);
	assert_int_equal(names_walk(cpc, "br_misp_r", 0, all, append), 0);
	assert_string_equal(all, "br_misp_ret ");
	assert_int_equal(fake.evsels, 0);
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walks),
		cmocka_unit_test(has_all_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
