#include "engine/kernel/sysfs.h"

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

/* The PMUs of a machine: an x86 core, an uncore PMU, an energy meter and breakpoints. */
static const struct {
	const char *path, *text;
} files[] = {
	{"cpu/type", "4\n"},
	{"cpu/format/event", "config:0-7\n"},
	{"cpu/format/umask", "config:8-15\n"},
	{"cpu/format/edge", "config:18\n"},
	{"cpu/format/inv", "config:23\n"},
	{"cpu/format/cmask", "config:24-31\n"},
	{"cpu/format/wide", "config:0-7,32-35\n"},
	{"cpu/format/offcore_rsp", "config1:0-63\n"},
	{"cpu/format/two", "config2:4\n"},
	{"cpu/format/odd", "config9:1\n"},
	{"cpu/format/odd-end", "config:0-7+\n"},
	{"cpu/format/odd-order", "config:7-0\n"},
	{"cpu/format/odd-size", "config:60-64\n"},
	{"cpu/format/odd-word", "event\n"},
	{"cpu/events/cycles", "event=0x3c\n"},
	{"cpu/events/mem-loads", "event=0xcd,umask=0x1,offcore_rsp=3\n"},
	{"cpu/events/slots.scale", "2\n"},
	{"cpu/events/thread", "event=0x10,umask=?\n"},
	{"cpu/events/broken", "event=0x10,nothing=1\n"},
	{"uncore_imc_0/type", "24\n"},
	{"uncore_imc_0/cpumask", "0\n"},
	{"uncore_imc_0/format/event", "config:0-7\n"},
	{"power/type", "12\n"},
	{"power/format/event", "config:0-7\n"},
	{"power/events/energy-pkg", "event=0x02\n"},
	{"power/events/energy-pkg.scale", "2.5e-10\n"},
	{"power/events/energy-pkg.unit", "Joules\n"},
	{"breakpoint/type", "5\n"},
	{"odd/type", "6\n"},
	{"odd/events", "no folder\n"},
};

static const struct {
	int line;
	const char *pmu;
	uint64_t bits;
} widths[] = {
	{__LINE__, "cpu", 0xfff84ffff},
	{__LINE__, "power", 0xff},
	{__LINE__, "breakpoint", UINT64_MAX},
};

static char root[] = "/tmp/sysfs-XXXXXX";

static void make_file(const char *top, const char *path, const char *text)
{
	char full[256];

	snprintf(full, sizeof(full), "sys/bus/event_source/devices/%s", path);
	fake_root_put(top, full, text);
}

static int make_tree(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		make_file(root, files[i].path, files[i].text);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	return fake_root_remove(root);
}

#define LONG "0123456789abcdef0123456789abcdef"

