#include <libcpc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_engine.h"
#include "pctx/table.h"

enum { TID = 4242 };

/*
 * A process with one LWP that exists in the table only: the engine of these tests looks
 * at its tid and nothing else.
 */
static pctx_t *process(void)
{
	struct tracer *t = tracer_new(0, 0, NULL);

	assert_non_null(t);
	t->root = proc_new(t, TID, NULL);
	lwp_join(lwp_new(t, TID, LWP_ANNOUNCED), t->root);
	return t->root;
}

static void quiet(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn, (void)subcode, (void)fmt, (void)ap;
}

static cpc_set_t *set_of(cpc_t *cpc, unsigned n, const char *event, uint64_t preset)
{
	cpc_set_t *set = cpc_set_create(cpc);

	for (unsigned i = 0; i < n; i++)
		assert_int_equal(cpc_set_add_request(cpc, set, event, preset,
						     CPC_COUNT_USER, 0, NULL),
				 i);
	return set;
}

static uint64_t value(cpc_t *cpc, cpc_buf_t *buf, int i)
{
	uint64_t v = 12345;

	assert_int_equal(cpc_buf_get(cpc, buf, i, &v), 0);
	return v;
}

#define MAX UINT64_MAX

static const struct {
	int line;
	struct count c;
	cpc_class_t best; /* of the event */
	uint64_t value;
	cpc_class_t class;
} scaled[] = {
	{__LINE__, {0, 0, 0, 0, 0}, CPC_EXACT, 0, CPC_EXACT},
	{__LINE__, {7, 0, 0, 0, 0}, CPC_EXACT, 7, CPC_EXACT},
	{__LINE__, {7, 100, 100, 0, 0}, CPC_EXACT, 7, CPC_EXACT},
	{__LINE__, {0, 100, 100, 0, 0}, CPC_EXACT, 0, CPC_EXACT},
	{__LINE__, {7, 100, 50, 0, 0}, CPC_EXACT, 14, CPC_SCALED},
	{__LINE__, {0, 100, 50, 0, 0}, CPC_EXACT, 0, CPC_SCALED},
	{__LINE__, {10, 3, 2, 0, 0}, CPC_EXACT, 15, CPC_SCALED},
	{__LINE__, {10, 7, 3, 0, 0}, CPC_EXACT, 23, CPC_SCALED},
	{__LINE__, {0, 100, 0, 0, 0}, CPC_EXACT, 0, CPC_UNAVAILABLE},
	{__LINE__, {0, 1, 0, 0, 0}, CPC_APPROXIMATE, 0, CPC_UNAVAILABLE},
	{__LINE__, {0, 0, 0, 1, 0}, CPC_EXACT, 0, CPC_UNAVAILABLE},
	{__LINE__, {0, 0, 0, 1, 0}, CPC_APPROXIMATE, 0, CPC_UNAVAILABLE},
	{__LINE__, {7, 100, 50, 0, 0}, CPC_SIMULATED, 14, CPC_SCALED},
	{__LINE__, {7, 100, 50, 0, 0}, CPC_APPROXIMATE, 14, CPC_APPROXIMATE},
	{__LINE__, {7, 100, 100, 0, 0}, CPC_APPROXIMATE, 7, CPC_APPROXIMATE},
	{__LINE__, {7, 50, 100, 0, 0}, CPC_EXACT, 7, CPC_EXACT},
	{__LINE__, {7, 100, 100, 0, 1}, CPC_EXACT, 7, CPC_APPROXIMATE},
	{__LINE__, {7, 100, 50, 0, 1}, CPC_EXACT, 14, CPC_APPROXIMATE},
	{__LINE__, {7, 100, 100, 0, 1}, CPC_ESTIMATED, 7, CPC_ESTIMATED},
	{__LINE__, {7, 100, 0, 0, 1}, CPC_EXACT, 7, CPC_UNAVAILABLE},
	/* A year in ns, and counts whose product with it has more than 64 bits. */
	{__LINE__,
	 {UINT64_C(1000000000000000), UINT64_C(31536000000000000),
	  UINT64_C(15768000000000000), 0, 0},
	 CPC_EXACT,
	 UINT64_C(2000000000000000),
	 CPC_SCALED},
	{__LINE__,
	 {MAX / 2, 2000000000, 1000000000, 0, 0},
	 CPC_EXACT,
	 MAX - 1,
	 CPC_SCALED},
};

