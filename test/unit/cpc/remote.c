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
	struct cpc_remote *r = cpc_remote_new(2);
	uint64_t on;
	cpc_value_t v[2];

	(void)state;
	assert_int_equal(cpc_remote_bind(cpc, r, set, NULL, 0), 0);
	assert_int_equal(fake.tid, -1);
	fake.val[0] = (struct count){.count = 10, .enabled = 100, .running = 100};
	fake.val[1] = (struct count){.count = 20, .enabled = 100, .running = 50};
	fake.on = 100;
	assert_int_equal(cpc_remote_sample(cpc, r, set, v, &on), 0);
	check(&v[0], 10, 10, 100, 100, CPC_EXACT);
	/* The event is approximate, which is worse than scaled. */
	check(&v[1], 40, 20, 100, 50, CPC_APPROXIMATE);
	assert_int_equal(on, 100);
	assert_int_equal(cpc_remote_cycles(cpc, on), 300);

	fake.val[0] = (struct count){.count = 13, .enabled = 130, .running = 120};
	fake.val[1] = (struct count){.count = 20, .enabled = 130, .running = 50};
	fake.on = 130;
	assert_int_equal(cpc_remote_peek(cpc, r, set, v), 0);
	check(&v[0], 14, 13, 130, 120, CPC_SCALED);
	assert_int_equal(cpc_remote_sample(cpc, r, set, v, &on), 0);
	check(&v[0], 4, 3, 30, 20, CPC_SCALED);
	check(&v[1], 0, 0, 30, 0, CPC_UNAVAILABLE);
	assert_int_equal(on, 30);

	/* A bind starts from 0, and ends the bind before. */
	assert_int_equal(cpc_remote_bind(cpc, r, set, NULL, 1), 0);
	assert_int_equal(fake.groups, 1);
	assert_int_equal(cpc_remote_sample(cpc, r, set, v, &on), 0);
	check(&v[0], 14, 13, 130, 120, CPC_SCALED);
	assert_int_equal(on, 130);
	cpc_remote_free(cpc, r);
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
	struct cpc_remote *r = cpc_remote_new(5);
	uint64_t on;
	cpc_value_t v[2];

	(void)state;
	fake.val[1].absent = 1;
	assert_int_equal(cpc_remote_bind(cpc, r, set, &cgroup, 0), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(cpc_remote_sample(cpc, r, set, v, &on), 0);
		check(&v[0], 0, 0, 0, 0, CPC_EXACT);
		assert_int_equal(v[1].quality, CPC_UNAVAILABLE);
	}
	cpc_remote_free(cpc, r);
	cpc_close(cpc);
}

/* One set counts in several places, and each has its own previous sample. */
static void counts_in_many_places(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", NULL);
	struct cpc_remote *r[3];
	uint64_t on;
	cpc_value_t v;

	(void)state;
	for (int cpu = 0; cpu < 3; cpu++) {
		r[cpu] = cpc_remote_new(1);
		assert_int_equal(cpc_remote_bind(cpc, r[cpu], set, NULL, cpu), 0);
		fake.val[0].count = 1u << cpu;
		assert_int_equal(cpc_remote_sample(cpc, r[cpu], set, &v, &on), 0);
		assert_int_equal(v.value, 1 << cpu);
	}
	assert_int_equal(fake.groups, 3);
	fake.val[0].count = 100;
	for (int cpu = 0; cpu < 3; cpu++) {
		cpc_remote_prefetch(set, r[cpu], NULL);
		cpc_remote_prefetch(set, NULL, r[cpu]);
		assert_int_equal(cpc_remote_sample(cpc, r[cpu], set, &v, &on), 0);
		assert_int_equal(v.value, 100 - (1 << cpu));
		errno = ERANGE;
		cpc_remote_unbind(cpc, r[cpu]);
		assert_int_equal(errno, ERANGE);
		assert_int_equal(fake.groups, 2 - cpu);
		cpc_remote_free(cpc, r[cpu]);
	}
	cpc_remote_free(cpc, NULL);
	cpc_close(cpc);
}

static void refuses_bad_input(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_t *other = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = set_of(cpc, "own_alpha", "own_beta");
	struct cpc_remote *r = cpc_remote_new(2), *small = cpc_remote_new(1);

	(void)state;
	FAILS(cpc_remote_bind(cpc, r, NULL, NULL, 0), EINVAL);
	FAILS(cpc_remote_bind(cpc, r, cpc_set_create(other), NULL, 0), EINVAL);
	FAILS(cpc_remote_bind(cpc, r, cpc_set_create(cpc), NULL, 0), EINVAL);
	FAILS(cpc_remote_bind(cpc, r, set, NULL, -1), EINVAL);
	FAILS(cpc_remote_bind(cpc, small, set, NULL, 0), EINVAL);
	assert_int_equal(reported.calls, 0);
	assert_int_equal(fake.groups, 0);
	cpc_remote_free(cpc, r);
	cpc_remote_free(cpc, small);
	cpc_close(other);
	cpc_close(cpc);
}

static void refuses_what_only_lwps_get(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = cpc_set_create(cpc);
	struct cpc_remote *r = cpc_remote_new(1);

	(void)state;
	assert_int_equal(cpc_set_add_request(cpc, set, "own_alpha", 0,
					     USER | CPC_OVF_NOTIFY_EMT, 0, NULL),
			 0);
	FAILS(cpc_remote_bind(cpc, r, set, NULL, 0), ENOTSUP);
	assert_int_equal(reported.subcode, CPC_REQ_INVALID_FLAGS);
	assert_string_equal(reported.fn, "cpc_remote_bind");
	cpc_remote_free(cpc, r);
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
	struct cpc_remote *r = cpc_remote_new(1);

	(void)state;
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
		assert_int_equal(cpc_remote_bind(cpc, r, set, NULL, 0), 0);
		fake.bind_errno = errors[i].kernel;
		FAILS(cpc_remote_bind(cpc, r, set, NULL, 0), errors[i].libcpc);
		assert_string_equal(reported.text, "bind: not here, look elsewhere");
		assert_int_equal(fake.groups, 0);
	}
	cpc_remote_free(cpc, r);
	cpc_close(cpc);
}

static int read_errno;

static int refuse_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	(void)g;
	(void)val;
	(void)ns;
	(void)on;
	errno = read_errno;
	return -1;
}

/* A CPU that was offline needs another bind, as in cpc_set_sample(3). */
static void tells_that_a_sample_failed(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	struct engine_ops ops = fake_ops;
	struct cpc_remote *r = cpc_remote_new(1);
	uint64_t on;
	cpc_value_t v;

	(void)state;
	ops.read = refuse_read;
	cpc->scope.ops = &ops;
	cpc_set_t *set = set_of(cpc, "own_alpha", NULL);
	assert_int_equal(cpc_remote_bind(cpc, r, set, NULL, 0), 0);
	read_errno = ENODEV;
	FAILS(cpc_remote_sample(cpc, r, set, &v, &on), EAGAIN);
	FAILS(cpc_remote_peek(cpc, r, set, &v), EAGAIN);
	read_errno = EIO;
	FAILS(cpc_remote_sample(cpc, r, set, &v, &on), EIO);
	cpc_remote_free(cpc, r);
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_what_came_since),
		cmocka_unit_test(knows_idle_from_absent),
		cmocka_unit_test(counts_in_many_places),
		cmocka_unit_test(refuses_bad_input),
		cmocka_unit_test(refuses_what_only_lwps_get),
		cmocka_unit_test(names_errors_as_libcpc),
		cmocka_unit_test(tells_that_a_sample_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
