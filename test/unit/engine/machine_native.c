/* The machine native, made of folders of sysfs. */
#include "engine/machine_native.h"

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

#include "fake_root.h"
#include "machines.h"

/* A cache as sysfs shows it; NULL: a file is missing. */
struct shown {
	const char *level, *type, *size, *line, *sets, *ways;
};

#define L1I                                                \
	{                                                  \
		"1", "Instruction", "32K", "64", "64", "8" \
	}
#define L1D                                          \
	{                                            \
		"1", "Data", "48K", "64", "64", "12" \
	}
#define L2(size, sets, ways)                           \
	{                                              \
		"2", "Unified", size, "64", sets, ways \
	}
#define L3(size, sets, ways)                           \
	{                                              \
		"3", "Unified", size, "64", sets, ways \
	}

static const struct {
	int line;
	unsigned cpu;
	struct shown cache[5];
	const char *message; /* part of the messages, or NULL */
	uint32_t l2, l3, l3ways;
} cases[] = {
	{__LINE__,
	 0,
	 {L1D, L1I, L2("2048K", "2048", "16"), L3("36608K", "53248", "11")},
	 NULL,
	 2 << 20,
	 36608 << 10,
	 11},
	/*
	 * a set count that is no power of two is simulated as it is; no L3; L4 is
	 * ignored
	 */
	{__LINE__,
	 0,
	 {L1D, L1I, L2("1M", "1024", "16"), L3("30720K", "24576", "20")},
	 NULL,
	 1 << 20,
	 30 << 20,
	 20},
	{__LINE__, 3, {L1I, L1D, L2("512K", "1024", "8")}, NULL, 512 << 10, 0, 0},
	{__LINE__,
	 0,
	 {L1I, L1D, L2("512K", "1024", "8"), {"4", "Unified", "128M", "64", "x", NULL}},
	 NULL,
	 512 << 10,
	 0,
	 0},
	/* 0 ways: fully associative */
	{__LINE__,
	 0,
	 {L1I, L1D, L2("64K", "16", "64"), {"3", "Unified", "64K", "1024", "1", "0"}},
	 NULL,
	 64 << 10,
	 64 << 10,
	 64},
	{__LINE__,
	 0,
	 {{0}},
	 "no folder /sys/devices/system/cpu/cpuN/cache shows them",
	 0,
	 0,
	 0},
	{__LINE__, 0, {L1I, L2("1M", "1024", "16")}, "shows no L1 for data", 0, 0, 0},
	{__LINE__, 0, {L1I, L1D}, "shows no L2", 0, 0, 0},
	{__LINE__,
	 0,
	 {{"1", "Unified", "32K", "64", "64", "8"}},
	 "shows no L1 for instructions",
	 0,
	 0,
	 0},
	{__LINE__,
	 0,
	 {L1I, {"1", "Data", NULL, "64", "64", "12"}},
	 "cannot read /sys/devices/system/cpu/cpu0/cache/index1/size",
	 0,
	 0,
	 0},
	{__LINE__,
	 0,
	 {L1I, {"1", "Data", "48K", "64", "64 ", "12"}},
	 "index1/number_of_sets has '64 ', which is not a number",
	 0,
	 0,
	 0},
	{__LINE__,
	 0,
	 {L1I, {"1", "Data", "48K", "-64", "64", "12"}},
	 "coherency_line_size has '-64', which is not a number",
	 0,
	 0,
	 0},
	{__LINE__,
	 0,
	 {L1I, {"1", "Data", "99999999999K", "64", "64", "12"}},
	 "size has '99999999999K', which is not a number",
	 0,
	 0,
	 0},
	{__LINE__,
	 0,
	 {L1I, {"1", "Data", "32K", "64", "64", "12"}},
	 "index1 has 32768 bytes, but 64 sets of 12 ways of 64 bytes",
	 0,
	 0,
	 0},
	{__LINE__,
	 0,
	 {L1I, {"1", "Data", "0", "0", "0", "0"}},
	 "index1 has 0 bytes",
	 0,
	 0,
	 0},
	/* what the model does not have is refused by the reader of the text */
	{__LINE__,
	 0,
	 {L1I, {"1", "Data", "24K", "64", "48", "8"}, L2("1M", "1024", "16")},
	 "d1.ways: the number of sets (size / line / ways) is not a power of two",
	 0,
	 0,
	 0},
	{__LINE__,
	 0,
	 {L1I, L1D, {"2", "Unified", "1M", "32", "2048", "16"}},
	 "l2.line: L2 must fill at least a line of L1 at once",
	 0,
	 0,
	 0},
	{__LINE__,
	 0,
	 {L1I, L1D, L2("1M", "128", "128")},
	 "l2.ways: bad value '128': must be a number from 1 to 64",
	 0,
	 0,
	 0},
};

