/* Sets that count in many places: what each sample has counted since the one before. */
#include "cpc/remote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_engine.h"
#include "reported.h"

enum { USER = CPC_COUNT_USER };

static cpc_t *listen_to(cpc_t *cpc)
{
	assert_non_null(cpc);
	cpc_seterrhndlr(cpc, remember);
	memset(&reported, 0, sizeof reported);
	return cpc;
}

static cpc_set_t *set_of(cpc_t *cpc, const char *first, const char *second)
{
	cpc_set_t *set = cpc_set_create(cpc);

	/* The preset is not added. */
	assert_int_equal(cpc_set_add_request(cpc, set, first, 77, USER, 0, NULL), 0);
	if (second)
		assert_int_equal(cpc_set_add_request(cpc, set, second, 0, USER, 0, NULL),
				 1);
	return set;
}

/* Return a table of n places. */
static struct cpc_remotes *table(unsigned width, unsigned n)
{
	struct cpc_remotes *r = cpc_remotes_new(width);

	assert_non_null(r);
	while (n-- > 0)
		assert_int_equal(cpc_remotes_insert(r, 0), 0);
	return r;
}

static void check(const cpc_value_t *v, uint64_t value, uint64_t count, uint64_t enabled,
		  uint64_t running, cpc_class_t quality)
{
	assert_int_equal(v->value, value);
	assert_int_equal(v->count, count);
	assert_int_equal(v->enabled, enabled);
	assert_int_equal(v->running, running);
	assert_int_equal(v->quality, quality);
}

static void returns_what_came_since(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", "own_beta");
	struct cpc_remotes *r = table(2, 1);
	uint64_t on;
	cpc_value_t v[2];

	(void)state;
	assert_int_equal(cpc_remotes_bind(cpc, r, 0, set, NULL, 0), 0);
	assert_int_equal(fake.tid, -1);
	fake.val[0] = (struct count){.count = 10, .enabled = 100, .running = 100};
	fake.val[1] = (struct count){.count = 20, .enabled = 100, .running = 50};
	fake.on = 100;
	assert_int_equal(cpc_remotes_sample(cpc, r, 0, 1, set, v, &on), 1);
	check(&v[0], 10, 10, 100, 100, CPC_EXACT);
	/* The event is approximate, which is worse than scaled. */
	check(&v[1], 40, 20, 100, 50, CPC_APPROXIMATE);
	assert_int_equal(on, 100);
	assert_int_equal(cpc_remotes_cycles(cpc, on), 300);

	fake.val[0] = (struct count){.count = 13, .enabled = 130, .running = 120};
	fake.val[1] = (struct count){.count = 20, .enabled = 130, .running = 50};
	fake.on = 130;
	assert_int_equal(cpc_remotes_peek(cpc, r, 0, set, v), 0);
	check(&v[0], 14, 13, 130, 120, CPC_SCALED);
	assert_int_equal(cpc_remotes_sample(cpc, r, 0, 1, set, v, &on), 1);
	check(&v[0], 4, 3, 30, 20, CPC_SCALED);
	check(&v[1], 0, 0, 30, 0, CPC_UNAVAILABLE);
	assert_int_equal(on, 30);

	/* A bind starts from 0, and ends the bind before. */
	assert_int_equal(cpc_remotes_bind(cpc, r, 0, set, NULL, 1), 0);
	assert_int_equal(fake.groups, 1);
	assert_int_equal(cpc_remotes_sample(cpc, r, 0, 1, set, v, &on), 1);
	check(&v[0], 14, 13, 130, 120, CPC_SCALED);
	assert_int_equal(on, 130);
	cpc_remotes_free(cpc, r);
	assert_int_equal(fake.groups, 0);
	assert_int_equal(reported.calls, 0);
	cpc_close(cpc);
}

/* A cgroup that did not run has exact zeros; a CPU without the event has no value. */
static void knows_idle_from_absent(void **state)
{
	const struct engine_cgroup cgroup = {3, "some"};
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", "own_gamma");
	struct cpc_remotes *r = table(5, 1);
	uint64_t on;
	cpc_value_t v[2];

	(void)state;
	fake.val[1].absent = 1;
	assert_int_equal(cpc_remotes_bind(cpc, r, 0, set, &cgroup, 0), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(cpc_remotes_sample(cpc, r, 0, 1, set, v, &on), 1);
		check(&v[0], 0, 0, 0, 0, CPC_EXACT);
		assert_int_equal(v[1].quality, CPC_UNAVAILABLE);
	}
	cpc_remotes_free(cpc, r);
	cpc_close(cpc);
}

enum { MANY = 100 };

