/* What the processor times of a run say about programs that were not counted. */
#include "common/uncounted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MS  INT64_C(1000000)
#define MIB INT64_C(1024)

static cpc_t *cpc;

static int begin(void **state)
{
	(void)state;
	cpc = cpc_open(CPC_VER_CURRENT);
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (cpc)
		cpc_close(cpc);
	return 0;
}

static const struct {
	int line;
	const char *why;
	struct child_use use;
	int64_t enabled_ns;
	enum uncounted_part part;
	const char *words; /* how they begin */
} cases[] = {
	/* All was counted, but for the ends of the processes. */
	{__LINE__,
	 NULL,
	 {.ns = 100 * MS, .user_ns = 90 * MS, .switches = 2},
	 100 * MS,
	 UNCOUNTED_NOTHING,
	 ""},
	{__LINE__, NULL, {.ns = 0}, 0, UNCOUNTED_NOTHING, ""},
	{__LINE__,
	 NULL,
	 {.ns = 100 * MS, .user_ns = 90 * MS, .switches = 2},
	 60 * MS,
	 UNCOUNTED_NOTHING,
	 ""},
	/* The events count longer than the processor times say. */
	{__LINE__,
	 "set-id",
	 {.ns = 1 * MS, .switches = 2},
	 2 * MS,
	 UNCOUNTED_NOTHING,
	 ""},
	/* The command itself is not counted. */
	{__LINE__,
	 "set-id",
	 {.ns = 1 * MS, .switches = 2},
	 0,
	 UNCOUNTED_ALL,
	 "the kernel does not count set-id programs"},
	/* Most of the time is missing. */
	{__LINE__,
	 NULL,
	 {.ns = 200 * MS, .user_ns = 180 * MS, .switches = 8, .rss_kib = 4 * MIB},
	 20 * MS,
	 UNCOUNTED_SOME,
	 "in 10 % of the processor time: "},
	/* The host stopped the virtual processor in the exit. */
	{__LINE__,
	 NULL,
	 {.ns = 16 * MS,
	  .user_ns = 6 * MS,
	  .system_ns = 10 * MS,
	  .switches = 1,
	  .preemptions = 50,
	  .rss_kib = 1 * MIB,
	  .faults = 65},
	 5 * MS,
	 UNCOUNTED_NOTHING,
	 ""},
	/* Too little to be sure: 5 ms. */
	{__LINE__,
	 NULL,
	 {.ns = 4 * MS, .user_ns = 4 * MS, .switches = 1},
	 0,
	 UNCOUNTED_NOTHING,
	 ""},
	/* 200 processes with 1 GiB, whose ends take most of the time. */
	{__LINE__,
	 NULL,
	 {.ns = 9000 * MS,
	  .user_ns = 900 * MS,
	  .system_ns = 8100 * MS,
	  .switches = 400,
	  .rss_kib = 1024 * MIB},
	 1000 * MS,
	 UNCOUNTED_NOTHING,
	 ""},
	/* The ends take time of the kernel alone, however many switches there are. */
	{__LINE__,
	 NULL,
	 {.ns = 4000 * MS,
	  .user_ns = 3900 * MS,
	  .system_ns = 100 * MS,
	  .switches = 4000,
	  .rss_kib = 100 * MIB},
	 100 * MS,
	 UNCOUNTED_SOME,
	 "in 2 % of the processor time: "},
	/* Other programs on a busy machine preempt the process again and again. */
	{__LINE__,
	 NULL,
	 {.ns = 150 * MS,
	  .user_ns = 1 * MS,
	  .system_ns = 149 * MS,
	  .switches = 6,
	  .preemptions = 500,
	  .rss_kib = 20 * MIB},
	 3 * MS,
	 UNCOUNTED_SOME,
	 "in 2 % of the processor time: "},
	/* A parent that was preempted did not wait for the ends of its children. */
	{__LINE__,
	 NULL,
	 {.ns = 150 * MS,
	  .user_ns = 1 * MS,
	  .system_ns = 149 * MS,
	  .switches = 6,
	  .preemptions = 6,
	  .rss_kib = 600 * MIB},
	 1 * MS,
	 UNCOUNTED_NOTHING,
	 ""},
};