static const struct {
	int line;
	const char *name;
	int err; /* 0: encodes */
	uint32_t type;
	uint64_t config[3];
	const char *text; /* the unit, or part of the refusal */
} names[] = {
	{__LINE__, "cpu/cycles/", 0, 4, {0x3c}, ""},
	{__LINE__, "cpu/event=0x3c,umask=1/", 0, 4, {0x13c}, ""},
	{__LINE__, "cpu/event=60,edge/", 0, 4, {0x4003c}, ""},
	{__LINE__, "cpu/event=60,edge=1,inv=1,cmask=0xff/", 0, 4, {0xff84003c}, ""},
	{__LINE__, "cpu/wide=0xfab/", 0, 4, {0xf000000ab}, ""},
	{__LINE__, "cpu/config=0x1234567890abcdef/", 0, 4, {0x1234567890abcdef}, ""},
	{__LINE__, "cpu/config=1,config1=2,config2=3/", 0, 4, {1, 2, 3}, ""},
	{__LINE__, "cpu/config=0xffff,umask=0/", 0, 4, {0x00ff}, ""},
	{__LINE__,
	 "cpu/offcore_rsp=0xffffffffffffffff,two/",
	 0,
	 4,
	 {0, UINT64_MAX, 16},
	 ""},
	{__LINE__, "cpu/mem-loads/", 0, 4, {0x1cd, 3}, ""},
	{__LINE__, "cpu/mem-loads,offcore_rsp=4/", 0, 4, {0x1cd, 4}, ""},
	{__LINE__, "cpu/offcore_rsp=4,mem-loads/", 0, 4, {0x1cd, 4}, ""},
	{__LINE__, "cpu/thread,umask=7/", 0, 4, {0x710}, ""},
	{__LINE__, "cpu//", 0, 4, {0}, ""},
	{__LINE__, "power/energy-pkg/", 0, 12, {2}, "2.5e-10 Joules"},
	{__LINE__, "cpu/thread,umask/", EINVAL, 0, {0}, "add 'umask=VALUE'"},
	{__LINE__, "cpu/thread/", EINVAL, 0, {0}, "add 'umask=VALUE'"},
	{__LINE__,
	 "cpu/broken/",
	 EINVAL,
	 0,
	 {0},
	 "nothing: PMU cpu has no such field; its fields are: cmask "},
	{__LINE__, "cpu/umask=0x100/", EINVAL, 0, {0}, "the field has only 8 bits"},
	{__LINE__, "cpu/edge=2/", EINVAL, 0, {0}, "the field has only 1 bit"},
	{__LINE__, "cpu/odd=1/", EINVAL, 0, {0}, "not understood"},
	{__LINE__, "cpu/odd-end=1/", EINVAL, 0, {0}, "'config:0-7+' of PMU cpu is not"},
	{__LINE__, "cpu/odd-order=0/", EINVAL, 0, {0}, "'config:7-0' of PMU cpu is not"},
	{__LINE__, "cpu/odd-size=1/", EINVAL, 0, {0}, "'config:60-64' of PMU cpu is not"},
	{__LINE__, "cpu/odd-word=1/", EINVAL, 0, {0}, "'event' of PMU cpu is not"},
	{__LINE__, LONG LONG "/cycles/", EINVAL, 0, {0}, "...: the name is too long"},
	{__LINE__,
	 "cpu/nope=1/",
	 EINVAL,
	 0,
	 {0},
	 "nope: PMU cpu has no such field; its fields are: cmask edge event inv"},
	{__LINE__, "cpu/umask=/", EINVAL, 0, {0}, "not a number"},
	{__LINE__, "cpu/umask=-1/", EINVAL, 0, {0}, "not a number"},
	{__LINE__, "cpu/umask=1z/", EINVAL, 0, {0}, "not a number"},
	{__LINE__, "cpu/../../type/", EINVAL, 0, {0}, "the form must be PMU/EVENT/"},
	{__LINE__, "cpu/cycles", EINVAL, 0, {0}, "the form must be PMU/EVENT/"},
	{__LINE__, "cpu/cycles/u", EINVAL, 0, {0}, "the form must be PMU/EVENT/"},
	{__LINE__, "/cycles/", EINVAL, 0, {0}, "the form must be PMU/EVENT/"},
	{__LINE__, "cpu/nope/", ENOENT, 0, {0}, "neither an event nor a field"},
	{__LINE__, "gpu/cycles/", ENOENT, 0, {0}, "no PMU 'gpu'"},
	{__LINE__, "../cycles/", ENOENT, 0, {0}, "no PMU '..'"},
};

static void encodes_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct kernel_event ev;
		struct why why = {""};
		char unit[64];
		errno = 0;
		const int rc = kernel_sysfs_encode(root, names[i].name, &ev, unit,
						   sizeof(unit), &why);
		int good = rc == (names[i].err ? -1 : 0);
		if (names[i].err)
			good = good && errno == names[i].err &&
			       strstr(why.text, names[i].text);
		else
			good = good && ev.type == names[i].type && !ev.percpu &&
			       memcmp(ev.config, names[i].config, sizeof(ev.config)) ==
				       0 &&
			       strcmp(unit, names[i].text) == 0;
		if (!good)
			fail_msg("line %d: rc %d, config %llx %llx, '%s'", names[i].line,
				 rc, (unsigned long long)ev.config[0],
				 (unsigned long long)ev.config[1], why.text);
	}
}

static void marks_events_of_whole_cpus(void **state)
{
	(void)state;
	struct kernel_event ev;
	char unit[64];

	assert_int_equal(kernel_sysfs_encode(root, "uncore_imc_0/event=1/", &ev, unit,
					     sizeof(unit), NULL),
			 0);
	assert_true(ev.percpu);
	assert_int_equal(ev.type, 24);
}

