/*
 * Reads of counters without a system call. The arithmetic is checked on pages that the
 * tests fill in. The reads themselves run only in virtual machines (test/qemu), which set
 * GUEST in the environment: their clock counts instructions, so user-mode cycles are the
 * instructions of this program.
 */
#include "engine/kernel/rdpmc.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/kernel/event.h"

enum { TURNS = 100000, MAX = 12 };

static const struct engine_ops *const k = &engine_kernel;

static void counts_by_width_and_offset(void **state)
{
	static const struct {
		int line;
		uint16_t width;
		int64_t offset;
		uint64_t pmc, want;
	} cases[] = {
		{__LINE__, 64, 0, 5, 5},
		{__LINE__, 64, -3, 5, 2},
		{__LINE__, 48, 0, 0x7fffffffffff, 0x7fffffffffff},
		/* a counter that was set to -1000 and has counted 1 event since */
		{__LINE__, 48, 1000, 0xfffffffffc19, 1},
		{__LINE__, 32, 0x80000000, 0x80000007, 7},
		{__LINE__, 32, 0x180000000, 0x7fffffff, 0x1ffffffff},
		/* bits above the width are ignored */
		{__LINE__, 40, 10, 0xab0000000001, 11},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct perf_event_mmap_page p = {.pmc_width = cases[i].width,
						       .offset = cases[i].offset};
		const uint64_t got = kernel_rdpmc_count(&p, cases[i].pmc);

		if (got != cases[i].want)
			fail_msg("line %d: %#llx, want %#llx", cases[i].line,
				 (unsigned long long)got,
				 (unsigned long long)cases[i].want);
	}
}

static void computes_times_by_mult_and_shift(void **state)
{
	static const struct {
		int line;
		uint32_t mult;
		uint16_t shift;
		uint64_t offset, cycles, want;
		uint64_t from, mask; /* cap_user_time_short, if there is a mask */
	} cases[] = {
		{__LINE__, 1, 0, 0, 77, 77, 0, 0},
		{__LINE__, 3, 1, 5, 101, 5 + 151, 0, 0},
		/* 3 GHz; a product of 64 bits would overflow */
		{__LINE__, 1431655765, 32, 0, UINT64_C(3) << 60,
		 UINT64_C(0xffffffff0000000), 0, 0},
		/* a negative offset */
		{__LINE__, 2, 1, UINT64_MAX - 99, 120, 20, 0, 0},
		/* a clock of 8 bits that has wrapped */
		{__LINE__, 1, 0, 0, 2, 0x102, 0xf0, 0xff},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct perf_event_mmap_page p = {
			.cap_user_time = 1,
			.cap_user_time_short = cases[i].mask != 0,
			.time_mult = cases[i].mult,
			.time_shift = cases[i].shift,
			.time_offset = cases[i].offset,
			.time_cycles = cases[i].from,
			.time_mask = cases[i].mask,
		};
		const uint64_t got = kernel_rdpmc_since(&p, cases[i].cycles);

		if (got != cases[i].want)
			fail_msg("line %d: %#llx, want %#llx", cases[i].line,
				 (unsigned long long)got,
				 (unsigned long long)cases[i].want);
	}
}

/* Events that are bound to the caller. */
struct bound {
	struct engine *e;
	struct evsel *sel[MAX];
	struct group *g;
	unsigned n;
	struct why why;
};

static void bind_all(struct bound *b, unsigned n, const char *const *name)
{
	*b = (struct bound){.e = k->open(&b->why), .n = n};
	assert_non_null(b->e);
	for (unsigned i = 0; i < n; i++) {
		const struct engine_request req = {name[i], NULL, CPC_COUNT_USER,
						   0,	    NULL, NULL};

		b->sel[i] = k->encode(b->e, &req, &b->why);
		if (!b->sel[i])
			fail_msg("%s: %s", name[i], b->why.text);
	}
	b->g = k->bind(b->e, &(struct target){0}, (const struct evsel *const *)b->sel, n,
		       &b->why);
	if (!b->g)
		fail_msg("%s", b->why.text);
}

static void release(struct bound *b)
{
	k->unbind(b->g);
	for (unsigned i = 0; i < b->n; i++)
		k->drop(b->sel[i]);
	k->close(b->e);
}

static void software_events_have_no_pages(void **state)
{
	static const char *const names[] = {"page-faults"};
	struct bound b;

	(void)state;
	bind_all(&b, 1, names);
	assert_null(b.g->rdpmc);
	release(&b);
}

#ifdef __aarch64__
static void sample(const struct bound *b, struct count *val)
{
	int64_t ns;
	uint64_t on;

	assert_int_equal(k->read(b->g, val, &ns, &on), 0);
	assert_true(ns > 0 && on > 0);
}

static int by_page(const struct bound *b, struct count *val)
{
	return kernel_rdpmc_try(b->g->rdpmc, b->g, val);
}

static void turn(uint64_t n)
{
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
}

static void allow(int yes)
{
	const int fd = open("/proc/sys/kernel/perf_user_access", O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, yes ? "1" : "0", 1), 1);
	close(fd);
}

/* The setting when a virtual machine starts. */
static int forbid(void **state)
{
	(void)state;
	allow(0);
	return 0;
}

static const char *const two[] = {"cycles", "instructions"};

/* After this a read(2) of the group fails. */
static void close_descriptors(const struct bound *b)
{
	const int null = open("/dev/null", O_RDONLY);

	assert_true(null >= 0);
	for (unsigned i = 0; i < b->g->n; i++)
		assert_int_equal(dup2(null, b->g->part[i].fd), b->g->part[i].fd);
	close(null);
}

