/* What the processor times of a run say about programs that were not counted. */
#include "common/uncounted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
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
	 {.ns = 100 * MS, .user_ns = 90 * MS, .switches = 8, .rss_kib = 4 * MIB},
	 10 * MS,
	 UNCOUNTED_SOME,
	 "in 10 % of the processor time: "},
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
	 {.ns = 30 * MS,
	  .user_ns = 1 * MS,
	  .system_ns = 29 * MS,
	  .switches = 6,
	  .preemptions = 500,
	  .rss_kib = 20 * MIB},
	 1 * MS,
	 UNCOUNTED_SOME,
	 "in 3 % of the processor time: "},
	/* A parent that was preempted did not wait for the ends of its children. */
	{__LINE__,
	 NULL,
	 {.ns = 30 * MS,
	  .user_ns = 1 * MS,
	  .system_ns = 29 * MS,
	  .switches = 6,
	  .preemptions = 6,
	  .rss_kib = 100 * MIB},
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

/* A child that waits, as a command does before its exec. */
static pid_t waiting_child(int *end)
{
	int ends[2];
	char c;

	assert_int_equal(pipe(ends), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		close(ends[1]);
		_exit(read(ends[0], &c, 1) != 0);
	}
	close(ends[0]);
	*end = ends[1];
	return pid;
}

/*
 * More than half of the time was counted, but the command as a whole had more page faults
 * than were counted, and these for a shorter time.
 */
static void page_faults_are_missing(void **state)
{
	static const struct {
		int line;
		struct child_use use;
		enum uncounted_part part;
	} runs[] = {
		{__LINE__,
		 {.ns = 100 * MS, .user_ns = 100 * MS, .faults = 5000},
		 UNCOUNTED_SOME},
		{__LINE__, {.ns = 100 * MS, .user_ns = 100 * MS}, UNCOUNTED_NOTHING},
	};
	struct uncounted u = {.cpc = cpc};
	int end_of_child;

	(void)state;
	if (!cpc || cpc_engine_notice(cpc))
		skip();
	const pid_t pid = waiting_child(&end_of_child);
	uncounted_begin(&u, cpc, pid);
	const int is_counted = u.faults != NULL;
	for (size_t i = 0; is_counted && i < sizeof runs / sizeof runs[0]; i++) {
		char words[128] = "";
		const enum uncounted_part part =
			uncounted_check(&u, &runs[i].use, 60 * MS, words, sizeof words);

		if (part != runs[i].part ||
		    (part && !strstr(words, " % of the processor time: the kernel does "
					    "not count set-id")))
			fail_msg("line %d: part %d, words \"%s\"", runs[i].line, part,
				 words);
	}
	uncounted_end(&u);
	close(end_of_child);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	if (!is_counted)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(page_faults_are_missing, begin, end),
		cmocka_unit_test_setup_teardown(parts_of_a_run, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
