#include "engine/kernel_group.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PARTS = 4, GROUPS = 2, WORDS = 3 + PARTS };

/*
 * Groups whose read(2) brings what a case says: number of values, enabled, running,
 * values.
 */
static const struct {
	int line;
	unsigned n;
	struct part part[PARTS]; /* -, sel, -, -, group */
	uint64_t factor[PARTS];
	unsigned words[GROUPS];
	uint64_t read[GROUPS][WORDS];
	struct count val[2];
	int err;
} cases[] = {
	{.line = __LINE__,
	 .n = 1,
	 .part = {{.sel = 0}},
	 .factor = {1},
	 .words = {4},
	 .read = {{1, 100, 40, 7}},
	 .val = {{7, 100, 40}}},
	/* a sum in one group runs as one */
	{.line = __LINE__,
	 .n = 3,
	 .part = {{.sel = 0}, {.sel = 0}, {.sel = 1}},
	 .factor = {4, 1},
	 .words = {6},
	 .read = {{3, 100, 40, 1, 2, 5}},
	 .val = {{12, 100, 40}, {5, 100, 40}}},
	/* what runs on one kind of core does not run on the other */
	{.line = __LINE__,
	 .n = 4,
	 .part = {{.sel = 0}, {.sel = 0, .group = 1}, {.sel = 1}, {.sel = 1, .group = 1}},
	 .factor = {1, 10},
	 .words = {5, 5},
	 .read = {{2, 100, 40, 1, 2}, {2, 101, 50, 30, 4}},
	 .val = {{31, 101, 90}, {60, 101, 90}}},
	{.line = __LINE__,
	 .n = 2,
	 .part = {{.sel = 0}, {.sel = 1, .group = 1}},
	 .factor = {1, 1},
	 .words = {4, 4},
	 .read = {{1, 100, 0, 0}, {1, 100, 100, 9}},
	 .val = {{0, 100, 0}, {9, 100, 100}}},
	/* the kernel gives nothing for an event in error, and never less than it says */
	{.line = __LINE__, .n = 1, .factor = {1}, .words = {0}, .err = EIO},
	{.line = __LINE__,
	 .n = 1,
	 .factor = {1},
	 .words = {3},
	 .read = {{1, 100, 40}},
	 .err = EIO},
};

static struct group *make(size_t i)
{
	struct group *g = calloc(1, sizeof(*g) + PARTS * sizeof(g->part[0]));

	assert_non_null(g);
	g->factor = calloc(PARTS, sizeof(*g->factor));
	assert_non_null(g->factor);
	memcpy(g->factor, cases[i].factor, sizeof(cases[i].factor));
	memcpy(g->part, cases[i].part, sizeof(cases[i].part));
	g->n = cases[i].n;
	for (unsigned p = 0; p < g->n; p++) {
		int fd[2];
		const unsigned group = g->part[p].group;
		const size_t size = cases[i].words[group] * sizeof(uint64_t);
		assert_int_equal(pipe(fd), 0);
		assert_int_equal(write(fd[1], cases[i].read[group], size), size);
		close(fd[1]);
		g->part[p].fd = fd[0];
		if (g->ngroups < group + 1)
			g->ngroups = group + 1;
	}
	return g;
}

static void reads(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct group *g = make(i);
		struct count val[2] = {{0}};
		uint64_t enabled = 0;
		int rc = 0;
		errno = 0;
		for (unsigned n = 0; n < g->ngroups && rc == 0; n++)
			rc = kernel_group_read(g, n, val, &enabled);
		const int good =
			cases[i].err
				? rc == -1 && errno == cases[i].err
				: rc == 0 &&
					  memcmp(val, cases[i].val, sizeof(val)) == 0 &&
					  enabled == cases[i].read[g->ngroups - 1][1];
		if (!good)
			fail_msg("line %d: rc %d, %llu in %llu of %llu", cases[i].line,
				 rc, (unsigned long long)val[0].count,
				 (unsigned long long)val[0].running,
				 (unsigned long long)val[0].enabled);
		kernel_group_close(g);
	}
}

static void closes_and_keeps_errno(void **state)
{
	(void)state;
	struct group *g = make(1);
	const int fd = g->part[2].fd;

	errno = ENODEV;
	kernel_group_close(g);
	kernel_group_close(NULL);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(close(fd), -1);
	assert_int_equal(errno, EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads),
		cmocka_unit_test(closes_and_keeps_errno),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
