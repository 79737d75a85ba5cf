#include "base/cpulist.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_root.h"

enum { MANY = 5000 };

/* If set, sched_getaffinity() acts as on a big machine, which refuses shorter masks. */
static int big;

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	memset(mask, 0, size);
	if (!big)
		return syscall(SYS_sched_getaffinity, pid, size, mask) < 0 ? -1 : 0;
	if (size < MANY / 8) {
		errno = EINVAL;
		return -1;
	}
	CPU_SET_S(0, size, mask);
	CPU_SET_S(MANY - 1, size, mask);
	return 0;
}

static unsigned allocations; /* calls of reallocarray() */

void *reallocarray(void *p, size_t n, size_t size)
{
	allocations++;
	return realloc(p, n * size);
}

static const struct {
	int line;
	const char *text;
	int err;	  /* 0: text is a list */
	unsigned n;	  /* CPUs in the list */
	const char *back; /* the text that the list is written as */
} texts[] = {
	{__LINE__, "0", 0, 1, "0"},
	{__LINE__, "0\n", 0, 1, "0"},
	{__LINE__, "", 0, 0, ""},
	{__LINE__, "\n", 0, 0, ""},
	{__LINE__, " \t0-3 \n", 0, 4, "0-3"},
	{__LINE__, "0-3,7", 0, 5, "0-3,7"},
	{__LINE__, "0,28", 0, 2, "0,28"},
	{__LINE__, "0-1,2", 0, 3, "0-2"},
	{__LINE__, "7,0-3,2-5", 0, 7, "0-5,7"},
	{__LINE__, "3,3,3-3", 0, 1, "3"},
	{__LINE__, "4-5,7-8", 0, 4, "4-5,7-8"},
	{__LINE__, "0-8191", 0, 8192, "0-8191"},
	{__LINE__, "1048575", 0, 1, "1048575"},
	{__LINE__, "1048576", EINVAL, 0, NULL},
	{__LINE__, "99999999999999999999", EINVAL, 0, NULL},
	{__LINE__, "3-1", EINVAL, 0, NULL},
	{__LINE__, "-1", EINVAL, 0, NULL},
	{__LINE__, "1-", EINVAL, 0, NULL},
	{__LINE__, "1--2", EINVAL, 0, NULL},
	{__LINE__, "1-2-3", EINVAL, 0, NULL},
	{__LINE__, ",1", EINVAL, 0, NULL},
	{__LINE__, "1,", EINVAL, 0, NULL},
	{__LINE__, "1,,2", EINVAL, 0, NULL},
	{__LINE__, "1 2", EINVAL, 0, NULL},
	{__LINE__, "1, 2", EINVAL, 0, NULL},
	{__LINE__, "0x1", EINVAL, 0, NULL},
	{__LINE__, "+1", EINVAL, 0, NULL},
	{__LINE__, "1;", EINVAL, 0, NULL},
	{__LINE__, "all", EINVAL, 0, NULL},
};

static int is_as_expected(size_t i)
{
	struct cpulist l = {77, (int *)&big};

	errno = 0;
	const int rc = cpulist_parse(&l, texts[i].text);
	if (texts[i].err)
		return rc == -1 && errno == texts[i].err && l.n == 0 && !l.cpu;
	char *back = rc ? NULL : cpulist_text(&l);
	const int good = back && l.n == texts[i].n && strcmp(back, texts[i].back) == 0;
	free(back);
	cpulist_free(&l);
	return good && l.n == 0;
}

static void reads_and_writes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (!is_as_expected(i))
			fail_msg("line %d: '%s'", texts[i].line, texts[i].text);
}

/* The list is ascending and has each CPU once, whatever the order of adding. */
static void adds_and_finds(void **state)
{
	static const int order[] = {5, 1, 9, 5, 0, 1048575, 7, 0};
	struct cpulist l = {0};

	(void)state;
	assert_false(cpulist_has(&l, 0));
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		assert_int_equal(cpulist_add(&l, order[i]), 0);
		assert_true(cpulist_has(&l, order[i]));
		for (unsigned k = 1; k < l.n; k++)
			assert_true(l.cpu[k - 1] < l.cpu[k]);
	}
	assert_int_equal(l.n, 6);
	for (int cpu = -1; cpu < 12; cpu++)
		assert_int_equal(cpulist_has(&l, cpu), cpu == 0 || cpu == 1 || cpu == 5 ||
							       cpu == 7 || cpu == 9);
	cpulist_free(&l);
	cpulist_free(&l);
}