/* One set counts in many places, and each has its own previous sample. */
static void counts_in_many_places(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", NULL);
	struct cpc_remotes *r = table(2, MANY);
	uint64_t on[MANY];
	cpc_value_t v[2 * MANY];

	(void)state;
	for (int cpu = 0; cpu < MANY; cpu++) {
		assert_int_equal(cpc_remotes_bind(cpc, r, cpu, set, NULL, cpu), 0);
		fake.val[0].count = 1 + cpu;
		fake.on = 10 * cpu;
		assert_int_equal(cpc_remotes_sample(cpc, r, cpu, 1, set, v, on), 1);
		assert_int_equal(v[0].value, 1 + cpu);
	}
	assert_int_equal(fake.groups, MANY);
	fake.val[0].count = 1000;
	fake.on = 2000;
	assert_int_equal(cpc_remotes_sample(cpc, r, 1, MANY - 1, set, v, on), MANY - 1);
	for (int cpu = 1; cpu < MANY; cpu++) {
		assert_int_equal(v[2 * (cpu - 1)].value, 1000 - (1 + cpu));
		assert_int_equal(on[cpu - 1], 2000 - 10 * cpu);
	}
	assert_int_equal(cpc_remotes_sample(cpc, r, 0, 2, set, v, on), 2);
	assert_int_equal(v[0].value, 999);
	assert_int_equal(v[2].value, 0);
	errno = ERANGE;
	cpc_remotes_unbind(cpc, r, 7);
	assert_int_equal(errno, ERANGE);
	assert_int_equal(fake.groups, MANY - 1);
	cpc_remotes_free(cpc, r);
	assert_int_equal(fake.groups, 0);
	cpc_remotes_free(cpc, NULL);
	cpc_close(cpc);
}

/* A call of the engine has room for the values of fewer places if a set has many. */
static void wide_tables_are_sampled_in_parts(void **state)
{
	enum { WIDTH = ENGINE_MOST_PICS / 3, PLACES = 2 * CPC_REMOTES_TOGETHER };
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", NULL);
	struct cpc_remotes *r = table(WIDTH, PLACES);
	static cpc_value_t v[PLACES * WIDTH];
	uint64_t on[PLACES];

	(void)state;
	for (unsigned at = 0; at < PLACES; at++)
		assert_int_equal(cpc_remotes_bind(cpc, r, at, set, NULL, 0), 0);
	fake.val[0].count = 5;
	assert_int_equal(cpc_remotes_sample(cpc, r, 0, PLACES, set, v, on), PLACES);
	for (unsigned at = 0; at < PLACES; at++)
		assert_int_equal(v[at * WIDTH].value, 5);
	cpc_remotes_free(cpc, r);
	cpc_close(cpc);
}

/* The other places keep their binds and samples. */
static void inserts_and_removes_places(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", NULL);
	struct cpc_remotes *r = table(1, 2);
	uint64_t on[3];
	cpc_value_t v[3];

	(void)state;
	for (unsigned at = 0; at < 2; at++) {
		assert_int_equal(cpc_remotes_bind(cpc, r, at, set, NULL, 0), 0);
		fake.val[0].count = 1 + at;
		assert_int_equal(cpc_remotes_sample(cpc, r, at, 1, set, v, on), 1);
	}
	assert_int_equal(cpc_remotes_insert(r, 1), 0);
	assert_int_equal(cpc_remotes_bind(cpc, r, 1, set, NULL, 0), 0);
	fake.val[0].count = 10;
	assert_int_equal(cpc_remotes_sample(cpc, r, 0, 3, set, v, on), 3);
	assert_int_equal(v[0].value, 9);
	assert_int_equal(v[1].value, 10);
	assert_int_equal(v[2].value, 8);
	assert_int_equal(cpc_remotes_sample(cpc, r, 2, 1, set, v, on), 1);
	fake.val[0].count = 30;
	assert_int_equal(cpc_remotes_sample(cpc, r, 1, 1, set, v, on), 1);
	cpc_remotes_remove(cpc, r, 1);
	assert_int_equal(fake.groups, 2);
	assert_int_equal(cpc_remotes_sample(cpc, r, 1, 1, set, v, on), 1);
	assert_int_equal(v[0].value, 20);
	cpc_remotes_free(cpc, r);
	assert_int_equal(fake.groups, 0);
	cpc_close(cpc);
}

