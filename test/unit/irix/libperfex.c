#include <libperfex.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "irix/fake_counters.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static FILE *caught;
static int before = -1;

/* Let stderr go to a file. */
static void catch_stderr(void)
{
	caught = tmpfile();
	assert_non_null(caught);
	before = dup(STDERR_FILENO);
	assert_int_not_equal(before, -1);
	assert_int_equal(dup2(fileno(caught), STDERR_FILENO), STDERR_FILENO);
}

/* Restore stderr. Returns what was written to it since catch_stderr(). */
static const char *written(void)
{
	static char text[1 << 16];

	assert_int_equal(dup2(before, STDERR_FILENO), STDERR_FILENO);
	close(before);
	rewind(caught);
	text[fread(text, 1, sizeof text - 1, caught)] = '\0';
	fclose(caught);
	return text;
}

static int clear(void **arg)
{
	(void)arg;
	unsetenv("T5_EVENT0");
	unsetenv("T5_EVENT1");
	return load_costs("r10000_196");
}

static void same_as_golden(const char *got, const char *name)
{
	const char *dir = getenv("GOLDEN");
	char want[1 << 14];

	assert_int_not_equal(file_read(want, sizeof want, "%s/libperfex/%s",
				       dir ? dir : "test/golden", name),
			     -1);
	assert_string_equal(got, want);
}

static const struct {
	int line;
	const char *golden; /* name of the file */
	const char *table;  /* for load_costs(), or NULL */
	const char *event0; /* T5_EVENT0, or NULL */
	int costs;	    /* print_costs() */
	int e0;
	long long c0;
	int e1;
	long long c1;
} reports[] = {
	{__LINE__, "counters", NULL, NULL, 0, 0, 1645481936, 25, 16330160},
	{__LINE__, "swapped", NULL, NULL, 0, 31, 8144, 9, 8560},
	{__LINE__, "same-counter", NULL, NULL, 0, 26, 2, 25, 1},
	{__LINE__, "uncounted", NULL, NULL, 0, 0, -1, 16, 0},
	{__LINE__, "widest", NULL, NULL, 0, 15, INT64_MAX, 17, 99999999999999},
	{__LINE__, "named", NULL, "page-faults", 0, 0, 103, 26, 7},
	{__LINE__, "control", NULL, "a\033[2Jb", 0, 0, 103, 26, 7},
	{__LINE__, "renumbered", NULL, "18", 0, 0, 103, 15, 7},
	{__LINE__, "costs", NULL, NULL, 1, 0, 1639802080, 25, 16368384},
	{__LINE__, "costs-statistics", NULL, NULL, 1, 0, 1639802080, 21, 28371152},
	{__LINE__, "costs-r12000", "r12000_300", NULL, 1, 0, 3000000000, 16, 30000000},
	{__LINE__, "costs-uncounted", NULL, NULL, 1, 0, -1, 25, -1},
};

/* A report is what perfex prints for these counts. */
static void test_reports(void **arg)
{
	char *const name = program_invocation_name;

	(void)arg;
	for (size_t i = 0; i < LEN(reports); i++) {
		clear(NULL);
		if (reports[i].table)
			assert_int_equal(load_costs(reports[i].table), 0);
		if (reports[i].event0)
			setenv("T5_EVENT0", reports[i].event0, 1);
		program_invocation_name = (char[]){"./prog"};
		catch_stderr();
		const int rc = (reports[i].costs ? print_costs : print_counters)(
			reports[i].e0, reports[i].c0, reports[i].e1, reports[i].c1);
		const char *text = written();
		program_invocation_name = name;
		if (rc != 0)
			fail_msg("line %d: %d", reports[i].line, rc);
		same_as_golden(text, reports[i].golden);
	}
}

