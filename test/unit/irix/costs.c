#include "irix/costs.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 4096 };

/* Write a valid table into text. */
static void good(char *text)
{
	int n = sprintf(text, "cpu r10000\nsystem IP27\nmhz 195.5 # comment\n");

	for (int i = 0; i < COSTS_NEVENTS; i++)
		n += sprintf(text + n, "%d %d.%06d 0.5 7\n", i, i % 6 + 1, i);
}

static struct costs *parse(const char *text, struct costs_error *err)
{
	return costs_parse(text, strlen(text), err);
}

static void test_good(void **state)
{
	char text[SIZE];
	struct costs_error err;

	(void)state;
	good(text);
	struct costs *c = parse(text, &err);
	assert_non_null(c);
	assert_null(c->name);
	assert_string_equal(c->cpu, "r10000");
	assert_string_equal(c->system, "IP27");
	assert_null(c->synthetic);
	assert_int_equal(c->hz, 195500000);
	for (unsigned i = 0; i < COSTS_NEVENTS; i++) {
		assert_int_equal(c->cost[i].typical, (i % 6 + 1) * 1000000 + i);
		assert_int_equal(c->cost[i].minimum, 500000);
		assert_int_equal(c->cost[i].maximum, 7000000);
	}
	costs_free(c);
	/* any order, blanks, comments, no newline at the end, carriage returns */
	sprintf(strstr(text, "\n31 ") + 1,
		"  # 31 1 1 1\n\r\n \tsynthetic  of  it # all\r\n"
		"31\t-  -\t- #x\r");
	c = parse(text, &err);
	assert_non_null(c);
	assert_string_equal(c->synthetic, "of  it");
	assert_true(c->cost[31].typical == COST_UNKNOWN &&
		    c->cost[31].minimum == COST_UNKNOWN &&
		    c->cost[31].maximum == COST_UNKNOWN);
	costs_free(c);
}

#define BAD_COST(word) \
	word " is not a cost: write a number below 1000000 with at most 6 decimals, or -"
#define UNKNOWN(word)                                                              \
	word " is unknown: a line begins with cpu, system, mhz, synthetic or the " \
	     "number of an event"
#define BAD_CLOCK(word)                                                                 \
	word " is not a clock rate: write MHz above 0 and below 1000000, with at most " \
	     "6 decimals"

/*
 * Bad tables: a valid table in which a line is replaced or appended; the number and the
 * message of the error.
 */
static const struct {
	int line;
	const char *old, *new; /* old NULL: append new */
	unsigned error_line;
	const char *text;
} bad[] = {
	{__LINE__, NULL, "nonsense 1", 36, UNKNOWN("'nonsense'")},
	{__LINE__, NULL, "cpu r12000", 36, "'cpu' is given twice"},
	{__LINE__, NULL, "system IP30", 36, "'system' is given twice"},
	{__LINE__, NULL, "mhz 1", 36, "'mhz' is given twice"},
	{__LINE__, NULL, "synthetic", 36, "'synthetic' must be followed by a text"},
	{__LINE__, NULL, "synthetic a\nsynthetic b", 37, "'synthetic' is given twice"},
	{__LINE__, NULL, "31 1 1 1", 36, "'31' is given twice"},
	{__LINE__, NULL, "32 1 1 1", 36, "'32' is not an event number from 0 to 31"},
	{__LINE__, NULL, "1.0 1 1 1", 36, "'1.0' is not an event number from 0 to 31"},
	{__LINE__, NULL, "007 1 1 1", 36, "'007' is not an event number from 0 to 31"},
	{__LINE__, NULL, "-1 1 1 1", 36, UNKNOWN("'-1'")},
	{__LINE__, NULL, "a\001b", 36, "the line contains a control character"},
	{__LINE__, "cpu r10000", "cpu", 1, "'cpu' must be followed by one word"},
	{__LINE__, "cpu r10000", "cpu a b", 1, "'cpu' must be followed by one word"},
	{__LINE__, "cpu r10000", "", 35, "the line 'cpu' is missing"},
	{__LINE__, "system IP27", "", 35, "the line 'system' is missing"},
	{__LINE__, "mhz 195.5", "", 35, "the line 'mhz' is missing"},
	{__LINE__, "mhz 195.5", "mhz 0", 3, BAD_CLOCK("'0'")},
	{__LINE__, "mhz 195.5", "mhz 1000000", 3, BAD_CLOCK("'1000000'")},
	{__LINE__, "mhz 195.5", "mhz 1 2", 3, "'mhz' must be followed by one word"},
	{__LINE__, "31 2.000031 0.5 7", "", 35, "event 31 has no line"},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1", 35,
	 "an event needs three costs: typical, minimum, maximum"},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 1 1", 35,
	 "an event needs three costs: typical, minimum, maximum"},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 1 1 1 1", 35,
	 "an event needs three costs: typical, minimum, maximum"},
	{__LINE__, "31 2.000031 0.5 7", "31 1 - 1", 35,
	 "either all three costs or none must be '-'"},
	{__LINE__, "31 2.000031 0.5 7", "31 1 2 3", 35,
	 "the typical cost is not between minimum and maximum"},
	{__LINE__, "31 2.000031 0.5 7", "31 4 2 3", 35,
	 "the typical cost is not between minimum and maximum"},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 1.0000001", 35, BAD_COST("'1.0000001'")},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 1.", 35, BAD_COST("'1.'")},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 .5", 35, BAD_COST("'.5'")},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 01", 35, BAD_COST("'01'")},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 1e3", 35, BAD_COST("'1e3'")},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 1,5", 35, BAD_COST("'1,5'")},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 1000000", 35, BAD_COST("'1000000'")},
	{__LINE__, "31 2.000031 0.5 7", "31 1 1 99999999999999999999999", 35,
	 BAD_COST("'99999999999999999999999'")},
};