static void parts_of_a_run(void **state)
{
	(void)state;
	if (!cpc || cpc_engine_notice(cpc))
		skip();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct uncounted u = {.why = cases[i].why, .cpc = cpc};
		char words[128] = "";
		const enum uncounted_part part =
			uncounted_check(&u, &cases[i].use, (uint64_t)cases[i].enabled_ns,
					words, sizeof words);

		if (part != cases[i].part ||
		    strncmp(words, cases[i].words, strlen(cases[i].words)) != 0)
			fail_msg("line %d: part %d, words \"%s\"", cases[i].line, part,
				 words);
	}
}

enum { TOUCHED = 100 };

/* Creates a child that waits, as a command before its exec, and then has page faults. */
static pid_t waiting_child(int *end)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int ends[2];
	char c;

	assert_int_equal(pipe(ends), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		close(ends[1]);
		if (read(ends[0], &c, 1) != 0)
			_exit(1);
		volatile char *memory = mmap(NULL, TOUCHED * page, PROT_READ | PROT_WRITE,
					     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			_exit(1);
		for (size_t i = 0; i < TOUCHED; i++)
			memory[i * page] = 1;
		_exit(0);
	}
	close(ends[0]);
	*end = ends[1];
	return pid;
}

/* Returns the page faults that were counted in the child of u. */
static uint64_t count_of(const struct uncounted *u)
{
	cpc_buf_t *buf = cpc_buf_create(cpc, u->faults);
	cpc_value_t v;

	assert_non_null(buf);
	assert_int_equal(cpc_set_sample(cpc, u->faults, buf), 0);
	assert_int_equal(cpc_buf_value(cpc, buf, 0, &v), 0);
	cpc_buf_destroy(cpc, buf);
	return v.count;
}

/*
 * A command that had more page faults than were counted has descendants that were not
 * counted. Without these, the host may have taken the missing time away.
 */
static void page_faults_are_missing(void **state)
{
	static const struct {
		int line;
		int64_t ns;
		uint64_t uncounted_faults;
		int64_t enabled_ns;
		enum uncounted_part part;
	} runs[] = {
		/* The page faults were counted for a shorter time than the events. */
		{__LINE__, 1000 * MS, 5000, 600 * MS, UNCOUNTED_SOME},
		{__LINE__, 1000 * MS, 0, 600 * MS, UNCOUNTED_NOTHING},
		/* Less than half as many page faults are missing as were counted. */
		{__LINE__, 30 * MS, 40, 1 * MS, UNCOUNTED_SOME},
		{__LINE__, 30 * MS, 20, 1 * MS, UNCOUNTED_NOTHING},
	};
	struct uncounted u = {.cpc = cpc};
	int end_of_child, status;

	(void)state;
	if (!cpc || cpc_engine_notice(cpc))
		skip();
	const pid_t pid = waiting_child(&end_of_child);
	uncounted_begin(&u, cpc, pid);
	close(end_of_child);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	if (!u.faults)
		skip();
	const uint64_t count = count_of(&u);
	assert_in_range(count, 3 * TOUCHED / 4, 3 * TOUCHED);
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		const struct child_use use = {.ns = runs[i].ns,
					      .user_ns = runs[i].ns,
					      .faults = count + runs[i].uncounted_faults};
		char words[128] = "";
		const enum uncounted_part part = uncounted_check(
			&u, &use, (uint64_t)runs[i].enabled_ns, words, sizeof words);

		if (part != runs[i].part ||
		    (part && !strstr(words, " % of the processor time: the kernel does "
					    "not count set-id")))
			fail_msg("line %d: part %d, words \"%s\"", runs[i].line, part,
				 words);
	}
	uncounted_end(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(page_faults_are_missing, begin, end),
		cmocka_unit_test_setup_teardown(parts_of_a_run, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
