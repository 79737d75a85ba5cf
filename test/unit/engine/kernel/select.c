#include "engine/kernel/select.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/kernel/own.h"
#include "fake_root.h"
#include "table/table.h"

enum { U = CPC_COUNT_USER, S = CPC_COUNT_SYSTEM };

/* A fake kernel: the events that it refuses, and how often it was called. */
struct fake {
	int err;	    /* refuse all events with this errno; 0: do not */
	uint64_t refuse;    /* refuse this config with ENOENT */
	int no_hv, no_mode; /* refuse exclude_hv (EOPNOTSUPP), any exclude bit (EINVAL) */
	int no_system;	    /* refuse events without exclude_kernel with EACCES */
	unsigned calls;
};

static int refuse(struct why *why, int err, const char *text)
{
	snprintf(why->text, sizeof(why->text), "%s", text);
	errno = err;
	return -1;
}

static int opens(void *arg, const struct evsel *s, struct why *why)
{
	struct fake *f = arg;

	f->calls++;
	if (f->err)
		return refuse(why, f->err, "all refused");
	for (unsigned i = 0; i < s->n; i++) {
		const struct kernel_event *ev = &s->ev[i];
		if (f->refuse && ev->config[0] == f->refuse)
			return refuse(why, ENOENT, "this one refused");
		if (f->no_hv && ev->exclude_hv)
			return refuse(why, EOPNOTSUPP, "hv refused");
		if (f->no_mode &&
		    (ev->exclude_hv || ev->exclude_kernel || ev->exclude_user))
			return refuse(why, EINVAL, "modes refused");
		if (f->no_system && !ev->exclude_kernel)
			return refuse(why, EACCES, "system refused");
	}
	return 0;
}

static const struct kernel_core hybrid[] = {{"cpu_atom", 10}, {"cpu_core", 4}};

static struct select_env env_of(struct fake *f, unsigned ncores)
{
	return (struct select_env){"", ncores, hybrid, f, opens};
}

/* A request sets the first nattrs of these. */
static cpc_attr_t attrs[] = {{(char *)"umask", 0x12}, {(char *)"cmask", 3}};

