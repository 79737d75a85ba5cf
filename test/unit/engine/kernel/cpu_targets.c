/*
 * CPUs as targets. Tests that need hardware events, or CPUs that may go offline, run only
 * in virtual machines (test/qemu), which set GUEST in the environment.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/kernel/event.h"
#include "engine/kernel/group.h"

enum { TURNS = 10000000 };

static const struct engine_ops *const k = &engine_kernel;

/* One event, bound to two CPUs. */
struct cpus {
	struct engine *e;
	struct evsel *sel;
	struct group *g[2];
	struct count val[2];
	struct why why;
};

static int bind_cpu(struct cpus *c, int cpu)
{
	const struct target t = {.tid = -1, .cpu = cpu};

	c->g[cpu & 1] =
		k->bind(c->e, &t, (const struct evsel *const[]){c->sel}, 1, &c->why);
	return c->g[cpu & 1] ? 0 : -1;
}

static void begin(struct cpus *c, const char *event, unsigned flags)
{
	const struct engine_request req = {event, NULL, flags, 0, NULL, NULL};

	*c = (struct cpus){.e = k->open(&c->why)};
	assert_non_null(c->e);
	c->sel = k->encode(c->e, &req, &c->why);
	if (!c->sel)
		fail_msg("%s: %s", event, c->why.text);
}

static void end(struct cpus *c)
{
	for (int i = 0; i < 2; i++)
		k->unbind(c->g[i]);
	k->drop(c->sel);
	k->close(c->e);
}

static int sample(struct cpus *c, int cpu)
{
	int64_t ns;
	uint64_t on;

	return k->read(c->g[cpu], &c->val[cpu], &ns, &on);
}

/* Let the caller run on this CPU only. */
static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
}

/* Each turn executes at least two instructions. */
static void turn(unsigned n)
{
	for (volatile unsigned i = 0; i < n; i++)
		;
}

static void online(int cpu, int yes)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	const int fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, yes ? "1" : "0", 1), 1);
	close(fd);
}

static void need_privilege(void)
{
	if (geteuid() == 0)
		return;
	print_message("not root\n");
	skip();
}

/* cpu-clock counts on a CPU whatever runs there. */
static void counts_what_runs_on_a_cpu(void **state)
{
	struct cpus c;

	(void)state;
	need_privilege();
	begin(&c, "cpu-clock", CPC_COUNT_USER | CPC_COUNT_SYSTEM);
	if (bind_cpu(&c, 0))
		fail_msg("%s", c.why.text);
	assert_int_equal(sample(&c, 0), 0);
	const struct count first = c.val[0];
	turn(TURNS / 10);
	assert_int_equal(sample(&c, 0), 0);
	assert_true(c.val[0].enabled > first.enabled);
	assert_true(c.val[0].count >= first.count);
	assert_true(c.val[0].running == c.val[0].enabled);
	end(&c);
}

static void refuses_a_cpu_that_does_not_exist(void **state)
{
	struct cpus c;

	(void)state;
	need_privilege();
	begin(&c, "cpu-clock", CPC_COUNT_USER | CPC_COUNT_SYSTEM);
	assert_int_equal(bind_cpu(&c, 4094), -1);
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(c.why.text, "CPU 4094"));
	end(&c);
}

/* Groups that were opened enabled, as trials are: on LWPs, on CPU 0, on CPU 1. */
static unsigned tries[3];

/* A fake kernel with a PMU, whose events count nothing. */
static int open_and_note(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
			 unsigned long flags)
{
	if (attr->type == PERF_TYPE_HARDWARE) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_DUMMY;
	}
	if (leader < 0 && !attr->disabled)
		tries[tid == -1 ? cpu + 1 : 0]++;
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, leader, flags);
}

static void bind_twice(struct engine *e, const struct evsel *const *sel, pid_t tid,
		       int cpu)
{
	const struct target t = {.tid = tid, .cpu = cpu};
	struct why why;

	for (int i = 0; i < 2; i++) {
		struct group *g = k->bind(e, &t, sel, 2, &why);

		if (!g)
			fail_msg("%s", why.text);
		k->unbind(g);
	}
}

