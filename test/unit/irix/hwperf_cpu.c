#include "irix/hwperf_cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_engine.h"

/* What the next binds and reads of the engine return. */
static struct {
	unsigned nbinds, nreads;
	int bind[8]; /* errno of each, or 0 */
	int read[8];
} next;

static struct group *bind_next(struct engine *e, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why)
{
	assert_int_equal(t->tid, -1);
	assert_int_equal(t->cpu, 5);
	e->bind_errno = next.bind[next.nbinds++];
	return fake_bind(e, t, sel, n, why);
}

static int read_next(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	const int error = next.read[next.nreads++];

	fake_read(g, val, ns, on);
	errno = error;
	return error ? -1 : 0;
}

static struct engine_ops ops;
static struct hwperf_setup setup;

/* Events 0 and 16 are a pair, and event 3 is another. */
static int make_setup(void **arg)
{
	static const unsigned index[2][2] = {{0, 16}, {3}};
	static const char *const name[] = {"own_alpha", "own_beta"};

	(void)arg;
	ops = fake_ops;
	ops.bind = bind_next;
	ops.read = read_next;
	setup = (struct hwperf_setup){.cpc = fake_session(NULL), .n = 2};
	setup.cpc->scope.ops = &ops;
	for (unsigned i = 0; i < 2; i++) {
		struct hwperf_pair *p = &setup.pair[i];

		p->set = cpc_set_create(setup.cpc);
		assert_non_null(p->set);
		for (; p->n < 2 - i; p->n++) {
			p->index[p->n] = index[i][p->n];
			assert_int_not_equal(
				cpc_set_add_request(setup.cpc, p->set, name[p->n], 0,
						    CPC_COUNT_SYSTEM, 0, NULL),
				-1);
		}
	}
	memset(&next, 0, sizeof next);
	fake.val[0] = (struct count){.count = 10, .enabled = 8, .running = 8};
	fake.val[1] = (struct count){.count = 20, .enabled = 8, .running = 4};
	return 0;
}

static int drop_setup(void **arg)
{
	(void)arg;
	assert_int_equal(fake.groups, 0);
	return cpc_close(setup.cpc);
}

static void check(const struct hwperf_cpu *c, unsigned i, uint64_t value, int class)
{
	hwperf_values_t values = {0};

	hwperf_cpu_add(c, UINT32_MAX, &values);
	assert_int_equal(values.hwp_value[i].hwv_value, value);
	assert_int_equal(values.hwp_value[i].hwv_class, class);
}

static void test_counts(void **arg)
{
	struct hwperf_cpu c;
	hwperf_values_t values = {0};

	(void)arg;
	hwperf_cpu_init(&c, 5);
	assert_int_equal(hwperf_cpu_open(&c, &setup), 0);
	assert_int_equal(fake.groups, 2);
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	check(&c, 0, 10, CPC_EXACT);
	check(&c, 16, 40, CPC_APPROXIMATE);
	check(&c, 3, 10, CPC_EXACT);
	check(&c, 4, 0, CPC_EXACT);

	/* A later read has the counts since the open. */
	fake.val[0].count = 11;
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	check(&c, 0, 11, CPC_EXACT);

	/* Other counters add to what was counted before; only the wanted events are. */
	hwperf_cpu_close(&c, &setup);
	check(&c, 0, 11, CPC_EXACT);
	assert_int_equal(hwperf_cpu_open(&c, &setup), 0);
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	hwperf_cpu_add(&c, 1 << 3, &values);
	assert_int_equal(values.hwp_value[3].hwv_value, 22);
	assert_int_equal(values.hwp_value[0].hwv_value, 0);
	hwperf_cpu_close(&c, &setup);
	hwperf_cpu_close(&c, &setup);
}

static const struct {
	int line;
	int bind[2]; /* errno of the bind of each pair */
	int error;   /* of the open; 0: success */
} opens[] = {
	{__LINE__, {0, 0}, 0},		 {__LINE__, {ENOENT, 0}, 0},
	{__LINE__, {0, ENOENT}, 0},	 {__LINE__, {ENOENT, ENOENT}, ENOENT},
	{__LINE__, {EACCES, 0}, EACCES}, {__LINE__, {0, EMFILE}, EMFILE},
	{__LINE__, {0, ENODEV}, ENODEV},
};

