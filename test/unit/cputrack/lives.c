/* Rows of LWPs from reports of their lives, which a test makes up. */
#include "cputrack/lives.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fake_engine.h"

/* The command, and the threads that it starts. */
enum { COMMAND = 100, SECOND, THIRD };

/* CHILD is created by vfork(2) in the command; OTHER is no descendant of the command. */
enum { CHILD = 200, OTHER = 300 };

static pid_t process_of(pid_t tid)
{
	return tid < CHILD ? COMMAND : tid < OTHER ? CHILD : OTHER;
}

/* What has happened to an LWP, and what the LWP has counted; the end is .tid 0. */
struct happening {
	enum engine_life_kind kind;
	pid_t tid;
	uint64_t count;
};

/* What the next calls report. */
struct lifetimes {
	const struct happening *happened, *living;
	int error; /* errno of living(), or 0 */
	struct count total;
};

static struct lifetimes reported;

static struct lifetimes *open_lives(struct engine *e, const struct engine_tree *tree,
				    const struct evsel *const *sel, unsigned n,
				    struct why *why)
{
	(void)e, (void)tree, (void)sel, (void)why;
	assert_int_equal(n, 1);
	return &reported;
}

static void close_lives(struct lifetimes *l)
{
	*l = (struct lifetimes){0};
}

static void report(const struct happening *h, void *arg,
		   void (*fn)(void *arg, const struct engine_life *life))
{
	for (; h && h->tid; h++) {
		const struct count count = {h->count, 1, 1, 0, 0};
		const int counted = h->kind == LIFE_END || h->kind == LIFE_TICK;

		fn(arg, &(struct engine_life){.kind = h->kind,
					      .ns = 1,
					      .pid = process_of(h->tid),
					      .tid = h->tid,
					      .parent_pid = COMMAND,
					      .parent_tid = COMMAND,
					      .parent_sleeps = h->tid == CHILD,
					      .val = counted ? &count : NULL});
	}
}

static void read_lives(struct lifetimes *l, int all, void *arg,
		       void (*fn)(void *arg, const struct engine_life *life))
{
	(void)all;
	report(l->happened, arg, fn);
	l->happened = NULL;
}

static int living(struct lifetimes *l, void *arg,
		  void (*fn)(void *arg, const struct engine_life *life))
{
	errno = l->error;
	if (errno)
		return -1;
	report(l->living, arg, fn);
	return 0;
}

static int total(struct lifetimes *l, struct count *val)
{
	*val = l->total;
	return 0;
}

static const struct engine_lifetimes lifetimes = {.open = open_lives,
						  .close = close_lives,
						  .read = read_lives,
						  .living = living,
						  .total = total};

/* The rows, one after another: "TID WORD VALUE, ", or "TID fork CHILD, ". */
static struct {
	struct sink sink;
	char text[512];
	size_t len;
} rows;

static int on_row(struct sink *s, const struct row *row)
{
	(void)s;
	rows.len += (size_t)snprintf(
		rows.text + rows.len, sizeof rows.text - rows.len, "%d %s %d, ",
		(int)row->tid, row->kind == ROW_FORK ? "fork" : row->word,
		row->kind == ROW_FORK ? (int)row->child : (int)row->value->value);
	return 0;
}

static int on_flush(struct sink *s)
{
	(void)s;
	return 0;
}

/* The rows since the last check. */
#define CHECK_ROWS(wanted)                              \
	do {                                            \
		assert_string_equal(rows.text, wanted); \
		rows.text[rows.len = 0] = '\0';         \
	} while (0)

/* How many bufs can still be created; -1: no limit. */
static int bufs_left = -1;

cpc_buf_t *__real_cpc_buf_create(cpc_t *cpc, cpc_set_t *set);
cpc_buf_t *__wrap_cpc_buf_create(cpc_t *cpc, cpc_set_t *set);

cpc_buf_t *__wrap_cpc_buf_create(cpc_t *cpc, cpc_set_t *set)
{
	if (bufs_left == 0) {
		errno = ENOMEM;
		return NULL;
	}
	bufs_left -= bufs_left > 0;
	return __real_cpc_buf_create(cpc, set);
}