/* Whether a list fits is tried where it will count, once for each CPU. */
static void tries_lists_where_they_count(void **state)
{
	const struct kernel_env env = {"", open_and_note};
	const struct engine_request req = {"perf::CYCLES", NULL, CPC_COUNT_USER, 0,
					   NULL,	   NULL};
	struct why why;
	struct evsel *sel[2];

	(void)state;
	need_privilege();
	struct engine *e = kernel_open(&env, &why);
	for (int i = 0; i < 2; i++) {
		sel[i] = k->encode(e, &req, &why);
		if (!sel[i])
			fail_msg("%s", why.text);
	}
	memset(tries, 0, sizeof(tries));
	bind_twice(e, (const struct evsel *const *)sel, -1, 0);
	assert_int_equal(tries[1], 1);
	assert_int_equal(tries[0], 0);
	bind_twice(e, (const struct evsel *const *)sel, getpid(), 0);
	assert_int_equal(tries[0], 1);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		bind_twice(e, (const struct evsel *const *)sel, -1, 1);
		assert_int_equal(tries[2], 1);
	}
	assert_int_equal(tries[1], 1);
	for (int i = 0; i < 2; i++)
		k->drop(sel[i]);
	k->close(e);
}

/* Bits: kinds of core that the fake CPU is not; config[1] of an event is its kind. */
static uint64_t lacking;

static int open_of_core(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
			unsigned long flags)
{
	if (lacking >> attr->config1 & 1) {
		errno = ENOENT;
		return -1;
	}
	attr->config1 = 0;
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, leader, flags);
}

static struct kernel_event event_of(unsigned core)
{
	return (struct kernel_event){.type = PERF_TYPE_SOFTWARE,
				     .config = {PERF_COUNT_SW_DUMMY, core},
				     .core = core};
}

/*
 * Opens an evsel with parts of these kinds on CPU 0 or the caller. Returns their number.
 */
static int count_opened_parts(int on_cpu, unsigned first, unsigned second, unsigned third)
{
	const struct kernel_env env = {"", open_of_core};
	const struct kernel_open_how m = {.tid = on_cpu ? -1 : 0};
	const struct evsel s = {
		.factor = 1,
		.n = 3,
		.ev = {event_of(first), event_of(second), event_of(third)}};
	const struct evsel *sel = &s;
	struct kernel_failure f;
	struct group *g = kernel_group_open(&env, &m, &sel, 1, NULL, &f);
	const int n = g ? (int)g->n : -1;

	kernel_group_close(g);
	return n;
}

/*
 * On a CPU all parts of its kind of core count; if one is missing the evsel is refused.
 */