static void scales(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	cpc_set_t *set = set_of(cpc, 1, "own_alpha", 0);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);

	(void)state;
	for (size_t i = 0; i < sizeof scaled / sizeof scaled[0]; i++) {
		cpc_value_t v;

		buf->reqs->req[0].sel->class = scaled[i].best;
		buf->val[0] = scaled[i].c;
		const int rc = cpc_buf_value(cpc, buf, 0, &v);
		if (rc || v.value != scaled[i].value || v.count != scaled[i].c.count ||
		    v.enabled != scaled[i].c.enabled ||
		    v.running != scaled[i].c.running || v.quality != scaled[i].class ||
		    value(cpc, buf, 0) != v.value)
			fail_msg("line %d: value %llu, class %s", scaled[i].line,
				 (unsigned long long)v.value, cpc_class_name(v.quality));
	}
	cpc_close(cpc);
}

static const struct {
	int line;
	struct count a, b, sub, add;
} sums[] = {
	{__LINE__, {5, 9, 8, 0, 0}, {3, 2, 1, 0, 0}, {2, 7, 7, 0, 0}, {8, 11, 9, 0, 0}},
	{__LINE__,
	 {3, 2, 1, 0, 0},
	 {5, 9, 8, 0, 0},
	 {MAX - 1, MAX - 6, MAX - 6, 0, 0},
	 {8, 11, 9, 0, 0}},
	{__LINE__,
	 {MAX, 0, 0, 0, 0},
	 {1, 0, 0, 0, 0},
	 {MAX - 1, 0, 0, 0, 0},
	 {0, 0, 0, 0, 0}},
	{__LINE__, {0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {MAX, 0, 0, 0, 0}, {1, 0, 0, 0, 0}},
	/*
	 * An event that a CPU does not have: a difference needs both values, a sum takes
	 * the one that exists.
	 */
	{__LINE__, {0, 0, 0, 1, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 1, 0}},
	{__LINE__, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 1, 0}},
	{__LINE__, {0, 0, 0, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 1, 0}},
	{__LINE__, {5, 9, 8, 0, 0}, {0, 0, 0, 1, 0}, {5, 9, 8, 1, 0}, {5, 9, 8, 0, 0}},
	{__LINE__,
	 {0, 0, 0, 1, 0},
	 {1, 2, 2, 0, 0},
	 {MAX, MAX - 1, MAX - 1, 1, 0},
	 {1, 2, 2, 0, 0}},
	{__LINE__,
	 {MAX, MAX, MAX, 0, 0},
	 {MAX, MAX, MAX, 0, 0},
	 {0, 0, 0, 0, 0},
	 {MAX - 1, MAX - 1, MAX - 1, 0, 0}},
	/* A result of a corrected count is corrected. */
	{__LINE__, {5, 9, 8, 0, 1}, {3, 2, 1, 0, 0}, {2, 7, 7, 0, 1}, {8, 11, 9, 0, 1}},
	{__LINE__, {5, 9, 8, 0, 0}, {3, 2, 1, 0, 1}, {2, 7, 7, 0, 1}, {8, 11, 9, 0, 1}},
};

static int same(const struct count *a, const struct count *b)
{
	return a->count == b->count && a->enabled == b->enabled &&
	       a->running == b->running && a->absent == b->absent &&
	       a->approximate == b->approximate;
}

static void load(cpc_buf_t *buf, const struct count *c, int64_t hrtime, uint64_t on)
{
	for (unsigned i = 0; i < buf->n; i++)
		buf->val[i] = *c;
	buf->hrtime = hrtime;
	buf->on = on;
}