static const struct {
	int line;
	const char *name;
	unsigned flags, nattrs;
	int err;
	uint32_t type;
	uint64_t config;
	unsigned xu, xk, xh;
	const char *text; /* part of the refusal */
} own[] = {
	{__LINE__, "page-faults", U, 0, 0, PERF_TYPE_SOFTWARE, 2, 0, 1, 1, NULL},
	{__LINE__, "Page-Faults", U | S, 0, 0, PERF_TYPE_SOFTWARE, 2, 0, 0, 0, NULL},
	{__LINE__, "faults", S, 0, 0, PERF_TYPE_SOFTWARE, 2, 1, 0, 0, NULL},
	{__LINE__, "perf::PAGE-FAULTS", U, 0, 0, PERF_TYPE_SOFTWARE, 2, 0, 1, 1, NULL},
	{__LINE__, "task-clock", U, 0, 0, PERF_TYPE_SOFTWARE, 1, 0, 1, 1, NULL},
	/* events of the kernel are counted in all modes, whatever their name */
	{__LINE__, "context-switches", U, 0, 0, PERF_TYPE_SOFTWARE, 3, 0, 0, 0, NULL},
	{__LINE__, "cs", U, 0, 0, PERF_TYPE_SOFTWARE, 3, 0, 0, 0, NULL},
	{__LINE__, "perf::CONTEXT-SWITCHES", U, 0, 0, PERF_TYPE_SOFTWARE, 3, 0, 0, 0,
	 NULL},
	{__LINE__, "perf::CONTEXT-SWITCHES:u", U, 0, 0, PERF_TYPE_SOFTWARE, 3, 0, 0, 0,
	 NULL},
	{__LINE__, "cpu-migrations", S, 0, 0, PERF_TYPE_SOFTWARE, 4, 0, 0, 0, NULL},
	{__LINE__, "migrations", 0, 0, 0, PERF_TYPE_SOFTWARE, 4, 1, 1, 1, NULL},
	{__LINE__, "mem:0x1000:x", U, 0, 0, PERF_TYPE_BREAKPOINT, 0, 0, 1, 1, NULL},
	{__LINE__, "0", U, 0, 0, PERF_TYPE_RAW, 0, 0, 1, 1, NULL},
	{__LINE__, "0x3c", S, 0, 0, PERF_TYPE_RAW, 0x3c, 1, 0, 0, NULL},
	{__LINE__, "010", U, 0, 0, PERF_TYPE_RAW, 8, 0, 1, 1, NULL},
	{__LINE__, "perf::CYCLES", U, 0, 0, PERF_TYPE_HARDWARE, 0, 0, 1, 1, NULL},
#if defined(__x86_64__) || defined(__i386__)
	{__LINE__, "0x3c", U, 1, 0, PERF_TYPE_RAW, 0x123c, 0, 1, 1, NULL},
	{__LINE__, "0xffff3c", U, 2, 0, PERF_TYPE_RAW, 0x3ff123c, 0, 1, 1, NULL},
#endif
	{__LINE__, "page-faults", U, 1, EINVAL, 0, 0, 0, 0, 0, "'umask' cannot be set"},
	{__LINE__, "mem:0x1000:x", U, 1, EINVAL, 0, 0, 0, 0, 0, "'umask' cannot be set"},
	{__LINE__, "perf::CYCLES", U, 1, EINVAL, 0, 0, 0, 0, 0, "'umask' cannot be set"},
	{__LINE__, "mem:0xx", U, 0, EINVAL, 0, 0, 0, 0, 0, "unexpected 'xx'"},
	{__LINE__, "nopmu/x/", U, 0, ENOENT, 0, 0, 0, 0, 0, "no PMU 'nopmu'"},
	{__LINE__, "sched:nonesuch", U, 0, ENOENT, 0, 0, 0, 0, 0, "tracepoint"},
	{__LINE__, "0x3g", U, 0, ENOENT, 0, 0, 0, 0, 0, "not an event of this machine"},
	{__LINE__, "0x1ffffffffffffffff", U, 0, ENOENT, 0, 0, 0, 0, 0, "not an event"},
	{__LINE__, "no_such_event", U, 0, ENOENT, 0, 0, 0, 0, 0, "no_such_event: not an"},
};

static int same_event(const struct evsel *s, size_t i)
{
	const struct kernel_event *ev = &s->ev[0];

	return s->n == 1 && s->factor == 1 && s->class == CPC_EXACT &&
	       (own[i].flags ? !s->note : strncmp(s->note, "as 0: neither", 13) == 0) &&
	       strcmp(s->name, own[i].name) == 0 && ev->type == own[i].type &&
	       ev->config[0] == own[i].config && ev->exclude_user == own[i].xu &&
	       ev->exclude_kernel == own[i].xk && ev->exclude_hv == own[i].xh;
}

static void translates_own_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		struct fake f = {0};
		const struct select_env env = env_of(&f, 0);
		const struct engine_request req = {own[i].name,	  NULL,	 own[i].flags,
						   own[i].nattrs, attrs, NULL};
		struct why why = {""};
		errno = 0;
		struct evsel *s = kernel_select(&env, &req, &why);
		const int good = own[i].err ? !s && errno == own[i].err &&
						      strstr(why.text, own[i].text)
					    : s && same_event(s, i);
		if (!good)
			fail_msg("line %d: '%s'", own[i].line, why.text);
		kernel_evsel_free(s);
	}
}

static const struct evcol context_switches = {"sw", "3", 3}, task_clock = {"sw", "1", 1},
			  bpf_output = {"sw", "10", 10};

static const struct event row_cs = {.name = "cs", .ncols = 1, .cols = &context_switches};
static const struct event row_bpf = {.name = "bpf", .ncols = 1, .cols = &bpf_output};
static const struct event row_clock = {.name = "clock", .ncols = 1, .cols = &task_clock};
static const struct event row_none = {.name = "ecc", .title = "ECC errors"};
static const struct event row_dash = {.name = "ecc", .host = "-"};
static const struct event row_direct = {
	.host = "NO_SUCH|perf::CYCLES|perf::INSTRUCTIONS"};
