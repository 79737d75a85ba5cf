/* Limits that can be judged, what they are judged with, and what the results mean. */
#include "suite/series/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LEN(a) (sizeof(a) / sizeof(*(a)))

static const struct runs_event events[] = {
	{.name = "insn", .mode = "user", .unit = "1", .kind = RUNS_COUNT},
	{.name = "page-faults", .mode = "user", .unit = "1", .kind = RUNS_NOISY},
	{.name = "task-clock", .mode = "user+sys", .unit = "ns", .kind = RUNS_NOISY},
};

/* All events have the same values, which begin with first and rise by step. */
static struct runs make(const char *command, unsigned n, uint64_t first, uint64_t step)
{
	static const cpc_class_t quality[] = {CPC_SIMULATED, CPC_EXACT, CPC_EXACT};
	struct runs s = {.command = command, .nevents = LEN(events), .event = events};

	for (unsigned i = 0; i < n; i++) {
		const uint64_t v = first + i * step;

		assert_int_equal(runs_add(&s, (uint64_t[]){v, v, v}, quality), 0);
	}
	return s;
}

static struct gate parse(const char *text)
{
	struct gate g = {0};
	const char *bad;

	assert_int_equal(gate_add(&g, text, &bad), 0);
	return g;
}

static void checks(void **state)
{
	static const struct {
		int line;
		const char *limits, *file, *why; /* file NULL: pairs; why NULL: yes */
	} t[] = {
		{__LINE__, "insn=0%", NULL, NULL},
		{__LINE__, "insn=0%", "base", NULL},
		{__LINE__, "task-clock=2%", NULL, NULL},
		{__LINE__, "insn=1%,task-clock=2%", "base",
		 "task-clock varies between moments; compare the two builds next to each "
		 "other: --vs=OLD --limit=task-clock=2% NEW"},
		{__LINE__, "page-faults=5%", "base", NULL},
		{__LINE__, "page-faults=4.9%", "base",
		 "page-faults varies between moments; against a saved file its limit "
		 "must be at least 5 %"},
		{__LINE__, "a\nb=2%", NULL,
		 "'a?b' is not among the events that are counted"},
	};
	struct runs now = make("new", 5, 1000, 0);

	(void)state;
	for (unsigned i = 0; i < LEN(t); i++) {
		struct gate g = parse(t[i].limits);
		const struct limits l = {
			.gate = &g, .now = &now, .alpha = 0.05, .saved_name = t[i].file};
		struct textbuf why = {0};
		const int rc = limits_check(&l, &why);
		char *text = textbuf_end(&why);

		if ((rc == 0) != !t[i].why || strcmp(text, t[i].why ? t[i].why : "") != 0)
			fail_msg("line %d: %d, %s", t[i].line, rc, text);
		free(text);
		gate_free(&g);
	}
	runs_free(&now);
}

static void endings(void **state)
{
	static const struct {
		int line;
		struct runs_ending ending;
		const char *why;
	} t[] = {
		{__LINE__, {0, 0}, ""},
		{__LINE__, {0, 4}, "'a?b' ended with status 4"},
		{__LINE__, {15, 0}, "'a?b' was ended by signal 15 (SIGTERM)"},
	};

	(void)state;
	for (unsigned i = 0; i < LEN(t); i++) {
		const struct runs runs = {.command = "a\tb", .ending = t[i].ending};
		struct textbuf why = {0};
		const int rc = limits_check_ending(&runs, &why);
		char *text = textbuf_end(&why);

		if (rc != (*t[i].why ? -1 : 0) || strcmp(text, t[i].why) != 0)
			fail_msg("line %d: %d, %s", t[i].line, rc, text);
		free(text);
	}
}