/* The result may go into one of the operands; its time is the later one. */
static void adds_and_subtracts(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	cpc_set_t *set = set_of(cpc, 2, "own_alpha", 0);
	cpc_buf_t *a = cpc_buf_create(cpc, set), *b = cpc_buf_create(cpc, set);
	cpc_buf_t *other = cpc_buf_create(cpc, set);

	(void)state;
	for (size_t i = 0; i < 6 * sizeof sums / sizeof sums[0]; i++) {
		const int add = i & 1;
		cpc_buf_t *ds = i % 6 / 2 == 0 ? a : i % 6 / 2 == 1 ? b : other;
		const struct count *want = add ? &sums[i / 6].add : &sums[i / 6].sub;

		load(a, &sums[i / 6].a, i < 12 ? 10 : 20, 3);
		load(b, &sums[i / 6].b, i < 12 ? 20 : 10, 5);
		load(other, &(struct count){77, 77, 77, 0, 0}, 77, 77);
		if (add)
			cpc_buf_add(cpc, ds, a, b);
		else
			cpc_buf_sub(cpc, ds, a, b);
		if (!same(&ds->val[0], want) || !same(&ds->val[1], want) ||
		    cpc_buf_hrtime(cpc, ds) != 20 ||
		    cpc_buf_tick(cpc, ds) != 3 * (add ? 8 : UINT64_C(0) - 2))
			fail_msg("line %d: %s: %llu, time %lld, tick %lld",
				 sums[i / 6].line, add ? "add" : "sub",
				 (unsigned long long)ds->val[0].count,
				 (long long)ds->hrtime, (long long)ds->on);
	}
	cpc_close(cpc);
}

/* Bufs of different sizes: nothing changes. */
static void other_sizes(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	cpc_set_t *one = set_of(cpc, 1, "own_alpha", 0),
		  *two = set_of(cpc, 2, "own_alpha", 0);
	cpc_buf_t *ds = cpc_buf_create(cpc, one), *a = cpc_buf_create(cpc, one);
	cpc_buf_t *big = cpc_buf_create(cpc, two);

	(void)state;
	for (unsigned i = 0; i < 7; i++) {
		load(ds, &(struct count){1, 2, 3, 0, 0}, 4, 5);
		load(a, &(struct count){10, 20, 30, 0, 0}, 40, 50);
		load(big, &(struct count){100, 200, 300, 0, 0}, 400, 500);
		void (*const combine)(cpc_t *, cpc_buf_t *, cpc_buf_t *, cpc_buf_t *) =
			i & 1 ? cpc_buf_add : cpc_buf_sub;
		if (i < 2)
			combine(cpc, ds, big, a);
		else if (i < 4)
			combine(cpc, ds, a, big);
		else if (i < 6)
			combine(cpc, ds, big, big);
		else
			cpc_buf_copy(cpc, ds, big);
		assert_true(same(&ds->val[0], &(struct count){1, 2, 3, 0, 0}));
		assert_int_equal(ds->hrtime, 4);
		assert_int_equal(ds->on, 5);
	}
	cpc_close(cpc);
}

static void copies_and_clears(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	cpc_set_t *set = set_of(cpc, 3, "own_alpha", 0);
	cpc_buf_t *a = cpc_buf_create(cpc, set), *b = cpc_buf_create(cpc, set);

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(value(cpc, a, i), 0);
	assert_int_equal(cpc_buf_hrtime(cpc, a), 0);
	assert_int_equal(cpc_buf_tick(cpc, a), 0);
	load(a, &(struct count){1, 2, 2, 0, 0}, 4, 5);
	cpc_buf_copy(cpc, b, a);
	cpc_buf_zero(cpc, a);
	for (int i = 0; i < 3; i++) {
		assert_true(same(&b->val[i], &(struct count){1, 2, 2, 0, 0}));
		assert_true(same(&a->val[i], &(struct count){0, 0, 0, 0, 0}));
	}
	assert_int_equal(cpc_buf_hrtime(cpc, b), 4);
	assert_int_equal(cpc_buf_tick(cpc, b), 15);
	assert_int_equal(cpc_buf_hrtime(cpc, a), 0);
	assert_int_equal(cpc_buf_tick(cpc, a), 0);
	cpc_close(cpc);
}