/* A run of cputrack -f with one set. */
struct run {
	struct engine_ops ops;
	struct options o;
	struct recording recording;
	cpc_t *cpc;
	cpc_set_t *set[1];
	const struct row_set *show[1];
	struct cpc_lifetimes *from;
	struct lives lives;
};

static void begin(struct run *r)
{
	static const char *const event[] = {"own_alpha"};
	static const struct row_set show = {.n = 1, .event = event};
	static const struct engine_tree tree = {.follow_fork = 1};
	static const struct happening exec[] = {{LIFE_EXEC, COMMAND, 0}, {0}};

	memset(&rows, 0, sizeof rows);
	rows.sink = (struct sink){.row = on_row, .flush = on_flush};
	*r = (struct run){.o.follow_fork = 1,
			  .recording.sink = &rows.sink,
			  .cpc = fake_session(NULL),
			  .show = {&show}};
	r->ops = fake_ops;
	r->ops.bpf_lifetimes = &lifetimes;
	r->cpc->scope.ops = &r->ops;
	r->set[0] = cpc_set_create(r->cpc);
	assert_int_equal(cpc_set_add_request(r->cpc, r->set[0], event[0], 0,
					     CPC_COUNT_USER, 0, NULL),
			 0);
	r->from = lifetimes_open(r->cpc, LIFETIMES_BY_BPF, &tree, 1, r->set);
	assert_non_null(r->from);
	r->lives = (struct lives){.o = &r->o,
				  .cpc = r->cpc,
				  .nsets = 1,
				  .set = r->set,
				  .show = r->show,
				  .recording = &r->recording,
				  .notes = notes_new(r->show, 1)};
	assert_non_null(r->lives.notes);
	assert_int_equal(lives_begin(&r->lives, COMMAND), 0);
	reported.happened = exec;
	lives_read(&r->lives, r->from, 0);
	CHECK_ROWS("");
}

static void end(struct run *r)
{
	notes_free(r->lives.notes);
	lives_end(&r->lives);
	lifetimes_close(r->from);
	cpc_close(r->cpc);
	assert_int_equal(fake.evsels, 0);
}

static void happen(struct run *r, const struct happening *h)
{
	reported.happened = h;
	lives_read(&r->lives, r->from, 0);
}

/* The first LWP ends before the second, and a third before both. */
static const struct happening first_ends[] = {{LIFE_BIRTH, SECOND, 0},
					      {LIFE_BIRTH, THIRD, 0},
					      {LIFE_END, THIRD, 2},
					      {LIFE_END, COMMAND, 5},
					      {0}};
static const struct happening second_ends[] = {{LIFE_END, SECOND, 9}, {0}};

/* Return what has been counted by the LWPs whose values are in rows. */
static int sum_of_rows(const struct run *r)
{
	cpc_value_t sum;

	assert_int_equal(cpc_buf_value(r->cpc, r->lives.sum[0], 0, &sum), 0);
	return (int)sum.value;
}

/* A tracer reports the end of LWP 1 with that of its process. */
static void an_ended_first_lwp_has_ticks(void **state)
{
	static const struct happening early[] = {{LIFE_TICK, SECOND, 3}, {0}},
				      late[] = {{LIFE_TICK, SECOND, 7}, {0}};
	struct run r;

	(void)state;
	begin(&r);
	happen(&r, first_ends);
	CHECK_ROWS("101 lwp_create 0, 102 lwp_create 0, 102 lwp_exit 2, ");
	reported.living = early;
	lives_tick(&r.lives, r.from);
	CHECK_ROWS("100 tick 5, 101 tick 3, ");
	reported.living = late;
	lives_tick(&r.lives, r.from);
	CHECK_ROWS("100 tick 0, 101 tick 4, ");
	assert_false(lives_are_over(&r.lives));
	assert_int_equal(sum_of_rows(&r), 2);
	happen(&r, second_ends);
	CHECK_ROWS("101 lwp_exit 9, 100 exit 16, ");
	assert_int_equal(sum_of_rows(&r), 16);
	assert_true(lives_are_over(&r.lives));
	assert_null(r.lives.failed);
	end(&r);
}

