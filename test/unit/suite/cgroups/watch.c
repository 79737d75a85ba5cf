/* Folders that are watched: what is a change, and folders that cannot be watched. */
#include "suite/cgroups/watch.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "suite/cgroups/match.h"

static char root[] = "/tmp/opencpc-watch.XXXXXX";
static struct cgroups_watch watch;

static const char *in_root(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", root, name);
	return path;
}

/* Look for matches as cpustat does. Returns how many there are. */
static unsigned matches(const char *pattern)
{
	struct cgroup_matches m = {.watch = &watch};

	assert_int_equal(cgroups_match(&m, root, pattern), 0);
	const unsigned n = m.n;
	cgroups_free(&m);
	return n;
}

static int open_watch(void **state)
{
	(void)state;
	cgroups_watch_open(&watch);
	return watch.fd == -1 || !mkdtemp(root) || mkdir(in_root("a"), 0700);
}

static int close_watch(void **state)
{
	(void)state;
	cgroups_watch_close(&watch);
	cgroups_watch_close(&watch);
	return rmdir(in_root("a")) || rmdir(root);
}

static void sees_what_can_match(void **state)
{
	(void)state;
	assert_int_equal(matches("a/*"), 0);
	assert_false(cgroups_watch_changed(&watch));
	assert_int_equal(mkdir(in_root("a/b"), 0700), 0);
	assert_true(cgroups_watch_changed(&watch));
	assert_false(cgroups_watch_changed(&watch));
	assert_int_equal(matches("a/*"), 1);
	assert_int_equal(matches("a/b/*"), 0);
	char from[PATH_MAX];
	strcpy(from, in_root("a/b"));
	assert_int_equal(rename(from, in_root("a/c")), 0);
	assert_true(cgroups_watch_changed(&watch));
	/* A folder that was removed and made anew is watched after the next look. */
	assert_int_equal(rmdir(in_root("a/c")), 0);
	assert_int_equal(rmdir(in_root("a")), 0);
	assert_int_equal(mkdir(in_root("a"), 0700), 0);
	assert_true(cgroups_watch_changed(&watch));
	assert_int_equal(matches("a/*"), 0);
	assert_false(cgroups_watch_changed(&watch));
	assert_int_equal(mkdir(in_root("a/b"), 0700), 0);
	assert_true(cgroups_watch_changed(&watch));
	assert_int_equal(rmdir(in_root("a/b")), 0);
	assert_true(cgroups_watch_changed(&watch));
}

static void many_changes_are_one(void **state)
{
	char name[32];

	(void)state;
	assert_int_equal(matches("*"), 1);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "some-long-name-%d", i);
		assert_int_equal(mkdir(in_root(name), 0700), 0);
		assert_int_equal(rmdir(in_root(name)), 0);
	}
	assert_true(cgroups_watch_changed(&watch));
	assert_false(cgroups_watch_changed(&watch));
}

static void without_a_watch_all_is_a_change(void **state)
{
	const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	cgroups_watch_folder(&watch, null); /* not a folder */
	close(null);
	assert_int_equal(watch.fd, -1);
	assert_true(cgroups_watch_changed(&watch));
	assert_true(cgroups_watch_changed(&watch));
	assert_int_equal(matches("*"), 1);
	cgroups_watch_open(&watch);
	struct cgroup_matches m = {.watch = &watch};
	assert_int_equal(cgroups_match(&m, "/none/of/these", "*"), 0);
	assert_true(cgroups_watch_changed(&watch));
}

static void what_cannot_be_read_is_a_change(void **state)
{
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)state;
	cgroups_watch_open(&watch);
	assert_false(cgroups_watch_changed(&watch));
	assert_int_equal(dup2(null, watch.fd), watch.fd);
	close(null);
	assert_true(cgroups_watch_changed(&watch));
	cgroups_watch_close(&watch);
}

/* A folder for which there is no descriptor may be opened at the next look. */
static void a_folder_that_is_not_opened_ends_the_watch(void **state)
{
	struct rlimit all, one_more;

	(void)state;
	cgroups_watch_open(&watch);
	const int next = dup(0);
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
	one_more = all;
	one_more.rlim_cur = (rlim_t)next + 1;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &one_more), 0);
	const unsigned n = matches("a/*");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
	assert_int_equal(n, 0);
	assert_true(cgroups_watch_changed(&watch));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sees_what_can_match),
		cmocka_unit_test(many_changes_are_one),
		cmocka_unit_test(without_a_watch_all_is_a_change),
		cmocka_unit_test(what_cannot_be_read_is_a_change),
		cmocka_unit_test(a_folder_that_is_not_opened_ends_the_watch),
	};

	return cmocka_run_group_tests(tests, open_watch, close_watch);
}