static void opens_only_parts_of_the_kind_of_core(void **state)
{
	(void)state;
	need_privilege();
	lacking = 2;
	assert_int_equal(count_opened_parts(1, 0, 1, 1), 1);
	assert_int_equal(count_opened_parts(1, 0, 0, 1), 2);
	assert_int_equal(count_opened_parts(1, 1, 0, 0), 2);
	assert_int_equal(count_opened_parts(1, 1, 1, 1), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(count_opened_parts(0, 0, 0, 1), -1);
	assert_int_equal(errno, ENOENT);
	lacking = 0;
	assert_int_equal(count_opened_parts(0, 0, 0, 1), 3);
}

/*
 * In these virtual machines an idle CPU's clock still counts in system mode, so this test
 * counts user mode. One counter serves both CPUs: a value may be too large, but never too
 * small.
 */
static void counts_on_the_cpu_that_works(void **state)
{
	struct cpus c;

	(void)state;
	begin(&c, "INST_RETIRED", CPC_COUNT_USER);
	for (int busy = 0; busy < 2; busy++) {
		move_to(busy);
		for (int i = 0; i < 2; i++)
			assert_int_equal(bind_cpu(&c, i), 0);
		turn(TURNS);
		for (int i = 0; i < 2; i++)
			assert_int_equal(sample(&c, i), 0);
		assert_true(c.val[busy].count > 2 * TURNS);
		assert_int_equal(c.val[!busy].count, 0);
		for (int i = 0; i < 2; i++) {
			k->unbind(c.g[i]);
			c.g[i] = NULL;
		}
	}
	end(&c);
}

/*
 * Reads of the offline CPU fail, reads of the other go on; then the CPU can be bound
 * again.
 */
static void notices_a_cpu_that_goes_offline(void **state)
{
	struct cpus c;

	(void)state;
	begin(&c, "CPU_CYCLES", CPC_COUNT_USER);
	move_to(0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(bind_cpu(&c, i), 0);
		assert_int_equal(sample(&c, i), 0);
	}
	online(1, 0);
	/* One more read may return the last values. */
	sample(&c, 1);
	for (int back = 0; back < 2; back++) {
		const uint64_t before = c.val[0].count;
		turn(TURNS / 10);
		assert_int_equal(sample(&c, 0), 0);
		assert_true(c.val[0].count > before);
		errno = 0;
		assert_int_equal(sample(&c, 1), -1);
		assert_int_equal(errno, ENODEV);
		if (back)
			break;
		k->unbind(c.g[1]);
		assert_int_equal(bind_cpu(&c, 1), -1);
		assert_int_equal(errno, ENODEV);
		assert_non_null(strstr(c.why.text, "CPU 1"));
		online(1, 1);
		assert_int_equal(bind_cpu(&c, 1), 0);
		assert_int_equal(sample(&c, 1), 0);
		online(1, 0);
		sample(&c, 1);
		online(1, 1);
	}
	k->unbind(c.g[1]);
	assert_int_equal(bind_cpu(&c, 1), 0);
	move_to(1);
	turn(TURNS / 10);
	assert_int_equal(sample(&c, 1), 0);
	assert_true(c.val[1].count > TURNS / 10);
	end(&c);
}

/* The kernel takes the group apart, but its events keep their counts. */
static void a_group_loses_nothing_when_its_cpu_goes_offline(void **state)
{
	static const char *const name[] = {"CPU_CYCLES", "cpu-clock", "INST_RETIRED"};
	enum { N = sizeof(name) / sizeof(name[0]) };
	const struct target t = {.tid = -1, .cpu = 1};
	struct count before[N], after[N];
	struct evsel *sel[N];
	struct why why;
	int64_t ns;
	uint64_t on;

	(void)state;
	struct engine *e = k->open(&why);
	for (int i = 0; i < N; i++) {
		const struct engine_request req = {name[i], NULL, CPC_COUNT_USER,
						   0,	    NULL, NULL};
		sel[i] = k->encode(e, &req, &why);
		assert_non_null(sel[i]);
	}
	struct group *g = k->bind(e, &t, (const struct evsel *const *)sel, N, &why);
	assert_non_null(g);
	move_to(1);
	turn(TURNS / 10);
	assert_int_equal(k->read(g, before, &ns, &on), 0);
	turn(TURNS / 10);
	move_to(0);
	online(1, 0);
	assert_int_equal(k->read(g, after, &ns, &on), 0);
	online(1, 1);
	for (int i = 0; i < N; i++) {
		assert_true(before[i].count > TURNS / 10);
		assert_in_range(after[i].count, before[i].count + TURNS / 10,
				before[i].count * 1000);
		assert_in_range(after[i].enabled, before[i].enabled, INT64_MAX);
		assert_in_range(after[i].running, before[i].running, after[i].enabled);
	}
	k->unbind(g);
	for (int i = 0; i < N; i++)
		k->drop(sel[i]);
	k->close(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_what_runs_on_a_cpu),
		cmocka_unit_test(refuses_a_cpu_that_does_not_exist),
		cmocka_unit_test(tries_lists_where_they_count),
		cmocka_unit_test(opens_only_parts_of_the_kind_of_core),
	};
	const struct CMUnitTest guest_tests[] = {
		cmocka_unit_test(counts_on_the_cpu_that_works),
		cmocka_unit_test(notices_a_cpu_that_goes_offline),
		cmocka_unit_test(a_group_loses_nothing_when_its_cpu_goes_offline),
	};

	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!getenv("GUEST"))
		return failed;
	return failed + cmocka_run_group_tests(guest_tests, NULL, NULL);
}
