/* Provisional text that does not fit into its file. */
#include "common/out.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

static char path[sizeof "/tmp/opencpc-out.XXXXXX"];

static void check_file(const char *text)
{
	char got[64];

	assert_int_equal(file_read(got, sizeof got, "%s", path), strlen(text));
	assert_string_equal(got, text);
}

static int write_text(struct out *o, const char *text)
{
	return out_write(o, text, strlen(text));
}

/* Files may have this many bytes from now on. */
static void limit_files(rlim_t size)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void the_next_text_takes_the_place_of_provisional_text(void **state)
{
	struct out o;

	(void)state;
	assert_int_equal(out_open(&o, path, -1, NULL), 0);
	assert_int_equal(write_text(&o, "row\n"), 0);
	assert_int_equal(out_provisional_begin(&o), 0);
	assert_int_equal(write_text(&o, "provisional\n"), 0);
	out_provisional_end(&o);
	check_file("row\nprovisional\n");
	assert_int_equal(write_text(&o, "last\n"), 0);
	check_file("row\nlast\n");
	out_close(&o);
}

/* Half of a report is worse than none; rows that fit are still written. */
static void provisional_text_that_does_not_fit_is_removed(void **state)
{
	struct rlimit before;
	struct out o;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(out_open(&o, path, -1, NULL), 0);
	assert_int_equal(write_text(&o, "row\n"), 0);
	assert_int_equal(out_provisional_begin(&o), 0);
	assert_int_equal(write_text(&o, "one\n"), 0);
	limit_files(10);
	errno = 0;
	const int rc = write_text(&o, "provisional\n"), error = errno;
	out_provisional_end(&o);
	limit_files(before.rlim_cur);
	assert_int_equal(rc, -1);
	assert_int_equal(error, EFBIG);
	assert_int_equal(o.error, 0);
	check_file("row\n");
	assert_int_equal(write_text(&o, "last\n"), 0);
	check_file("row\nlast\n");
	out_close(&o);
}

static int make_file(void **state)
{
	(void)state;
	strcpy(path, "/tmp/opencpc-out.XXXXXX");
	const int fd = mkstemp(path);
	return fd == -1 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_file, remove_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_next_text_takes_the_place_of_provisional_text),
		TEST(provisional_text_that_does_not_fit_is_removed),
	};

	return cmocka_run_group_tests_name("common/out", tests, NULL, NULL);
}