static uint64_t cost_of(const struct bound *b, unsigned i, uint64_t turns)
{
	struct count from[2], to[2];

	sample(b, from);
	turn(turns);
	sample(b, to);
	assert_true(to[i].running > from[i].running);
	assert_true(to[i].running == to[i].enabled);
	return to[i].count - from[i].count;
}

/* A turn has two instructions; a sample adds the same number of them each time. */
static void is_exact_and_makes_no_system_call(void **state)
{
	struct bound b;

	(void)state;
	allow(1);
	bind_all(&b, 2, two);
	assert_non_null(b.g->rdpmc);
	close_descriptors(&b);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t one = cost_of(&b, i, TURNS),
			       more = cost_of(&b, i, 3 * TURNS);

		print_message("%s: %d turns %lu, %d turns %lu\n", two[i], TURNS, one,
			      3 * TURNS, more);
		assert_int_equal(more - one, 4 * TURNS);
	}
	/* The clock of the virtual machine advances 1 ns with each instruction. */
	struct count from[2], to[2];
	sample(&b, from);
	turn(TURNS);
	sample(&b, to);
	assert_in_range(to[0].enabled - from[0].enabled, 2 * TURNS, 4 * TURNS);
	release(&b);
}

static void agrees_with_read(void **state)
{
	struct bound b;
	struct count before[2], val[2], after[2];
	uint64_t enabled;

	(void)state;
	allow(1);
	bind_all(&b, 2, two);
	turn(TURNS);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(by_page(&b, before), 0);
		assert_int_equal(kernel_group_read(b.g, val, &enabled), 0);
		assert_int_equal(by_page(&b, after), 0);
		for (int s = 0; s < 2; s++) {
			assert_in_range(val[s].count, before[s].count, after[s].count);
			assert_in_range(val[s].enabled, before[s].enabled,
					after[s].enabled);
			assert_true(after[s].count - before[s].count < 2000);
		}
		turn(1000);
	}
	release(&b);
}

static void leaves_frozen_groups_to_read(void **state)
{
	struct bound b;
	struct count val[2], again[2];

	(void)state;
	allow(1);
	bind_all(&b, 2, two);
	assert_int_equal(by_page(&b, val), 0);
	assert_int_equal(k->freeze(b.g), 0);
	assert_int_equal(by_page(&b, val), -1);
	sample(&b, val);
	turn(TURNS);
	sample(&b, again);
	assert_int_equal(val[0].count, again[0].count);
	assert_int_equal(k->thaw(b.g, NULL), 0);
	assert_int_equal(by_page(&b, val), 0);
	release(&b);
}

static void leaves_multiplexed_groups_to_read(void **state)
{
	static const char *names[MAX];
	struct bound b;
	struct count val[MAX];

	(void)state;
	allow(1);
	for (unsigned i = 0; i < MAX; i++)
		names[i] = "INST_RETIRED";
	bind_all(&b, MAX, names);
	assert_true(b.g->ngroups > 1);
	for (int i = 0; i < 100; i++) {
		turn(10 * TURNS);
		assert_int_equal(by_page(&b, val), -1);
	}
	sample(&b, val);
	for (unsigned i = 0; i < MAX; i++)
		assert_true(val[i].running < val[i].enabled);
	release(&b);
}

static void *read_in_another_thread(void *arg)
{
	struct count val[2];

	return by_page(arg, val) ? arg : NULL;
}

/* Another thread would read counters of its own processor; a child has no pages. */
static void serves_only_its_thread(void **state)
{
	struct bound b;
	struct count val[2];
	pthread_t t;
	void *refused = NULL;
	int status;

	(void)state;
	allow(1);
	bind_all(&b, 2, two);
	assert_int_equal(by_page(&b, val), 0);
	assert_int_equal(pthread_create(&t, NULL, read_in_another_thread, &b), 0);
	assert_int_equal(pthread_join(t, &refused), 0);
	assert_ptr_equal(refused, &b);
	const pid_t pid = fork();
	if (pid == 0) {
		const int rc = by_page(&b, val);
		k->unbind(b.g);
		_exit(rc == -1 ? 7 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	assert_int_equal(by_page(&b, val), 0);
	release(&b);
}

static void reads_only_if_the_sysctl_allows(void **state)
{
	struct bound b;

	(void)state;
	allow(0);
	bind_all(&b, 2, two);
	assert_null(b.g->rdpmc);
	assert_true(cost_of(&b, 1, TURNS) >= 2 * TURNS);
	release(&b);
}

/* This PMU makes a "long" counter of two, which user mode cannot read. */
static void does_not_read_long_counters(void **state)
{
	static const char *const names[] = {"armv8_pmuv3/event=0x8,long=1/"};
	struct bound b;

	(void)state;
	allow(1);
	bind_all(&b, 1, names);
	assert_null(b.g->rdpmc);
	assert_true(cost_of(&b, 0, TURNS) >= 2 * TURNS);
	release(&b);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_by_width_and_offset),
		cmocka_unit_test(computes_times_by_mult_and_shift),
		cmocka_unit_test(software_events_have_no_pages),
	};
	int failed = cmocka_run_group_tests_name("kernel_rdpmc", tests, NULL, NULL);
#ifdef __aarch64__
	const struct CMUnitTest guest[] = {
		cmocka_unit_test(is_exact_and_makes_no_system_call),
		cmocka_unit_test(agrees_with_read),
		cmocka_unit_test(leaves_frozen_groups_to_read),
		cmocka_unit_test(leaves_multiplexed_groups_to_read),
		cmocka_unit_test(serves_only_its_thread),
		cmocka_unit_test(reads_only_if_the_sysctl_allows),
		cmocka_unit_test(does_not_read_long_counters),
	};
	if (getenv("GUEST"))
		failed += cmocka_run_group_tests_name("kernel_rdpmc, guest", guest, NULL,
						      forbid);
#endif
	return failed;
}