static const struct {
	int line;
	const char *event0, *event1; /* of the environment, or NULL */
	int e0, e1;
	const char *text; /* that is printed */
} bad[] = {
	{__LINE__, NULL, NULL, 32, 16,
	 "start_counters: event 32: event numbers are from 0 to 31"},
	{__LINE__, NULL, NULL, 0, -1,
	 "start_counters: event -1: event numbers are from 0 to 31"},
	{__LINE__, NULL, NULL, INT32_MIN, INT32_MAX,
	 "start_counters: event -2147483648: event numbers are from 0 to 31"},
	{__LINE__, NULL, NULL, 0, 15,
	 "start_counters: conflicting counters: events 0 and 15 are both counted by "
	 "counter 0"},
	{__LINE__, NULL, NULL, 31, 16,
	 "start_counters: conflicting counters: events 31 and 16 are both counted by "
	 "counter 1"},
	{__LINE__, NULL, NULL, 7, 7,
	 "start_counters: conflicting counters: events 7 and 7 are both counted by "
	 "counter 0"},
	{__LINE__, NULL, "5", 0, 16,
	 "start_counters: conflicting counters: events 0 and 5 are both counted by "
	 "counter 0"},
	{__LINE__, "CYCLES1", "16", 0, 1,
	 "start_counters: conflicting counters: events 16 and 16 are both counted by "
	 "counter 1"},
	{__LINE__, "32", NULL, 0, 16,
	 "start_counters: T5_EVENT0 32: event numbers are from 0 to 31"},
	{__LINE__, NULL, "", 0, 16,
	 "start_counters: T5_EVENT1 names no event: its value is empty"},
};

static void test_bad_events(void **arg)
{
	(void)arg;
	for (size_t i = 0; i < LEN(bad); i++) {
		char want[256];

		clear(NULL);
		if (bad[i].event0)
			setenv("T5_EVENT0", bad[i].event0, 1);
		if (bad[i].event1)
			setenv("T5_EVENT1", bad[i].event1, 1);
		catch_stderr();
		errno = 0;
		const int rc = start_counters(bad[i].e0, bad[i].e1), e = errno;
		const char *text = written();
		snprintf(want, sizeof want, "libperfex: %s\n", bad[i].text);
		if (rc != -1 || e != EINVAL || strcmp(text, want) != 0)
			fail_msg("line %d: %d, errno %d, %s", bad[i].line, rc, e, text);
	}
}

static void test_read_without_start(void **arg)
{
	long long c0 = 5, c1 = 6;

	(void)arg;
	clear(NULL);
	catch_stderr();
	errno = 0;
	const int rc = read_counters(0, &c0, 16, &c1), e = errno;
	assert_string_equal(written(),
			    "libperfex: read_counters: event CYCLES0 was not started\n");
	assert_int_equal(rc, -1);
	assert_int_equal(e, EINVAL);
	assert_int_equal(c0, 5);
	assert_int_equal(c1, 6);
}

static const struct {
	int line;
	const char *name;
	int error; /* errno, or 0 */
	const char *text;
} tables[] = {
	{__LINE__, "r10000_250", 0, ""},
	{__LINE__, "/nonexistent/costs", ENOENT,
	 "libperfex: load_costs: '/nonexistent/costs' is neither a table of costs nor a "
	 "file that can be opened: No such file or directory\n"},
	{__LINE__, "/", EISDIR,
	 "libperfex: load_costs: '/' is a file that cannot be read: Is a directory\n"},
	{__LINE__, "/dev/zero", EFBIG,
	 "libperfex: load_costs: '/dev/zero' is a file that cannot be read: File too "
	 "large\n"},
	{__LINE__, "/dev/null", EINVAL,
	 "libperfex: load_costs: /dev/null:1: the line 'cpu' is missing\n"},
};

static void test_load_costs(void **arg)
{
	(void)arg;
	for (size_t i = 0; i < LEN(tables); i++) {
		catch_stderr();
		errno = 0;
		const int rc = load_costs(tables[i].name), e = errno;
		const char *text = written();
		if (rc != (tables[i].error ? -1 : 0) ||
		    (tables[i].error && e != tables[i].error) ||
		    strcmp(text, tables[i].text) != 0)
			fail_msg("line %d: %d, errno %d, %s", tables[i].line, rc, e,
				 text);
	}
}

