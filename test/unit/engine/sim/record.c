/* Runs that are recorded: their events, and runs that cannot begin. */
#include "engine/sim/record.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "engine/machine.h"
#include "engine/sim/expression.h"

static void an_event_more_than_the_most_is_refused(void **arg)
{
	struct records_head head = {0};
	struct why why = {""};

	(void)arg;
	for (unsigned i = 0; i < RECORDS_EVENTS; i++)
		if (sim_record_add(&head, sim_vocab[i].name, 0, &why) == -1)
			fail_msg("%s: %s", sim_vocab[i].name, why.text);
	const char *const name = sim_vocab[RECORDS_EVENTS].name;
	errno = 0;
	assert_int_equal(sim_record_add(&head, name, 0, &why), -1);
	assert_int_equal(errno, ENOSPC);
	assert_non_null(strstr(why.text, "32 events are the most"));
	assert_non_null(strstr(why.text, name));
	assert_int_equal(head.nevents, RECORDS_EVENTS);
	/* an event that is there is refused for this reason */
	assert_int_equal(sim_record_add(&head, sim_vocab[0].name, 0, &why), -1);
	assert_int_equal(errno, EEXIST);
}

/* Returns the words of a run that cannot begin, whose errno is error. */
static const char *refused(const char *level, int error)
{
	static const struct machine machine = {.name = "plain", .title = "plain"};
	static struct why why;
	struct records_head head = {.room = 2};
	const struct sim_record_run run = {
		.machine = &machine, .reproducible = level, .head = &head};

	assert_int_equal(sim_record_add(&head, "ire", 1, &why), 0);
	errno = 0;
	assert_null(sim_record_open(&run, &why));
	assert_int_equal(errno, error);
	return why.text;
}

static void a_level_that_the_processor_lacks_is_refused(void **arg)
{
	(void)arg;
	assert_string_equal(
		refused("v4", ENOTSUP),
		"this processor cannot run programs of x86-64-v4; use a lower level");
}

/* The file is larger than this process may make files; no signal ends the process. */
static void a_limit_of_files_is_an_error(void **arg)
{
	struct rlimit before, limit;

	(void)arg;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 1 << 20;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	const char *const words = refused(NULL, EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_string_equal(words, "cannot create the file for records: File too large");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_more_than_the_most_is_refused),
		cmocka_unit_test(a_level_that_the_processor_lacks_is_refused),
		cmocka_unit_test(a_limit_of_files_is_an_error),
	};

	return cmocka_run_group_tests_name("engine/sim/record", tests, NULL, NULL);
}