static void index_in_range(void **state)
{
	static const int bad[] = {-1, 2, INT32_MAX, INT32_MIN};
	cpc_t *cpc = fake_session(NULL);
	cpc_set_t *set = set_of(cpc, 2, "own_alpha", 0);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	cpc_value_t val;
	uint64_t v;

	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		errno = 0;
		assert_int_equal(cpc_buf_get(cpc, buf, bad[i], &v), -1);
		assert_int_equal(errno, EINVAL);
		errno = 0;
		assert_int_equal(cpc_buf_set(cpc, buf, bad[i], 1), -1);
		assert_int_equal(errno, EINVAL);
		errno = 0;
		assert_int_equal(cpc_buf_value(cpc, buf, bad[i], &val), -1);
		assert_int_equal(errno, EINVAL);
	}
	load(buf, &(struct count){3, 10, 5, 0, 0}, 1, 1);
	assert_int_equal(cpc_buf_set(cpc, buf, 1, MAX), 0);
	assert_true(value(cpc, buf, 1) == MAX);
	assert_int_equal(value(cpc, buf, 0), 6);
	cpc_close(cpc);
}

/* The preset is the value that a counter began with; only the counted part is scaled. */
static void presets(void **state)
{
	const uint64_t preset = MAX - 99;
	cpc_t *cpc = fake_session(NULL);
	pctx_t *pctx = process();
	cpc_set_t *set = set_of(cpc, 1, "own_alpha", preset);
	cpc_buf_t *a = cpc_buf_create(cpc, set), *b = cpc_buf_create(cpc, set);
	cpc_buf_t *d = cpc_buf_create(cpc, set);

	(void)state;
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, set, 0), 0);
	fake.val[0] = (struct count){20, 100, 100, 0, 0};
	assert_int_equal(cpc_set_sample(cpc, set, a), 0);
	assert_true(value(cpc, a, 0) == MAX - 79);
	fake.val[0] = (struct count){200, 1000, 1000, 0, 0};
	assert_int_equal(cpc_set_sample(cpc, set, b), 0);
	assert_int_equal(value(cpc, b, 0), 100);
	cpc_buf_sub(cpc, d, b, a);
	assert_int_equal(value(cpc, d, 0), 180);
	fake.val[0] = (struct count){200, 1000, 500, 0, 0};
	assert_int_equal(cpc_set_sample(cpc, set, b), 0);
	assert_int_equal(value(cpc, b, 0), 300);
	cpc_buf_copy(cpc, d, b);
	assert_int_equal(value(cpc, d, 0), 300);
	cpc_buf_sub(cpc, d, b, a);
	assert_int_equal(value(cpc, d, 0), 180 * 900 / 400);
	cpc_buf_zero(cpc, b);
	assert_int_equal(value(cpc, b, 0), 0);
	cpc_close(cpc);
	tracer_free(pctx->t);
}

/*
 * A buf can hold samples of any set of its size; the classes are those of the set that
 * was sampled.
 */
static void buf_of_another_set(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	pctx_t *pctx = process();
	cpc_set_t *exact = set_of(cpc, 1, "own_alpha", 0),
		  *near = set_of(cpc, 1, "own_beta", 0);
	cpc_buf_t *buf = cpc_buf_create(cpc, exact), *copy = cpc_buf_create(cpc, exact);
	cpc_buf_t *sum = cpc_buf_create(cpc, exact), *zero = cpc_buf_create(cpc, exact);
	cpc_value_t v;

	(void)state;
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, near, 0), 0);
	assert_int_equal(cpc_set_sample(cpc, near, buf), 0);
	cpc_buf_copy(cpc, copy, buf);
	cpc_buf_add(cpc, sum, buf, zero);
	cpc_set_destroy(cpc, near);
	cpc_buf_t *const bufs[] = {buf, copy, sum};
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(cpc_buf_value(cpc, bufs[i], 0, &v), 0);
		assert_int_equal(v.quality, CPC_APPROXIMATE);
	}
	cpc_close(cpc);
	assert_int_equal(fake.evsels, 0);
	tracer_free(pctx->t);
}

static void class_names(void **state)
{
	static const char *const name[] = {"exact",	  "simulated", "scaled",
					   "approximate", "estimated", "unavailable"};

	(void)state;
	for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++)
		assert_string_equal(cpc_class_name((cpc_class_t)i), name[i]);
}

#define FAILS(call)                              \
	do {                                     \
		errno = 0;                       \
		assert_int_equal((call), -1);    \
		assert_int_equal(errno, EINVAL); \
	} while (0)

/*
 * NULL, bufs of another session and indices out of range give EINVAL and change nothing.
 */
