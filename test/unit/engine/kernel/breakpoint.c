#include "engine/kernel/breakpoint.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"

enum { R = 1, W = 2, RW = 3, X = 4, TYPE_BREAKPOINT = 5 };

static const struct {
	int line;
	const char *name;
	uint32_t bp_type; /* 0: refused */
	uint64_t addr, len;
	const char *text; /* part of the refusal */
} cases[] = {
	{__LINE__, "mem:0x1000", RW, 0x1000, 8, NULL},
	{__LINE__, "mem:4096:x", X, 4096, sizeof(long), NULL},
	{__LINE__, "mem:010:w", W, 8, 8, NULL},
#ifdef __aarch64__
	{__LINE__, "mem:0x1002:x", 0, 0, 0, "begin at multiples of 4"},
#else
	{__LINE__, "mem:0x1001:x", X, 0x1001, sizeof(long), NULL},
#endif
	{__LINE__, "mem:0x1001/1", RW, 0x1001, 1, NULL},
	{__LINE__, "mem:0x1002/2:r", R, 0x1002, 2, NULL},
	{__LINE__, "mem:0x1004/4:rw", RW, 0x1004, 4, NULL},
	{__LINE__, "mem:0xffffffffffffff00/0x8:w", W, 0xffffffffffffff00, 8, NULL},
	{__LINE__, "mem:", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem::x", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem:-4", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem: 4", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem:main", RW, 0, 8, NULL},
	{__LINE__, "mem:main:x", X, 0, sizeof(long), NULL},
	{__LINE__, "mem:_ZN1S1fEi/4:w", W, 0, 4, NULL},
	{__LINE__, "mem:main/3:w", 0, 0, 0, "must be 1, 2, 4 or 8, not 3"},
	{__LINE__, "mem:main/4:x", 0, 0, 0,
	 "the length of an execution breakpoint is always"},
	{__LINE__, "mem:main:", 0, 0, 0, "unknown access ''"},
	{__LINE__, "mem:0x10000000000000000", 0, 0, 0, "no 64-bit address and no name"},
	{__LINE__, "mem:8/", 0, 0, 0, "no length after '/'"},
	{__LINE__, "mem:8/w", 0, 0, 0, "no length after '/'"},
	{__LINE__, "mem:8/3", 0, 0, 0, "must be 1, 2, 4 or 8, not 3"},
	{__LINE__, "mem:8/0", 0, 0, 0, "must be 1, 2, 4 or 8, not 0"},
	{__LINE__, "mem:16/16", 0, 0, 0, "must be 1, 2, 4 or 8, not 16"},
	{__LINE__, "mem:0x1004", 0, 0, 0, "write mem:0x1004/4"},
	{__LINE__, "mem:0x1006/4:w", 0, 0, 0, "write mem:0x1006/2"},
	{__LINE__, "mem:8:", 0, 0, 0, "unknown access ''"},
	{__LINE__, "mem:8:wr", 0, 0, 0, "unknown access 'wr'"},
	{__LINE__, "mem:8:x:u", 0, 0, 0, "unknown access 'x:u'"},
	{__LINE__, "mem:8/1:xw", 0, 0, 0, "unknown access 'xw'"},
	{__LINE__, "mem:8/1:x", 0, 0, 0,
	 "the length of an execution breakpoint is always"},
	{__LINE__, "mem:8g", 0, 0, 0, "unexpected 'g' at the end"},
	{__LINE__, "mem:8/4g", 0, 0, 0, "unexpected 'g' at the end"},
};

static void parses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel_event ev;
		struct why why = {""};
		errno = 0;
		const int rc = kernel_breakpoint_parse(cases[i].name, &ev, &why);
		const int good = cases[i].bp_type
					 ? rc == 0 && ev.type == TYPE_BREAKPOINT &&
						   ev.bp_type == cases[i].bp_type &&
						   ev.named == !cases[i].addr &&
						   ev.config[1] == cases[i].addr &&
						   ev.config[2] == cases[i].len
					 : rc == -1 && errno == EINVAL &&
						   strstr(why.text, cases[i].name) &&
						   strstr(why.text, cases[i].text);
		if (!good)
			fail_msg("line %d: rc %d, '%s'", cases[i].line, rc, why.text);
	}
}

