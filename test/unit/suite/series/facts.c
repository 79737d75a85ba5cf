/* Facts about a command: sizes, and the hash of the file of its program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "suite/series/facts.h"

/* Source: the test vectors of draft-eastlake-fnv */
static void test_hash(void **state)
{
	(void)state;
	assert_true(hash_text(HASH_START, "") == UINT64_C(0xcbf29ce484222325));
	assert_true(hash_text(HASH_START, "a") == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(hash_text(HASH_START, "foobar") == UINT64_C(0x85944171f73967e8));
	assert_true(hash_text(hash_text(HASH_START, "foo"), "bar") ==
		    UINT64_C(0x85944171f73967e8));
}

static void test_facts(void **state)
{
	char path[] = "/tmp/facts.XXXXXX";
	char *argv[] = {path, "x", NULL};
	char *environment[] = {"A=1", "BC=", NULL};
	struct facts f;
	const int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, "foobar", 6), 6);
	assert_int_equal(fchmod(fd, 0700), 0);
	close(fd);
	facts_find(&f, argv, environment, "/a/b");
	assert_int_equal(f.start_bytes, strlen(path) + 1 + 2 + 4 + 4);
	assert_int_equal(f.cwd_bytes, 4);
	assert_string_equal(f.program, "85944171f73967e8");
	unlink(path);
	facts_find(&f, argv, environment, NULL);
	assert_int_equal(f.cwd_bytes, -1);
	assert_string_equal(f.program, "");
	facts_none(&f);
	assert_int_equal(f.start_bytes, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_hash),
					   cmocka_unit_test(test_facts)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