/* Fortran pads names with blanks, and passes their length. */
static void test_fortran_names(void **arg)
{
	(void)arg;
	assert_int_equal(load_costs_("r12000_300      ", 16), 0);
	assert_int_equal(load_costs_("r12000_300yyy", 10), 0);
	for (int length = -1; length <= 4; length += 5) {
		catch_stderr();
		errno = 0;
		const int rc = load_costs_("    ", length), e = errno;
		assert_string_equal(
			written(),
			"libperfex: load_costs: '' is neither a table of costs nor a "
			"file that can be opened: No such file or directory\n");
		assert_int_equal(rc, -1);
		assert_int_equal(e, ENOENT);
	}
}

static void test_fortran_calls(void **arg)
{
	const int e0 = 3, e1 = 16, conflict = 4;
	const long long c0 = 10, c1 = 20;

	(void)arg;
	clear(NULL);
	for (int costs = 0; costs < 2; costs++) {
		catch_stderr();
		assert_int_equal(
			(costs ? print_costs_ : print_counters_)(&e0, &c0, &e1, &c1), 0);
		char *same = strdup(written());
		catch_stderr();
		assert_int_equal((costs ? print_costs : print_counters)(e0, c0, e1, c1),
				 0);
		assert_string_equal(written(), same);
		free(same);
	}
	catch_stderr();
	const int rc = start_counters_(&e0, &conflict);
	assert_non_null(strstr(written(), "events 3 and 4 are"));
	assert_int_equal(rc, -1);
}

/* The errors go to stderr, too, so that only the errno is left. */
static void test_full_disk(void **arg)
{
	const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)arg;
	assert_int_not_equal(full, -1);
	catch_stderr();
	assert_int_equal(dup2(full, STDERR_FILENO), STDERR_FILENO);
	errno = 0;
	const int rc = print_counters(0, 1, 16, 1), e = errno;
	assert_string_equal(written(), "");
	assert_int_equal(rc, -1);
	assert_int_equal(e, ENOSPC);
	close(full);
}

/* What both events have counted between the start and the read. */
static void count_pair(const struct count *c0, const struct count *c1, long long *count)
{
	const int e0 = 0, e1 = 16;
	const struct count *const added[] = {c0, c1};

	faked_reset();
	assert_true(start_counters(e0, e1) > 0);
	for (int i = 0; i < 2; i++) {
		fake.val[i].count += added[i]->count;
		fake.val[i].enabled += added[i]->enabled;
		fake.val[i].running += added[i]->running;
	}
	assert_true(read_counters_(&e0, &count[0], &e1, &count[1]) > 0);
}

/* A note says how a value was obtained that is not exact, once for each event. */
static void test_values(void **arg)
{
	static const struct count exact = {.count = 7, .enabled = 8, .running = 8};
	static const struct count quarter = {.count = 40, .enabled = 8, .running = 2};
	static const struct count never = {.count = 0, .enabled = 8, .running = 0};
	long long count[2];

	(void)arg;
	clear(NULL);
	setenv("T5_EVENT0", "own_alpha", 1);
	setenv("T5_EVENT1", "own_gam", 1);
	count_pair(&exact, &never, count);
	assert_int_equal(count[0], 7);
	assert_int_equal(count[1], -1);
	count_pair(&quarter, &exact, count);
	assert_int_equal(count[0], 160);
	assert_int_equal(count[1], 7);
	for (int i = 0; i < 2; i++) {
		catch_stderr();
		const int rc = print_counters(0, count[0], 16, count[1]);
		const char *note = strstr(written(), "libperfex: ");
		assert_int_equal(rc, 0);
		if (i == 0)
			assert_string_equal(note,
					    "libperfex: event own_alpha: scaled: counted "
					    "25.00 % of the time, the rest is "
					    "extrapolated\n");
		else
			assert_null(note);
	}
	clear(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_bad_events),
		cmocka_unit_test(test_read_without_start),
		cmocka_unit_test(test_load_costs),
		cmocka_unit_test(test_fortran_names),
		cmocka_unit_test(test_fortran_calls),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