static void spoil(char *text, const char *old, const char *new)
{
	char tail[SIZE];
	char *place = old ? strstr(text, old) : text + strlen(text);

	assert_non_null(place);
	strcpy(tail, place + (old ? strlen(old) : 0));
	sprintf(place, "%s%s", new, tail);
}

static void test_bad(void **state)
{
	char text[SIZE + 256];
	struct costs_error err;

	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		good(text);
		spoil(text, bad[i].old, bad[i].new);
		errno = 0;
		struct costs *c = parse(text, &err);
		if (c || errno != EINVAL || err.line != bad[i].error_line ||
		    strcmp(err.text, bad[i].text) != 0)
			fail_msg("line %d: %s, errno %d, %u: %s", bad[i].line,
				 c ? "taken" : "refused", errno, err.line, err.text);
	}
	assert_null(costs_parse("", 0, &err));
	assert_int_equal(err.line, 1);
	good(text);
	assert_null(costs_parse(text, strlen(text) + 1, &err));
	assert_string_equal(err.text, "the line contains a control character");
}

static void same_costs(const struct costs *a, const struct costs *b)
{
	assert_string_equal(a->cpu, b->cpu);
	assert_string_equal(a->system, b->system);
	assert_int_equal(a->hz, b->hz);
	assert_int_equal(!a->synthetic, !b->synthetic);
	if (a->synthetic)
		assert_string_equal(a->synthetic, b->synthetic);
	assert_memory_equal(a->cost, b->cost, sizeof a->cost);
}

/* costs_parse() reads costs_text() of each table as the same table. */
static void test_round_trip(void **state)
{
	struct costs_error err;
	unsigned n = 0;

	(void)state;
	for (const struct costs *c = costs_tables; c->name; c++, n++) {
		char *text = costs_text(c);
		assert_non_null(text);
		struct costs *again = parse(text, &err);
		if (!again)
			fail_msg("%s: %u: %s", c->name, err.line, err.text);
		same_costs(c, again);
		char *text2 = costs_text(again);
		assert_string_equal(text, text2);
		free(text);
		free(text2);
		costs_free(again);
	}
	assert_int_equal(n, 3);
}

/* The default table of each processor; only r10000_196 was measured on a machine. */
static void test_tables(void **state)
{
	const struct costs *r10000 = costs_of("r10000"), *r12000 = costs_of("r12000");

	(void)state;
	assert_string_equal(r10000->name, "r10000_196");
	assert_null(r10000->synthetic);
	assert_int_equal(r10000->hz, 196000000);
	assert_int_equal(r10000->cost[26].typical, 73991950);
	assert_int_equal(r10000->cost[21].minimum, 500000);
	assert_true(r10000->cost[4].typical == COST_UNKNOWN);
	for (const struct costs *c = costs_tables; c->name; c++)
		assert_true(c == r10000 || c->synthetic);
	assert_string_equal(r12000->name, "r12000_300");
	assert_null(costs_of("us3"));
	costs_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
