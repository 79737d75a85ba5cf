#include "engine/kernel/listed.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_root.h"

/* Big and little list events, mute lists none, x86 is not an Arm core. */
enum { BIG, LITTLE, MUTE, X86 };
static const struct kernel_core cores[] = {
	[BIG] = {"armv8_big", 8},
	[LITTLE] = {"armv8_little", 9},
	[MUTE] = {"armv8_mute", 10},
	[X86] = {"cpu", 4},
};

static const struct {
	const char *pmu, *file, *text;
} files[] = {
	{"armv8_big", "events/cpu_cycles", "event=0x0011\n"},
	{"armv8_big", "events/l1d_cache_refill", "event=0x0003\n"},
	{"armv8_little", "events/cpu_cycles", "event=0x0011\n"},
	{"armv8_mute", "type", "10\n"},
	{"cpu", "events/cycles", "event=0x3c\n"},
};

static const struct {
	int line;
	int core[2];
	unsigned n;
	struct kernel_event ev;
	int lacks;
} cases[] = {
	{__LINE__, {BIG}, 1, {.type = PERF_TYPE_RAW, .config = {0x11}}, 0},
	{__LINE__, {BIG}, 1, {.type = 8, .config = {0x11}}, 0},
	{__LINE__, {BIG}, 1, {.type = PERF_TYPE_RAW, .config = {0x4}}, 1},
	{__LINE__, {BIG}, 1, {.type = 8, .config = {0x4}}, 1},
	/* These are never lacking: not common, of another PMU, never listed. */
	{__LINE__, {BIG}, 1, {.type = PERF_TYPE_RAW, .config = {0x66}}, 0},
	{__LINE__, {BIG}, 1, {.type = PERF_TYPE_SOFTWARE, .config = {0x4}}, 0},
	{__LINE__, {BIG}, 1, {.type = PERF_TYPE_RAW, .config = {0x1e}}, 0},
	/* One kind of core that lists the event is enough, if it can count the event. */
	{__LINE__, {BIG, LITTLE}, 2, {.type = PERF_TYPE_RAW, .config = {0x3}}, 0},
	{__LINE__, {BIG, LITTLE}, 2, {.type = PERF_TYPE_RAW, .config = {0x4}}, 1},
	{__LINE__, {BIG, LITTLE}, 2, {.type = 9, .config = {0x3}}, 1},
	/* A PMU that lists nothing lacks nothing. */
	{__LINE__, {MUTE}, 1, {.type = PERF_TYPE_RAW, .config = {0x4}}, 0},
	{__LINE__, {BIG, MUTE}, 2, {.type = PERF_TYPE_RAW, .config = {0x4}}, 0},
	{__LINE__, {X86}, 1, {.type = PERF_TYPE_RAW, .config = {0x4}}, 0},
	{__LINE__, {X86}, 0, {.type = PERF_TYPE_RAW, .config = {0x4}}, 0},
};

static char root[] = "/tmp/listed-XXXXXX";

static void finds_missing_events(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct kernel_core has[] = {cores[cases[i].core[0]],
						  cores[cases[i].core[1]]};
		const int lacks =
			kernel_listed_lacks(root, has, cases[i].n, &cases[i].ev);

		if (lacks != cases[i].lacks)
			fail_msg("line %d: %d", cases[i].line, lacks);
	}
}

static int make_tree(void **state)
{
	char path[256];

	(void)state;
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/%s",
			 files[i].pmu, files[i].file);
		fake_root_put(root, path, files[i].text);
	}
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	return fake_root_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_missing_events),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