/* All CPUs as the kernel lists them, from the last to the first, and many times over. */
static void big_lists(void **state)
{
	enum { ALL = 1 << 20, TIMES = 20000, ENTRY = sizeof "1048575," };
	char *text = malloc((size_t)ALL * ENTRY), *end = text;
	struct cpulist l;

	(void)state;
	assert_non_null(text);
	allocations = 0;
	assert_int_equal(cpulist_parse(&l, "0-1048575"), 0);
	assert_int_equal(l.n, ALL);
	assert_in_range(allocations, 1, 64);
	cpulist_free(&l);

	for (int cpu = ALL - 1; cpu >= 0; cpu--)
		end += sprintf(end, "%d%s", cpu, cpu ? "," : "");
	allocations = 0;
	assert_int_equal(cpulist_parse(&l, text), 0);
	assert_int_equal(l.n, ALL);
	assert_int_equal(l.cpu[ALL - 1], ALL - 1);
	assert_in_range(allocations, 1, 64);
	cpulist_free(&l);

	end = text;
	for (int i = 0; i < TIMES; i++)
		end += sprintf(end, "%d-%d,", i % 3, ALL - 1);
	end[-1] = '\0';
	assert_int_equal(cpulist_parse(&l, text), 0);
	assert_int_equal(l.n, ALL);
	cpulist_free(&l);
	free(text);
}

static void lists_where_the_caller_may_run(void **state)
{
	struct cpulist l;
	cpu_set_t cpus;

	(void)state;
	assert_int_equal(cpulist_allowed(&l), 0);
	assert_int_equal(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	assert_int_equal(l.n, CPU_COUNT(&cpus));
	for (unsigned i = 0; i < l.n; i++)
		assert_true(CPU_ISSET((size_t)l.cpu[i], &cpus));
	cpulist_free(&l);
	big = 1;
	assert_int_equal(cpulist_allowed(&l), 0);
	big = 0;
	assert_int_equal(l.n, 2);
	assert_int_equal(l.cpu[0], 0);
	assert_int_equal(l.cpu[1], MANY - 1);
	cpulist_free(&l);
}

/* The lists of the kernel, also of a machine of which each second CPU is offline. */
static void lists_of_the_kernel(void **state)
{
	static const struct {
		int line;
		const char *text;
		int err; /* 0: the text is a list */
		unsigned n;
	} cases[] = {
		{__LINE__, "0-3\n", 0, 4},
		{__LINE__, "\n", 0, 0},
		{__LINE__, "", 0, 0},
		{__LINE__, "CPUs\n", EINVAL, 0},
	};
	char root[] = "/tmp/opencpc-cpulist-XXXXXX", text[8 * MANY];
	struct cpulist l;
	size_t len = 0;

	(void)state;
	fake_root_make(root, NULL, 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		fake_root_put(root, "sys/devices/system/cpu/present", cases[i].text);
		errno = 0;
		const int rc = cpulist_read(&l, root, "present");
		if (rc != (cases[i].err ? -1 : 0) || errno != cases[i].err ||
		    l.n != cases[i].n)
			fail_msg("case of line %d: %d, %u CPUs", cases[i].line, rc, l.n);
		cpulist_free(&l);
	}
	for (int cpu = 0; cpu < MANY; cpu += 2)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%d",
					len ? "," : "", cpu);
	fake_root_put(root, "sys/devices/system/cpu/online", text);
	assert_int_equal(cpulist_read(&l, root, "online"), 0);
	assert_int_equal(l.n, MANY / 2);
	assert_int_equal(l.cpu[l.n - 1], MANY - 2);
	cpulist_free(&l);
	assert_int_equal(cpulist_read(&l, root, "possible"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(fake_root_remove(root), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_and_writes),
		cmocka_unit_test(adds_and_finds),
		cmocka_unit_test(big_lists),
		cmocka_unit_test(lists_where_the_caller_may_run),
		cmocka_unit_test(lists_of_the_kernel),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