/*
 * When counting ends, the counts of all LWPs that live are read. An LWP that ends
 * meanwhile has the row of its end; what the other LWPs do later is not reported.
 */
static void lwps_that_live_are_detached(void **state)
{
	static const struct happening born[] = {{LIFE_BIRTH, SECOND, 0},
						{LIFE_BIRTH, THIRD, 0},
						{LIFE_END, COMMAND, 5},
						{0}};
	static const struct happening alive[] = {{LIFE_TICK, SECOND, 3}, {0}};
	static const struct happening later[] = {{LIFE_BIRTH, THIRD + 1, 0},
						 {LIFE_END, THIRD, 4},
						 {LIFE_END, THIRD + 1, 1},
						 {LIFE_END, SECOND, 9},
						 {0}};
	struct run r;

	(void)state;
	begin(&r);
	happen(&r, born);
	CHECK_ROWS("101 lwp_create 0, 102 lwp_create 0, ");
	reported.living = alive;
	assert_int_equal(lives_put_detached(&r.lives, r.from, 0), 0);
	CHECK_ROWS("100 detach 5, 101 detach 3, ");
	reported.happened = later;
	assert_int_equal(lives_put_detached(&r.lives, r.from, 1), 0);
	CHECK_ROWS("100 detach 5, 101 detach 3, 102 lwp_exit 4, ");
	assert_int_equal(r.lives.unborn, 0);
	assert_int_equal(sum_of_rows(&r), 5 + 3 + 4);
	end(&r);
}

/*
 * The first LWP has ended, and so has the second, but the kernel has not reported this
 * yet, when the third is found.
 */
static void an_ended_first_lwp_is_detached_with_any_other(void **state)
{
	static const struct happening born[] = {{LIFE_BIRTH, SECOND, 0},
						{LIFE_BIRTH, THIRD, 0},
						{LIFE_END, COMMAND, 5},
						{0}};
	static const struct happening alive[] = {{LIFE_TICK, THIRD, 3}, {0}};
	struct run r;

	(void)state;
	begin(&r);
	happen(&r, born);
	CHECK_ROWS("101 lwp_create 0, 102 lwp_create 0, ");
	reported.living = alive;
	reported.happened = second_ends;
	assert_int_equal(lives_put_detached(&r.lives, r.from, 1), 0);
	CHECK_ROWS("100 detach 5, 102 detach 3, 101 lwp_exit 9, ");
	assert_int_equal(sum_of_rows(&r), 5 + 3 + 9);
	end(&r);
}

/* The last LWPs of a process end while the counts of those that live are read. */
static void a_process_that_ends_as_counting_ends_has_its_rows(void **state)
{
	static const struct happening first[] = {
		{LIFE_BIRTH, SECOND, 0}, {LIFE_END, COMMAND, 5}, {0}};
	struct run r;

	(void)state;
	begin(&r);
	happen(&r, first);
	CHECK_ROWS("101 lwp_create 0, ");
	reported.happened = second_ends;
	assert_int_equal(lives_put_detached(&r.lives, r.from, 1), 0);
	CHECK_ROWS("101 lwp_exit 9, 100 exit 14, ");
	assert_int_equal(sum_of_rows(&r), 14);
	end(&r);
}

static void a_process_that_sleeps_in_vfork_has_no_ticks(void **state)
{
	static const struct happening vfork[] = {{LIFE_BIRTH, CHILD, 0}, {0}},
				      both[] = {{LIFE_TICK, COMMAND, 3},
						{LIFE_TICK, CHILD, 1},
						{0}},
				      child_ends[] = {{LIFE_END, CHILD, 2}, {0}},
				      command[] = {{LIFE_TICK, COMMAND, 4}, {0}};
	struct run r;

	(void)state;
	begin(&r);
	happen(&r, vfork);
	CHECK_ROWS("100 fork 200, ");
	reported.living = both;
	lives_tick(&r.lives, r.from);
	CHECK_ROWS("200 tick 1, ");
	happen(&r, child_ends);
	CHECK_ROWS("200 exit 2, ");
	reported.living = command;
	lives_tick(&r.lives, r.from);
	CHECK_ROWS("100 tick 4, ");
	end(&r);
}