static const struct event row_near = {.host = "~NO_SUCH|~4*perf::INSTRUCTIONS"};
static const struct event row_sum = {
	.host = "perf::BRANCHES+NO|perf::BRANCHES+perf::CYCLES"};
static const struct event row_unknown = {.host = "NO_SUCH|NEITHER:X"};
static const struct event row_bad = {.host = "NO_SUCH|A++B"};

static const struct {
	int line;
	const struct event *row;
	struct fake fake;
	int err;
	unsigned n;
	uint64_t factor, config;
	cpc_class_t class;
	unsigned xk;
	const char *text; /* the note (NULL: none), or part of the refusal */
} rows[] = {
	{__LINE__, &row_cs, {.err = EACCES}, 0, 1, 1, 3, CPC_EXACT, 0, NULL},
	{__LINE__, &row_bpf, {0}, 0, 1, 1, 10, CPC_EXACT, 0, NULL},
	{__LINE__, &row_clock, {0}, 0, 1, 1, 1, CPC_EXACT, 1, NULL},
	{__LINE__, &row_direct, {0}, 0, 1, 1, 0, CPC_EXACT, 1, "as perf::CYCLES"},
	{__LINE__,
	 &row_near,
	 {0},
	 0,
	 1,
	 4,
	 1,
	 CPC_APPROXIMATE,
	 1,
	 "as ~4*perf::INSTRUCTIONS"},
	{__LINE__,
	 &row_sum,
	 {0},
	 0,
	 2,
	 1,
	 4,
	 CPC_EXACT,
	 1,
	 "as perf::BRANCHES+perf::CYCLES"},
	/* the first candidate that opens */
	{__LINE__,
	 &row_near,
	 {.no_hv = 1},
	 0,
	 1,
	 4,
	 1,
	 CPC_APPROXIMATE,
	 1,
	 "as ~4*perf::INSTRUCTIONS"},
	{__LINE__,
	 &row_direct,
	 {.no_mode = 1},
	 0,
	 1,
	 1,
	 0,
	 CPC_APPROXIMATE,
	 0,
	 "as perf::CYCLES, user and system mode together"},
	{__LINE__, &row_near, {.refuse = 1}, ENOENT, 0, 0, 0, 0, 0, "this one refused"},
	{__LINE__, &row_sum, {.refuse = 4}, ENOENT, 0, 0, 0, 0, 0, "this one refused"},
	{__LINE__, &row_direct, {.err = EACCES}, EACCES, 0, 0, 0, 0, 0, "all refused"},
	{__LINE__, &row_direct, {.err = ENOENT}, ENOENT, 0, 0, 0, 0, 0, "all refused"},
	{__LINE__,
	 &row_direct,
	 {.no_mode = 1, .no_system = 1},
	 EACCES,
	 0,
	 0,
	 0,
	 0,
	 0,
	 "system refused"},
	{__LINE__,
	 &row_none,
	 {0},
	 ENOENT,
	 0,
	 0,
	 0,
	 0,
	 0,
	 "no processor of today counts it (ECC errors)"},
	{__LINE__,
	 &row_dash,
	 {0},
	 ENOENT,
	 0,
	 0,
	 0,
	 0,
	 0,
	 "no processor of today counts it"},
	{__LINE__,
	 &row_unknown,
	 {0},
	 ENOENT,
	 0,
	 0,
	 0,
	 0,
	 0,
	 "no event of this processor counts it (tried NO_SUCH|NEITHER:X)"},
	{__LINE__, &row_bad, {0}, EINVAL, 0, 0, 0, 0, 0, "bad list of candidates"},
};

static int same_row(const struct evsel *s, size_t i)
{
	const int note =
		rows[i].text ? s->note && strcmp(s->note, rows[i].text) == 0 : !s->note;

	return note && s->n == rows[i].n && s->factor == rows[i].factor &&
	       s->ev[0].config[0] == rows[i].config && s->class == rows[i].class &&
	       s->ev[0].exclude_kernel == rows[i].xk;
}

