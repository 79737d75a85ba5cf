/*
 * The engine's own names, with attributes, on a fake machine with a PMU: what they
 * program, and which are refused.
 */
#include "engine/kernel/own.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/kernel/event.h"
#include "fake_root.h"
#include "table/table.h"

#define DEVICES "sys/bus/event_source/devices/"

static const struct fake_file files[] = {
	{DEVICES "cpu/type", "4\n"},
	{DEVICES "cpu/format/event", "config:0-7\n"},
	{DEVICES "cpu/format/edge", "config:18\n"},
	{DEVICES "cpu/events/loads", "event=0x20\n"},
};

static char root[] = "/tmp/own-XXXXXX";

static int make_tree(void **state)
{
	(void)state;
	fake_root_make(root, files, sizeof(files) / sizeof(files[0]));
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	return fake_root_remove(root);
}

static const struct {
	int line;
	const char *name, *attr; /* an attribute that is 1, or NULL */
	uint64_t config;
	int err;
	const char *text; /* part of the refusal */
} cases[] = {
	{__LINE__, "0x12", NULL, 0x12, 0, NULL},
	{__LINE__, "0x12", "edge", 0x40012, 0, NULL},
	{__LINE__, "0x12", "nosuch", 0, EINVAL, "nosuch"},
	{__LINE__, "0x100000012", NULL, 0, EINVAL, "cpu do not hold this number"},
	{__LINE__, "cpu/event=0x12/", "edge", 0x40012, 0, NULL},
	{__LINE__, "cpu/event=0x12/", "nosuch", 0, EINVAL, "nosuch"},
	{__LINE__, "cpu/loads,edge/", NULL, 0x40020, 0, NULL},
	{__LINE__, "cpu/.edge=1/", NULL, 0, EINVAL, ".edge"},
	{__LINE__, "cpu/loads=/", NULL, 0, EINVAL, "not a number"},
	{__LINE__, "gpu/loads/", NULL, 0, ENOENT, "no PMU 'gpu'"},
	{__LINE__, "mem:8/3", NULL, 0, EINVAL, "must be 1, 2, 4 or 8"},
	{__LINE__, "task-clock", "edge", 0, EINVAL, "'edge' cannot be set"},
};

static void programs_or_refuses(void **state)
{
	static const struct kernel_core core = {"cpu", 4};
	const struct select_env env = {.root = root, .ncores = 1, .core = &core};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char attr_name[16], unit[64] = "";
		cpc_attr_t attr = {attr_name, 1};
		const struct engine_request req = {.name = cases[i].name,
						   .flags = CPC_COUNT_USER,
						   .nattrs = cases[i].attr != NULL,
						   .attrs = &attr};
		struct kernel_event ev;
		struct why why = {""};

		snprintf(attr_name, sizeof(attr_name), "%s",
			 cases[i].attr ? cases[i].attr : "");
		errno = 0;
		const int rc =
			kernel_own_encode(&env, &req, &ev, unit, sizeof(unit), &why);
		if (cases[i].err ? rc != -1 || errno != cases[i].err ||
					   !strstr(why.text, cases[i].text)
				 : rc != 0 || ev.config[0] != cases[i].config)
			fail_msg("line %d: %d, errno %d, config %#llx, '%s'",
				 cases[i].line, rc, errno,
				 (unsigned long long)ev.config[0], why.text);
	}
}

/* A row that a software event counts takes no attributes, and no threshold. */
static void refuses_attributes_of_software(void **state)
{
	cpc_attr_t attr = {(char[]){"edge"}, 1};
	const struct evtab *tab = evtab_find("software");
	struct engine_request req = {.flags = CPC_COUNT_USER,
				     .nattrs = 1,
				     .attrs = &attr,
				     .tab = tab,
				     .name = "page-faults"};
	struct why why = {""};

	(void)state;
	req.row = evtab_name(tab, req.name);
	assert_non_null(req.row);
	struct engine *e = engine_kernel.open(&why);
	assert_null(engine_kernel.encode(e, &req, &why));
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(why.text, "cannot be set for a software event"));
	req.nattrs = 0;
	assert_null(engine_kernel.records->encode(e, &req, 10, &why));
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(why.text, "this event has no threshold"));
	engine_kernel.close(e);
}

/* Only breakpoints at names have a place, and their rules are those of addresses. */
static void refuses_places(void **state)
{
	static const char *const names[] = {"task-clock", "mem:somewhere:w"};
	const struct engine_place place = {
		.address = 16, .length = 3, .access = ENGINE_WRITE};
	struct evsel *sel[2];
	struct why why = {""};

	(void)state;
	struct engine *e = engine_kernel.open(&why);
	for (int i = 0; i < 2; i++) {
		const struct engine_request req = {.name = names[i],
						   .flags = CPC_COUNT_USER};
		sel[i] = engine_kernel.encode(e, &req, &why);
		assert_non_null(sel[i]);
	}
	struct group *g = engine_kernel.bind(e, &(struct target){0},
					     (const struct evsel *const *)sel, 2, &why);
	if (!g)
		fail_msg("%s", why.text);
	assert_int_equal(engine_kernel.place(g, sel[0], 0, NULL, &why), -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(why.text, "task-clock: not a breakpoint at a name");
	assert_int_equal(engine_kernel.place(g, sel[1], 1, &place, &why), -1);
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(why.text, "must be 1, 2, 4 or 8, not 3"));
	engine_kernel.unbind(g);
	for (int i = 0; i < 2; i++)
		engine_kernel.drop(sel[i]);
	engine_kernel.close(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_or_refuses),
		cmocka_unit_test(refuses_attributes_of_software),
		cmocka_unit_test(refuses_places),
	};
	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