static void refuses_what_is_foreign(void **state)
{
	cpc_t *cpc = fake_session(NULL), *other = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = set_of(cpc, 2, "own_alpha", 0);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	cpc_value_t val;
	uint64_t v;

	(void)state;
	assert_null(cpc_buf_create(cpc, NULL));
	assert_null(cpc_buf_create(NULL, set));
	assert_null(cpc_buf_create(other, set));
	assert_int_equal(cpc_buf_set(cpc, buf, 1, 7), 0);
	for (int i = 0; i < 3; i++) {
		cpc_t *c = i == 0 ? NULL : i == 1 ? other : cpc;
		cpc_buf_t *b = i == 2 ? NULL : buf;

		FAILS(cpc_buf_get(c, b, 1, &v));
		FAILS(cpc_buf_set(c, b, 1, 8));
		FAILS(cpc_buf_value(c, b, 1, &val));
		FAILS(cpc_buf_destroy(c, b));
		errno = 0;
		assert_int_equal(cpc_buf_hrtime(c, b), 0);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(cpc_buf_tick(c, b), 0);
		cpc_buf_zero(c, b);
		cpc_buf_add(c, b, buf, buf);
		cpc_buf_sub(c, buf, b, buf);
		cpc_buf_copy(c, buf, b);
	}
	FAILS(cpc_buf_get(cpc, buf, -1, &v));
	FAILS(cpc_buf_get(cpc, buf, 2, &v));
	FAILS(cpc_buf_set(cpc, buf, INT32_MAX, 1));
	assert_int_equal(value(cpc, buf, 1), 7);
	cpc_close(other);
	cpc_close(cpc);
}

/*
 * Too many attributes and names that are too long give EINVAL and leave the set
 * unchanged.
 */
static void refuses_floods(void **state)
{
	enum { LONG = 10000 };
	static char name[LONG + 1], edge[] = "edge";
	static cpc_attr_t flood[LONG];
	cpc_t *cpc = fake_session(NULL);
	cpc_set_t *set = set_of(cpc, 1, "own_alpha", 0);

	(void)state;
	cpc_seterrhndlr(cpc, quiet);
	memset(name, 'x', LONG);
	for (unsigned i = 0; i < LONG; i++)
		flood[i] = (cpc_attr_t){edge, i};
	FAILS(cpc_set_add_request(cpc, set, name, 0, CPC_COUNT_USER, 0, NULL));
	FAILS(cpc_set_add_request(cpc, set, "", 0, CPC_COUNT_USER, 0, NULL));
	FAILS(cpc_set_add_request(cpc, set, NULL, 0, CPC_COUNT_USER, 0, NULL));
	FAILS(cpc_set_add_request(cpc, NULL, "own_beta", 0, CPC_COUNT_USER, 0, NULL));
	FAILS(cpc_set_add_request(NULL, set, "own_beta", 0, CPC_COUNT_USER, 0, NULL));
	FAILS(cpc_set_add_request(cpc, set, "own_beta", 0, CPC_COUNT_USER, 1, NULL));
	FAILS(cpc_set_add_request(cpc, set, "own_beta", 0, CPC_COUNT_USER, LONG, flood));
	FAILS(cpc_set_add_request(cpc, set, "own_beta", 0, CPC_COUNT_USER, UINT32_MAX,
				  flood));
	flood[0].ca_name = name;
	FAILS(cpc_set_add_request(cpc, set, "own_beta", 0, CPC_COUNT_USER, 1, flood));
	flood[0].ca_name = NULL;
	FAILS(cpc_set_add_request(cpc, set, "own_beta", 0, CPC_COUNT_USER, 1, flood));
	assert_int_equal(cpc_set_add_request(cpc, set, "own_beta", 0, CPC_COUNT_USER, 1,
					     flood + 1),
			 1);
	cpc_close(cpc);
	assert_int_equal(fake.evsels, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scales),
		cmocka_unit_test(adds_and_subtracts),
		cmocka_unit_test(other_sizes),
		cmocka_unit_test(copies_and_clears),
		cmocka_unit_test(index_in_range),
		cmocka_unit_test(presets),
		cmocka_unit_test(buf_of_another_set),
		cmocka_unit_test(class_names),
		cmocka_unit_test(refuses_what_is_foreign),
		cmocka_unit_test(refuses_floods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
