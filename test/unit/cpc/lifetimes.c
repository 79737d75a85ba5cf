/* Reports of the lives of LWPs, which not all engines have, and the values in them. */
#include "cpc/lifetimes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_engine.h"
#include "reported.h"

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

/* The LWPs of the reports: one is born, another ends, and a third lives. */
enum { BORN = 100, ENDED, ALIVE };

/* The values of two sets: an event of the first, and two of the second. */
static const struct count counted[] = {
	{.count = 10, .enabled = 100, .running = 100},
	{.count = 20, .enabled = 300, .running = 300},
	{.count = 30, .enabled = 300, .running = 100},
};

struct lifetimes {
	unsigned nsel;
};

static struct lifetimes *open_lives(struct engine *e, const struct engine_tree *tree,
				    const struct evsel *const *sel, unsigned n,
				    struct why *why)
{
	static struct lifetimes lives;

	(void)e, (void)tree, (void)sel, (void)why;
	lives.nsel = n;
	return &lives;
}

static void close_lives(struct lifetimes *l)
{
	(void)l;
}

static void read_lives(struct lifetimes *l, int all, void *arg,
		       void (*fn)(void *arg, const struct engine_life *life))
{
	(void)l;
	assert_int_equal(all, 1);
	fn(arg, &(struct engine_life){.kind = LIFE_BIRTH,
				      .ns = 1,
				      .pid = BORN,
				      .tid = BORN,
				      .parent_pid = ENDED,
				      .parent_tid = ALIVE,
				      .parent_sleeps = 1,
				      .name = "name"});
	fn(arg, &(struct engine_life){.kind = LIFE_END,
				      .ns = 2,
				      .pid = ENDED,
				      .tid = ENDED,
				      .val = counted});
}

static int find_living(struct lifetimes *l, void *arg,
		       void (*fn)(void *arg, const struct engine_life *life))
{
	(void)l;
	fn(arg, &(struct engine_life){.kind = LIFE_TICK,
				      .ns = 3,
				      .pid = ENDED,
				      .tid = ALIVE,
				      .val = counted});
	return 0;
}

static int total(struct lifetimes *l, struct count *val)
{
	memcpy(val, counted, l->nsel * sizeof *val);
	return 0;
}

/* Two sets of an engine that reports lives. */
struct run {
	cpc_t *cpc;
	struct engine_ops ops;
	struct engine_lifetimes lives;
	cpc_set_t *set[2];
	struct cpc_lifetimes *l;
	unsigned reports;
};

static void begin(struct run *r)
{
	static const struct engine_tree tree = {.follow_fork = 1};

	*r = (struct run){.cpc = fake_session(NULL),
			  .ops = fake_ops,
			  .lives = {.open = open_lives,
				    .close = close_lives,
				    .read = read_lives,
				    .total = total}};
	r->ops.lifetimes = &r->lives;
	r->cpc->scope.ops = &r->ops;
	for (unsigned i = 0; i < 2; i++) {
		r->set[i] = cpc_set_create(r->cpc);
		for (unsigned k = 0; k <= i; k++)
			assert_int_equal(cpc_set_add_request(r->cpc, r->set[i],
							     "own_alpha", 70 + i,
							     CPC_COUNT_USER, 0, NULL),
					 k);
	}
	r->l = lifetimes_open(r->cpc, LIFETIMES_BY_RECORDS, &tree, 2, r->set);
	assert_non_null(r->l);
}

static void end(struct run *r)
{
	lifetimes_close(r->l);
	cpc_close(r->cpc);
	assert_int_equal(fake.evsels, 0);
}

/* Each set has its own values, with its presets and its time. */
static void check_values(const struct run *r, cpc_buf_t *const *buf)
{
	static const uint64_t cycles[] = {300, 900};
	cpc_value_t v;
	uint64_t n;

	assert_int_equal(cpc_buf_get(r->cpc, buf[0], 0, &n), 0);
	assert_int_equal(n, 70 + 10);
	assert_int_equal(cpc_buf_get(r->cpc, buf[1], 0, &n), 0);
	assert_int_equal(n, 71 + 20);
	assert_int_equal(cpc_buf_value(r->cpc, buf[1], 1, &v), 0);
	assert_int_equal(v.count, 71 + 30);
	assert_int_equal(v.quality, CPC_SCALED);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(cpc_buf_tick(r->cpc, buf[i]), cycles[i]);
}

static void check_life(void *run, const struct cpc_life *life)
{
	static const pid_t tids[] = {BORN, ENDED, ALIVE};
	struct run *r = run;

	assert_int_equal(life->tid, tids[r->reports]);
	assert_int_equal(life->ns, ++r->reports);
	if (life->tid != BORN) {
		check_values(r, life->buf);
		assert_int_equal(cpc_buf_hrtime(r->cpc, life->buf[1]), life->ns);
		return;
	}
	assert_null(life->buf);
	assert_int_equal(life->kind, LIFE_BIRTH);
	assert_int_equal(life->pid, BORN);
	assert_int_equal(life->parent_pid, ENDED);
	assert_int_equal(life->parent_tid, ALIVE);
	assert_int_equal(life->parent_sleeps, 1);
	assert_string_equal(life->name, "name");
}

static void reports_have_the_values_of_each_set(void **state)
{
	cpc_buf_t *buf[2];
	struct run r;

	(void)state;
	begin(&r);
	lifetimes_read(r.l, 1, &r, check_life);
	assert_int_equal(r.reports, 2);
	FAILS(lifetimes_living(r.l, &r, check_life), ENOTSUP);
	r.lives.living = find_living;
	assert_int_equal(lifetimes_living(r.l, &r, check_life), 0);
	assert_int_equal(r.reports, 3);
	for (unsigned i = 0; i < 2; i++)
		buf[i] = cpc_buf_create(r.cpc, r.set[i]);
	assert_int_equal(lifetimes_total(r.l, buf), 0);
	check_values(&r, buf);
	end(&r);
}

static void only_an_end_is_an_end(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	assert_true(lifetimes_has_end(r.l, ENDED));
	assert_false(lifetimes_has_end(r.l, BORN));
	assert_null(lifetimes_why_absent(r.l));
	end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_have_the_values_of_each_set),
		cmocka_unit_test(only_an_end_is_an_end),
		cmocka_unit_test(an_engine_without_records_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