/* Runs before and now: their number, first value and step; the results of one limit. */
static void judges(void **state)
{
	static const struct {
		int line;
		const char *limit;
		struct {
			unsigned n;
			uint64_t first, step;
		} was, now;
		enum gate_result saved, pairs;
		enum limits_outcome plain, strict; /* of the saved runs */
	} t[] = {
		{__LINE__,
		 "insn=2%",
		 {5, 1000, 0},
		 {5, 1020, 0},
		 GATE_OK,
		 GATE_OK,
		 LIMITS_PASSED,
		 LIMITS_PASSED},
		{__LINE__,
		 "insn=2%",
		 {5, 1000, 0},
		 {5, 1021, 0},
		 GATE_FAIL,
		 GATE_FAIL,
		 LIMITS_EXCEEDED,
		 LIMITS_EXCEEDED},
		{__LINE__,
		 "-insn=2%",
		 {5, 1000, 0},
		 {5, 1021, 0},
		 GATE_OK,
		 GATE_OK,
		 LIMITS_PASSED,
		 LIMITS_PASSED},
		{__LINE__,
		 "-insn=2%",
		 {5, 1000, 0},
		 {5, 979, 0},
		 GATE_FAIL,
		 GATE_FAIL,
		 LIMITS_EXCEEDED,
		 LIMITS_EXCEEDED},
		{__LINE__,
		 "insn=2%",
		 {5, 1000, 5},
		 {5, 1010, 5},
		 GATE_UNSURE,
		 GATE_UNSURE,
		 LIMITS_PASSED,
		 LIMITS_UNKNOWN},
		{__LINE__,
		 "insn=2%",
		 {2, 1000, 0},
		 {2, 1000, 0},
		 GATE_TOO_FEW,
		 GATE_TOO_FEW,
		 LIMITS_UNKNOWN,
		 LIMITS_UNKNOWN},
		{__LINE__,
		 "page-faults=5%",
		 {8, 1000, 1},
		 {8, 1100, 1},
		 GATE_FAIL,
		 GATE_FAIL,
		 LIMITS_EXCEEDED,
		 LIMITS_EXCEEDED},
		{__LINE__,
		 "page-faults=5%",
		 {8, 1000, 1},
		 {8, 1000, 1},
		 GATE_OK,
		 GATE_OK,
		 LIMITS_PASSED,
		 LIMITS_PASSED},
	};

	(void)state;
	for (unsigned i = 0; i < LEN(t); i++) {
		struct runs was = make("old", t[i].was.n, t[i].was.first, t[i].was.step);
		struct runs now = make("new", t[i].now.n, t[i].now.first, t[i].now.step);
		struct gate g = parse(t[i].limit);
		const struct limits_reference reference = {&was, 0};
		const struct limits l = {.gate = &g,
					 .now = &now,
					 .alpha = 0.05,
					 .nreferences = 1,
					 .reference = &reference,
					 .saved = &was,
					 .saved_name = "base"};
		struct limits saved = l;
		struct limits_report judged = {.put = NULL};
		struct limits_result a, b;
		const unsigned event = (unsigned)runs_find(&now, g.limit[0].event, NULL);

		assert_int_equal(limits_of_event(&l, NULL, event, &a), 0);
		assert_int_equal(limits_of_event(&l, &reference, event, &b), 0);
		if (a.result != t[i].saved || b.result != t[i].pairs)
			fail_msg("line %d: %s, %s", t[i].line, gate_name(a.result),
				 gate_name(b.result));
		saved.nreferences = 0;
		assert_int_equal(limits_judge(&saved, &judged), 0);
		if (judged.n != 1 || judged.count[t[i].saved] != 1 ||
		    limits_outcome(&judged, 0) != t[i].plain ||
		    limits_outcome(&judged, 1) != t[i].strict)
			fail_msg("line %d: %u results, %d, strictly %d", t[i].line,
				 judged.n, limits_outcome(&judged, 0),
				 limits_outcome(&judged, 1));
		gate_free(&g);
		runs_free(&was);
		runs_free(&now);
	}
}

/* Of several limits of an event the worst result is found, and none of another event. */
static void worst_of_event(void **state)
{
	struct runs was = make("old", 5, 1000, 0), now = make("new", 5, 1030, 0);
	struct gate g = parse("insn=5%,insn=2%,insn=4%");
	const struct limits l = {
		.gate = &g, .now = &now, .alpha = 0.05, .saved = &was, .saved_name = "f"};
	struct limits_result found;

	(void)state;
	assert_int_equal(limits_of_event(&l, NULL, 0, &found), 0);
	assert_int_equal(found.result, GATE_FAIL);
	assert_ptr_equal(found.limit, &g.limit[1]);
	assert_int_equal(limits_of_event(&l, NULL, 1, &found), 0);
	assert_null(found.limit);
	gate_free(&g);
	runs_free(&was);
	runs_free(&now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checks),
		cmocka_unit_test(endings),
		cmocka_unit_test(judges),
		cmocka_unit_test(worst_of_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