/* What the fake kernel answers: an errno, or a breakpoint whose value has this size. */
static struct {
	int error;
	size_t size;
	uint64_t value;
	struct perf_event_attr opened; /* the last */
} kernel;

static int fake_open(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
		     unsigned long flags)
{
	int end[2];

	(void)tid, (void)cpu, (void)leader, (void)flags;
	kernel.opened = *attr;
	errno = kernel.error;
	if (kernel.error)
		return -1;
	assert_int_equal(pipe(end), 0);
	assert_int_equal(write(end[1], &kernel.value, kernel.size), kernel.size);
	close(end[1]);
	return end[0];
}

static const struct kernel_env env = {"", fake_open};

static void tells_whether_the_processor_stops(void **state)
{
	static const struct {
		int line, error;
		size_t size;
		uint64_t value;
		int stops;
	} answers[] = {
		{__LINE__, 0, 8, 1, 1},	      {__LINE__, 0, 8, 2, 1},
		{__LINE__, 0, 8, 0, 0},	      {__LINE__, 0, 0, 0, -1},
		{__LINE__, 0, 4, 0, -1},      {__LINE__, ENOSPC, 0, 0, -1},
		{__LINE__, EACCES, 0, 0, -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		kernel = (typeof(kernel)){.error = answers[i].error,
					  .size = answers[i].size,
					  .value = answers[i].value};
		errno = EXDEV;
		const int stops = kernel_breakpoint_stops(&env, X);
		if (stops != answers[i].stops || errno != EXDEV)
			fail_msg("line %d: %d, errno %d", answers[i].line, stops, errno);
	}
}

/* kernel_breakpoint_stops() opens a breakpoint of the type that it is given. */
static void tries_a_breakpoint_of_the_type(void **state)
{
	static const uint32_t types[] = {X, W, RW};

	(void)state;
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		kernel = (typeof(kernel)){.size = 8, .value = 1};
		assert_int_equal(kernel_breakpoint_stops(&env, types[i]), 1);
		assert_int_equal(kernel.opened.type, TYPE_BREAKPOINT);
		assert_int_equal(kernel.opened.bp_type, types[i]);
		assert_int_equal(kernel.opened.bp_len, 8);
		assert_int_equal(kernel.opened.disabled, 0);
		assert_int_equal(kernel.opened.exclude_kernel, 1);
	}
}

/* This machine may have breakpoints that never count. */
static void agrees_with_this_machine(void **state)
{
	(void)state;
	need_breakpoints();
	assert_int_equal(kernel_breakpoint_stops(&kernel_env_host, X), 1);
	assert_int_equal(kernel_breakpoint_stops(&kernel_env_host, W), 1);
	assert_int_equal(kernel_breakpoint_stops(&kernel_env_host, RW), 1);
}

/* An event that would always count 0 is refused, unless that is not known. */
static void an_event_that_never_counts_is_lacking(void **state)
{
	static const struct {
		int line, error;
		uint64_t value;
		const char *lacking; /* part of the text, or NULL */
	} answers[] = {
		{__LINE__, 0, 0, "mem:0x1000:x: breakpoints never count on this "},
		{__LINE__, 0, 1, NULL},
		{__LINE__, ENOSPC, 0, NULL},
	};
	const struct engine_request req = {.name = "mem:0x1000:x", .flags = 1};
	const struct engine_ops *const k = &engine_kernel;
	struct why why;

	(void)state;
	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		kernel = (typeof(kernel)){
			.error = answers[i].error, .size = 8, .value = answers[i].value};
		struct engine *e = kernel_open(&env, &why);
		struct evsel *sel = k->encode(e, &req, &why);
		const char *lacking = sel ? k->lacking(sel) : "";
		if (!lacking != !answers[i].lacking ||
		    (lacking && !strstr(lacking, answers[i].lacking)))
			fail_msg("line %d: '%s'", answers[i].line, lacking);
		k->drop(sel);
		k->close(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses),
		cmocka_unit_test(tells_whether_the_processor_stops),
		cmocka_unit_test(tries_a_breakpoint_of_the_type),
		cmocka_unit_test(agrees_with_this_machine),
		cmocka_unit_test(an_event_that_never_counts_is_lacking),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