static void sets_fields(void **state)
{
	(void)state;
	struct kernel_event ev = {.config = {0xffff}};

	assert_int_equal(kernel_sysfs_set(root, "cpu", "umask", 0x20, &ev, NULL), 0);
	assert_int_equal(ev.config[0], 0x20ff);
#if defined(__x86_64__) || defined(__i386__)
	assert_int_equal(kernel_sysfs_set(root, NULL, "cmask", 4, &ev, NULL), 0);
	assert_int_equal(ev.config[0], 0x40020ff);
	assert_int_equal(kernel_sysfs_set(root, NULL, "event", 4, &ev, NULL), -1);
	assert_int_equal(errno, EINVAL);
#endif
}

static void lists_fields(void **state)
{
	(void)state;
	char **f = kernel_sysfs_fields(root, "cpu");

	assert_non_null(f);
	assert_string_equal(f[0], "cmask");
	assert_string_equal(f[12], "wide");
	assert_null(f[13]);
	kernel_sysfs_free(f);
	f = kernel_sysfs_fields(root, "breakpoint");
	assert_non_null(f);
	assert_null(f[0]);
	kernel_sysfs_free(f);
}

static void finds_core_pmus(void **state)
{
	(void)state;
	struct kernel_core core[KERNEL_SYSFS_CORES];
	char hybrid[64];

	assert_int_equal(kernel_sysfs_cores(root, core), 1);
	assert_string_equal(core[0].name, "cpu");
	assert_int_equal(core[0].type, 4);

	snprintf(hybrid, sizeof(hybrid), "%s/hybrid", root);
	assert_int_equal(kernel_sysfs_cores(hybrid, core), 0);
	make_file(hybrid, "cpu_core/type", "4\n");
	make_file(hybrid, "cpu_core/cpus", "0-7\n");
	make_file(hybrid, "cpu_atom/type", "10\n");
	make_file(hybrid, "cpu_atom/cpus", "8-15\n");
	make_file(hybrid, "uncore/type", "11\n");
	assert_int_equal(kernel_sysfs_cores(hybrid, core), 2);
	assert_string_equal(core[0].name, "cpu_atom");
	assert_int_equal(core[0].type, 10);
	assert_string_equal(core[1].name, "cpu_core");
}

static void collect(void *arg, const char *name, const char *title)
{
	char *all = arg;

	assert_null(title);
	strcat(strcat(all, name), " ");
}

static void append(void *arg, const char *text)
{
	strcat(arg, text);
}

/* A list that cannot be read is reported; a PMU without events has no list. */
static void lists_events(void **state)
{
	(void)state;
	char all[512] = "", unread[64];

	struct engine_walk w = {.arg = all, .name = collect};

	kernel_sysfs_walk(root, &w);
	assert_string_equal(all, "cpu/broken/ cpu/cycles/ cpu/mem-loads/ cpu/thread/ "
				 "power/energy-pkg/ ");
	*all = '\0';
	w.unread = append;
	kernel_sysfs_walk(root, &w);
	assert_string_equal(strstr(all, "events are"),
			    "events are not listed: cannot read "
			    "/sys/bus/event_source/devices/odd/events: Not a "
			    "directorypower/energy-pkg/ ");
	fake_root_put(root, "file/sys/bus/event_source/devices", "no folder\n");
	snprintf(unread, sizeof(unread), "%s/file", root);
	*all = '\0';
	kernel_sysfs_walk(unread, &w);
	assert_string_equal(all, "events are not listed: cannot read "
				 "/sys/bus/event_source/devices: Not a directory");
}

static void finds_bits_of_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		const uint64_t bits = kernel_sysfs_bits(root, widths[i].pmu);

		if (bits != widths[i].bits)
			fail_msg("line %d: %#llx", widths[i].line,
				 (unsigned long long)bits);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_bits_of_fields),
		cmocka_unit_test(encodes_names),
		cmocka_unit_test(marks_events_of_whole_cpus),
		cmocka_unit_test(sets_fields),
		cmocka_unit_test(lists_fields),
		cmocka_unit_test(finds_core_pmus),
		cmocka_unit_test(lists_events),
	};
	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