static void translates_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = rows[i].fake;
		const struct select_env env = env_of(&f, 0);
		const struct engine_request req = {"e", rows[i].row, U, 0, NULL, NULL};
		struct why why = {""};
		errno = 0;
		struct evsel *s = kernel_select(&env, &req, &why);
		const int good = rows[i].err ? !s && errno == rows[i].err &&
						       strstr(why.text, rows[i].text)
					     : s && same_row(s, i);
		if (!good)
			fail_msg("line %d: %s '%s'", rows[i].line, s ? s->note : "",
				 why.text);
		kernel_evsel_free(s);
	}
}

/* Only if the machine lacks the event, not if the caller lacks rights. */
static void tries_the_next_candidate(void **state)
{
	(void)state;
	static const struct event row = {.host = "perf::INSTRUCTIONS|~perf::BRANCHES"};
	struct fake f = {.refuse = PERF_COUNT_HW_INSTRUCTIONS};
	const struct select_env env = env_of(&f, 0);
	const struct engine_request req = {"e", &row, U, 0, NULL, NULL};
	struct why why;

	struct evsel *s = kernel_select(&env, &req, &why);
	assert_non_null(s);
	assert_string_equal(s->note, "as ~perf::BRANCHES");
	kernel_evsel_free(s);
	f = (struct fake){.err = EPERM};
	assert_null(kernel_select(&env, &req, &why));
	assert_int_equal(f.calls, 1);
}

static void refuses_attributes_of_rows(void **state)
{
	(void)state;
	struct fake f = {0};
	const struct select_env env = env_of(&f, 0);
	const struct engine_request req = {"e", &row_direct, U, 1, attrs, NULL};
	struct why why;

	assert_null(kernel_select(&env, &req, &why));
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(why.text, "attribute 'umask'"));
}

/*
 * The machine lacks an event if the kernel says so; it may refuse the event for reasons
 * that do not hold for another target, or later. Software events are not opened to find
 * out.
 */
static void notes_that_the_machine_lacks_an_event(void **state)
{
	static const struct {
		const char *name;
		int err, lacks;
	} events[] = {
		{"0x3c", ENOENT, 1}, {"0x3c", EACCES, 0}, {"0x3c", EBUSY, 0},
		{"0x3c", EINVAL, 0}, {"0x3c", EMFILE, 0}, {"0x3c", ENODEV, 0},
		{"0x3c", ENOSPC, 0}, {"0x3c", ENOSYS, 0}, {"page-faults", ENOENT, 0},
	};
	struct why why;

	(void)state;
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct fake f = {.err = events[i].err};
		const struct select_env env = env_of(&f, 0);
		const struct engine_request req = {events[i].name, NULL, U, 0,
						   NULL,	   NULL};
		struct evsel *s = kernel_select(&env, &req, &why);

		assert_non_null(s);
		if (events[i].lacks)
			assert_string_equal(s->lacking, "all refused");
		else if (s->lacking)
			fail_msg("%s: %s", events[i].name, strerror(events[i].err));
		kernel_evsel_free(s);
	}
}

/* kernel_select() settles modes and leaves refusals of own names to probe and bind. */
static void settles_modes_of_own_names(void **state)
{
	(void)state;
	struct fake f = {.no_mode = 1};
	const struct select_env env = env_of(&f, 0);
	struct engine_request req = {"0x3c", NULL, U, 0, NULL, NULL};
	struct why why;

	struct evsel *s = kernel_select(&env, &req, &why);
	assert_non_null(s);
	assert_true(s->together);
	assert_int_equal(s->class, CPC_APPROXIMATE);
	assert_string_equal(s->note, "user and system mode together");
	kernel_evsel_free(s);

	req.flags = U | S; /* all modes are wanted, so counting them together is exact */
	s = kernel_select(&env, &req, &why);
	assert_non_null(s);
	assert_int_equal(s->class, CPC_EXACT);
	assert_null(s->note);
	kernel_evsel_free(s);

	f = (struct fake){.err = EINVAL};
	req.flags = U;
	s = kernel_select(&env, &req, &why);
	assert_non_null(s);
	assert_false(s->together);
	assert_true(s->ev[0].exclude_kernel && s->ev[0].exclude_hv);
	kernel_evsel_free(s);

	f = (struct fake){0};
	req.name = "page-faults";
	kernel_evsel_free(kernel_select(&env, &req, &why));
	assert_int_equal(f.calls, 0); /* software events are not opened */
}