/* The kernel reports ends of processes that are not followed, too. */
static void an_end_without_a_birth_is_noted_in_processes_that_are_followed(void **state)
{
	static const struct {
		int line, follow_fork;
		struct happening end;
		uint64_t unborn;
	} cases[] = {
		{__LINE__, 0, {LIFE_END, OTHER, 1}, 0},
		{__LINE__, 0, {LIFE_END, SECOND, 1}, 1},
		{__LINE__, 1, {LIFE_END, OTHER, 1}, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct happening ends[] = {cases[i].end, {0}};
		struct run r;

		begin(&r);
		r.o.follow_fork = cases[i].follow_fork;
		happen(&r, ends);
		CHECK_ROWS("");
		if (r.lives.unborn != cases[i].unborn)
			fail_msg("case of line %d", cases[i].line);
		end(&r);
	}
}

static void what_is_in_no_row_is_the_rest(void **state)
{
	static const struct happening ends[] = {
		{LIFE_BIRTH, SECOND, 0}, {LIFE_END, SECOND, 5}, {0}};
	struct run r;

	(void)state;
	begin(&r);
	happen(&r, ends);
	CHECK_ROWS("101 lwp_create 0, 101 lwp_exit 5, ");
	reported.total = (struct count){.count = 5, .enabled = 1, .running = 1};
	assert_int_equal(lives_put_rest(&r.lives, r.from, 1), 0);
	CHECK_ROWS("");
	reported.total.count = 9;
	assert_int_equal(lives_put_rest(&r.lives, r.from, 1), 1);
	CHECK_ROWS("0 rest 4, ");
	/* Without the total nothing is known of the rest. */
	reported.total.absent = 1;
	assert_int_equal(lives_put_rest(&r.lives, r.from, 1), 0);
	CHECK_ROWS("");
	end(&r);
}

/* The values of LWP 1 cannot be kept: its rows come at its end. */
static void without_memory_the_rows_come_early(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	r.o.verbose = 1;
	bufs_left = 0;
	happen(&r, first_ends);
	bufs_left = -1;
	CHECK_ROWS("101 init_lwp 0, 101 lwp_create 0, 102 init_lwp 0, 102 lwp_create 0, "
		   "102 fini_lwp 2, 102 lwp_exit 2, 100 fini_lwp 5, ");
	happen(&r, second_ends);
	CHECK_ROWS("101 fini_lwp 9, 101 lwp_exit 9, 100 exit 16, ");
	assert_null(r.lives.failed);
	end(&r);
}

static void ticks_that_fail_are_reported(void **state)
{
	static const struct happening alive[] = {{LIFE_TICK, COMMAND, 3}, {0}};
	struct run r;

	(void)state;
	begin(&r);
	reported.living = alive;
	bufs_left = 0;
	lives_tick(&r.lives, r.from);
	bufs_left = -1;
	assert_string_equal(r.lives.failed, "no memory available");
	r.lives.failed = NULL;
	reported.error = EBADF;
	lives_tick(&r.lives, r.from);
	assert_string_equal(r.lives.failed,
			    "the counts of LWPs that live cannot be read");
	CHECK_ROWS("");
	end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ended_first_lwp_has_ticks),
		cmocka_unit_test(lwps_that_live_are_detached),
		cmocka_unit_test(an_ended_first_lwp_is_detached_with_any_other),
		cmocka_unit_test(a_process_that_ends_as_counting_ends_has_its_rows),
		cmocka_unit_test(a_process_that_sleeps_in_vfork_has_no_ticks),
		cmocka_unit_test(
			an_end_without_a_birth_is_noted_in_processes_that_are_followed),
		cmocka_unit_test(what_is_in_no_row_is_the_rest),
		cmocka_unit_test(without_memory_the_rows_come_early),
		cmocka_unit_test(ticks_that_fail_are_reported),
	};

	return cmocka_run_group_tests_name("cputrack/lives", tests, NULL, NULL);
}