static void refuses_bad_input(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_t *other = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = set_of(cpc, "own_alpha", "own_beta");
	struct cpc_remotes *r = table(2, 1), *small = table(1, 1);

	(void)state;
	FAILS(cpc_remotes_bind(cpc, r, 0, NULL, NULL, 0), EINVAL);
	FAILS(cpc_remotes_bind(cpc, r, 0, cpc_set_create(other), NULL, 0), EINVAL);
	FAILS(cpc_remotes_bind(cpc, r, 0, cpc_set_create(cpc), NULL, 0), EINVAL);
	FAILS(cpc_remotes_bind(cpc, r, 0, set, NULL, -1), EINVAL);
	FAILS(cpc_remotes_bind(cpc, small, 0, set, NULL, 0), EINVAL);
	assert_int_equal(reported.calls, 0);
	assert_int_equal(fake.groups, 0);
	cpc_remotes_free(cpc, r);
	cpc_remotes_free(cpc, small);
	cpc_close(other);
	cpc_close(cpc);
}

static void refuses_what_only_lwps_get(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = cpc_set_create(cpc);
	struct cpc_remotes *r = table(1, 1);

	(void)state;
	assert_int_equal(cpc_set_add_request(cpc, set, "own_alpha", 0,
					     USER | CPC_OVF_NOTIFY_EMT, 0, NULL),
			 0);
	FAILS(cpc_remotes_bind(cpc, r, 0, set, NULL, 0), ENOTSUP);
	assert_int_equal(reported.subcode, CPC_REQ_INVALID_FLAGS);
	assert_string_equal(reported.fn, "cpc_remotes_bind");
	cpc_remotes_free(cpc, r);
	cpc_close(cpc);
}

/* A bind that fails leaves nothing bound, and gives a message. */
static void names_errors_as_libcpc(void **state)
{
	static const struct {
		int kernel, libcpc;
	} errors[] = {{ENODEV, ENOSYS}, {EPERM, EACCES}, {EMFILE, EMFILE}};
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", NULL);
	struct cpc_remotes *r = table(1, 1);

	(void)state;
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
		assert_int_equal(cpc_remotes_bind(cpc, r, 0, set, NULL, 0), 0);
		fake.bind_errno = errors[i].kernel;
		FAILS(cpc_remotes_bind(cpc, r, 0, set, NULL, 0), errors[i].libcpc);
		assert_string_equal(reported.text, "bind: not here, look elsewhere");
		assert_int_equal(fake.groups, 0);
	}
	cpc_remotes_free(cpc, r);
	cpc_close(cpc);
}

static int read_errno;
static unsigned reads;

static int refuse_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	(void)g;
	(void)val;
	(void)ns;
	(void)on;
	errno = read_errno;
	return -1;
}

/* Refuse a read after some. */
static unsigned refuse_read_all(struct group *const *g, unsigned n, unsigned width,
				struct count *val, uint64_t *on)
{
	const unsigned done = n < reads ? n : reads;

	reads -= done;
	errno = read_errno;
	return fake_read_all(g, done, width, val, on);
}

/* A CPU that was offline needs another bind, as in cpc_set_sample(3). */
static void tells_that_a_sample_failed(void **state)
{
	static const struct {
		int engine, libcpc;
	} errors[] = {{ENODEV, EAGAIN}, {EIO, EIO}};
	cpc_t *cpc = listen_to(fake_session(NULL));
	struct engine_ops ops = fake_ops;
	struct cpc_remotes *r = table(1, MANY);
	uint64_t on[MANY];
	cpc_value_t v[MANY];

	(void)state;
	ops.read = refuse_read;
	ops.read_all = refuse_read_all;
	cpc->scope.ops = &ops;
	cpc_set_t *set = set_of(cpc, "own_alpha", NULL);
	for (unsigned at = 0; at < MANY; at++)
		assert_int_equal(cpc_remotes_bind(cpc, r, at, set, NULL, 0), 0);
	for (unsigned i = 0; i < 2; i++) {
		read_errno = errors[i].engine;
		reads = 70;
		fake.val[0].count = 100;
		assert_int_equal(cpc_remotes_sample(cpc, r, 0, MANY, set, v, on), 70);
		assert_int_equal(errno, errors[i].libcpc);
		assert_int_equal(v[69].value, i ? 0 : 100);
		FAILS(cpc_remotes_peek(cpc, r, 0, set, v), errors[i].libcpc);
	}
	reads = MANY;
	assert_int_equal(cpc_remotes_sample(cpc, r, 70, 1, set, v, on), 1);
	assert_int_equal(v[0].value, 100);
	cpc_remotes_free(cpc, r);
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_what_came_since),
		cmocka_unit_test(knows_idle_from_absent),
		cmocka_unit_test(counts_in_many_places),
		cmocka_unit_test(wide_tables_are_sampled_in_parts),
		cmocka_unit_test(inserts_and_removes_places),
		cmocka_unit_test(refuses_bad_input),
		cmocka_unit_test(refuses_what_only_lwps_get),
		cmocka_unit_test(names_errors_as_libcpc),
		cmocka_unit_test(tells_that_a_sample_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