static void counts_on_every_kind_of_core(void **state)
{
	(void)state;
	struct fake f = {0};
	const struct select_env env = env_of(&f, 2);
	const struct engine_request req = {"e", &row_sum, U, 0, NULL, NULL};
	const struct engine_request soft = {"page-faults", NULL, U, 0, NULL, NULL};
	struct why why;

	struct evsel *s = kernel_select(&env, &req, &why);
	assert_non_null(s);
	assert_int_equal(s->n, 4);
	static const uint64_t config[] = {10ull << 32 | 4, 10ull << 32, 4ull << 32 | 4,
					  4ull << 32};
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(s->ev[i].config[0], config[i]);
		assert_int_equal(s->ev[i].core, i / 2);
	}
	kernel_evsel_free(s);
	s = kernel_select(&env, &soft, &why);
	assert_non_null(s);
	assert_int_equal(s->n, 1);
	kernel_evsel_free(s);
}

/* A tracepoint counts in all modes; an event that libpfm4 knows comes before it. */
static void selects_tracepoints(void **state)
{
	char root[] = "/tmp/select-XXXXXX";
	struct fake f = {.err = EACCES};
	struct select_env env = env_of(&f, 0);
	struct engine_request req = {"grp:point", NULL, U, 0, attrs, NULL};
	struct why why;

	(void)state;
	assert_non_null(mkdtemp(root));
	fake_root_put(root, "sys/kernel/tracing/events/grp/point/id", "99\n");
	fake_root_put(root, "sys/kernel/tracing/events/cycles/u/id", "98\n");
	fake_root_put(root, "sys/kernel/tracing/events/GRP/POINT/id", "97\n");
	env.root = root;
	struct evsel *s = kernel_select(&env, &req, &why);
	assert_non_null(s);
	assert_int_equal(s->ev[0].type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(s->ev[0].config[0], 99);
	assert_true(s->kernel_only && !s->ev[0].exclude_kernel && !s->ev[0].exclude_user);
	kernel_evsel_free(s);
	req.nattrs = 1;
	assert_null(kernel_select(&env, &req, &why));
	assert_int_equal(errno, EINVAL);
	req = (struct engine_request){"cycles:u", NULL, U, 0, NULL, NULL};
	s = kernel_select(&env, &req, &why);
	assert_non_null(s);
	assert_int_equal(s->ev[0].type, PERF_TYPE_HARDWARE);
	kernel_evsel_free(s);
	assert_true(kernel_own_knows(root, "GRP:POINT"));
	assert_false(kernel_own_knows("/nowhere", "GRP:POINT"));
	assert_int_equal(fake_root_remove(root), 0);
}

static void knows_names(void **state)
{
	(void)state;
	static const char *const known[] = {
		"page-faults",	"mem:",	    "mem:0x10:x",	 "0", "0x3c", "msr/tsc/",
		"perf::CYCLES", "cycles:u", "sched:sched_switch"};
	static const char *const unknown[] = {"",
					      "EC_ref",
					      "0x",
					      "1g",
					      "no_such_event",
					      "no_such_event:u",
					      "NO_SUCH:EVENT"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!kernel_own_knows("/nowhere", known[i]))
			fail_msg("%s", known[i]);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		if (kernel_own_knows("/nowhere", unknown[i]))
			fail_msg("%s", unknown[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(translates_own_names),
		cmocka_unit_test(translates_rows),
		cmocka_unit_test(tries_the_next_candidate),
		cmocka_unit_test(refuses_attributes_of_rows),
		cmocka_unit_test(notes_that_the_machine_lacks_an_event),
		cmocka_unit_test(settles_modes_of_own_names),
		cmocka_unit_test(counts_on_every_kind_of_core),
		cmocka_unit_test(selects_tracepoints),
		cmocka_unit_test(knows_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