static void put(const char *root, unsigned cpu, unsigned index, const char *file,
		const char *text)
{
	char path[128], line[64];

	if (!text)
		return;
	snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%u/cache/index%u/%s", cpu,
		 index, file);
	snprintf(line, sizeof line, "%s\n", text);
	fake_root_put(root, path, line);
}

static void put_caches(const char *root, unsigned cpu, const struct shown *cache)
{
	for (unsigned i = 0; i < 5 && cache[i].type; i++) {
		put(root, cpu, i, "level", cache[i].level);
		put(root, cpu, i, "type", cache[i].type);
		put(root, cpu, i, "size", cache[i].size);
		put(root, cpu, i, "coherency_line_size", cache[i].line);
		put(root, cpu, i, "number_of_sets", cache[i].sets);
		put(root, cpu, i, "ways_of_associativity", cache[i].ways);
	}
}

static void keep(void *arg, const char *text)
{
	strncat(arg, text, 1000);
	strcat(arg, "\n");
}

/*
 * Returns the text of the machine, or NULL; *m is the machine, messages has what is
 * said.
 */
static char *read_native(const char *root, struct machine *m, char *messages)
{
	struct machine_mistakes to = {messages, keep, 0};
	const struct machine_text *generic = machine_texts;

	while (strcmp(generic->name, "generic") != 0)
		generic++;
	*messages = '\0';
	char *text = machine_native(root, generic->text, &to);
	const struct machine_source source = {
		.path = "native", .text = text, .len = text ? strlen(text) : 0};
	assert_true(!text == (to.n > 0));
	if (text && machine_parse(&source, m, &to) == 0)
		return text;
	assert_int_equal(errno, EINVAL);
	free(text);
	return NULL;
}

static void reads_sysfs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char root[] = "/tmp/native.XXXXXX", messages[32768];
		struct machine m;

		assert_non_null(mkdtemp(root));
		put_caches(root, cases[i].cpu, cases[i].cache);
		char *text = read_native(root, &m, messages);
		if (!text != !!cases[i].message ||
		    (!text && !strstr(messages, cases[i].message)))
			fail_msg("line %d: %s", cases[i].line, messages);
		if (text && (m.l2.size != cases[i].l2 || m.l3.size != cases[i].l3 ||
			     m.l3.ways != cases[i].l3ways || m.d1.size != 48 << 10 ||
			     m.d1.ways != 12 || m.i1.size != 32 << 10))
			fail_msg("line %d: %u %u", cases[i].line, m.l2.size, m.l3.size);
		free(text);
		assert_int_equal(fake_root_remove(root), 0);
	}
}

/* The text says where the geometry comes from, and that all else is generic. */
static void says_what_is_generic(void **state)
{
	char root[] = "/tmp/native.XXXXXX", messages[32768];
	const struct machine *generic = machines_find("generic");
	struct machine m;

	(void)state;
	assert_non_null(mkdtemp(root));
	put_caches(root, 2, cases[0].cache);
	fake_root_put(
		root, "proc/cpuinfo",
		"processor\t: 0\nmodel name\t: Some \"CPU\" \\ \033[2J\nflags\t: x\n");
	char *text = read_native(root, &m, messages);
	assert_non_null(text);
	assert_string_equal(m.name, "native");
	assert_string_equal(m.title, "the caches of Some ?CPU? ? ?[2J, the rest generic");
	assert_non_null(strstr(text, "l3.size       37486592         # "
				     "/sys/devices/system/cpu/cpu2/cache\n"));
	assert_non_null(
		strstr(text, "all other values are those of the machine generic"));
	assert_null(strstr(text, "similar to an AMD EPYC"));
	/* with the geometry of generic it is generic */
	m.i1 = generic->i1;
	m.d1 = generic->d1;
	m.l2 = generic->l2;
	m.l3 = generic->l3;
	assert_true(machine_hash(&m) == machine_hash(generic));
	free(text);
	/* a long name fits into the title */
	fake_root_put(
		root, "proc/cpuinfo",
		"x\nmodel name : 0123456789012345678901234567890123456789012345678901"
		"234567890123456789012345678901234567890123456789\n");
	text = read_native(root, &m, messages);
	assert_non_null(text);
	free(text);
	assert_int_equal(fake_root_remove(root), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_sysfs),
		cmocka_unit_test(says_what_is_generic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