static void test_open(void **arg)
{
	(void)arg;
	for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
		struct hwperf_cpu c;

		memset(&next, 0, sizeof next);
		memcpy(next.bind, opens[i].bind, sizeof opens[i].bind);
		hwperf_cpu_init(&c, 5);
		errno = 0;
		const int rc = hwperf_cpu_open(&c, &setup);
		if (rc != (opens[i].error ? -1 : 0) || (rc && errno != opens[i].error) ||
		    (rc && fake.groups))
			fail_msg("line %d: %d, errno %d, %d groups", opens[i].line, rc,
				 errno, fake.groups);
		hwperf_cpu_close(&c, &setup);
	}
}

static void test_absent_event(void **arg)
{
	struct hwperf_cpu c;

	(void)arg;
	next.bind[1] = ENOENT;
	hwperf_cpu_init(&c, 5);
	assert_int_equal(hwperf_cpu_open(&c, &setup), 0);
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	check(&c, 0, 10, CPC_EXACT);
	check(&c, 3, 0, CPC_EXACT);

	/* Another CPU of the machine has the event. */
	hwperf_values_t values = {0};
	values.hwp_value[3].hwv_value = 7;
	hwperf_cpu_add(&c, UINT32_MAX, &values);
	assert_int_equal(values.hwp_value[3].hwv_value, 7);
	assert_int_equal(values.hwp_value[3].hwv_class, CPC_EXACT);
	hwperf_cpu_close(&c, &setup);
}

/* Opens counters of CPU 5 and reads them once. */
static void open_and_read(struct hwperf_cpu *c)
{
	hwperf_cpu_init(c, 5);
	assert_int_equal(hwperf_cpu_open(c, &setup), 0);
	assert_int_equal(hwperf_cpu_read(c, &setup), 0);
}

/* The CPU goes offline after a count of 10, is back at the third read, and counts 4. */
static void test_offline(void **arg)
{
	struct hwperf_cpu c;

	(void)arg;
	open_and_read(&c);
	next.read[next.nreads] = ENODEV;
	next.bind[next.nbinds] = next.bind[next.nbinds + 1] = ENODEV;
	fake.val[0].count = 99;
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	assert_int_equal(fake.groups, 0);
	check(&c, 0, 10, CPC_EXACT);
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	check(&c, 0, 10, CPC_EXACT);
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	assert_int_equal(fake.groups, 2);
	fake.val[0].count = 4;
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	check(&c, 0, 14, CPC_APPROXIMATE);
	hwperf_cpu_close(&c, &setup);
}

/* The CPU goes offline, and when it is back the descriptors do not suffice. */
static void test_cannot_reopen(void **arg)
{
	struct hwperf_cpu c;

	(void)arg;
	open_and_read(&c);
	next.read[next.nreads] = ENODEV;
	next.bind[next.nbinds] = EMFILE;
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	assert_int_equal(fake.groups, 0);
	check(&c, 0, 10, CPC_APPROXIMATE);
	hwperf_cpu_close(&c, &setup);
}

static void test_read_fails(void **arg)
{
	struct hwperf_cpu c;

	(void)arg;
	hwperf_cpu_init(&c, 5);
	assert_int_equal(hwperf_cpu_open(&c, &setup), 0);
	assert_int_equal(hwperf_cpu_read(&c, &setup), 0);
	next.read[next.nreads] = EIO;
	errno = 0;
	assert_int_equal(hwperf_cpu_read(&c, &setup), -1);
	assert_int_equal(errno, EIO);
	check(&c, 0, 10, CPC_EXACT);
	hwperf_cpu_close(&c, &setup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_counts, make_setup, drop_setup),
		cmocka_unit_test_setup_teardown(test_open, make_setup, drop_setup),
		cmocka_unit_test_setup_teardown(test_absent_event, make_setup,
						drop_setup),
		cmocka_unit_test_setup_teardown(test_offline, make_setup, drop_setup),
		cmocka_unit_test_setup_teardown(test_cannot_reopen, make_setup,
						drop_setup),
		cmocka_unit_test_setup_teardown(test_read_fails, make_setup, drop_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
