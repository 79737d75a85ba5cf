/* Records of repeated runs. */
#include "suite/series/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Make the record of a series, for free(). */
static char *record(const struct runs *s)
{
	const struct row_run run = {.id = "x"};
	struct facts facts;
	struct textbuf b = {0};

	facts_none(&facts);
	assert_int_equal(series_json_runs(&b, &run, 3, s, &facts, NULL), 0);
	char *text = textbuf_end(&b);
	assert_non_null(text);
	return text;
}

/* A run in which an event was not counted has null, and the event has no median then. */
static void test_missing(void **state)
{
	static const struct runs_event events[] = {
		{.name = "page-faults", .mode = "", .unit = "1"},
		{.name = "elapsed", .unit = "ns"}};
	static const cpc_class_t quality[][2] = {{CPC_EXACT, CPC_EXACT},
						 {CPC_UNAVAILABLE, CPC_EXACT}};
	struct runs s = {.command = "true",
			 .nevents = 2,
			 .event = events,
			 .ending = {.signal = 9}};

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(runs_add(&s, (uint64_t[]){7 + i, 30}, quality[i]), 0);
	char *text = record(&s);
	assert_string_equal(
		text,
		"{\"schema\":2,\"record\":\"series\",\"run\":\"x\",\"series\":3,"
		"\"command\":\"true\",\"command_status\":137,\"start_bytes\":null,"
		"\"cwd_bytes\":null,\"program_hash\":null,\"runs\":2,\"events\":["
		"{\"name\":\"page-faults\",\"mode\":\"none\",\"unit\":\"1\","
		"\"kind\":\"noisy\",\"class\":\"unavailable\",\"median\":null,"
		"\"first_quartile\":null,\"third_quartile\":null,\"min\":null,"
		"\"max\":null,\"outliers\":null,\"values\":[7,null]},"
		"{\"name\":\"elapsed\",\"mode\":null,\"unit\":\"ns\",\"kind\":\"noisy\","
		"\"class\":\"exact\",\"median\":30,\"first_quartile\":30,"
		"\"third_quartile\":30,\"min\":30,\"max\":30,\"outliers\":0,"
		"\"values\":[30,30]}],\"warnings\":[]}\n");
	free(text);
	runs_free(&s);
}

/* Without a run the command has no status. */
static void test_none(void **state)
{
	static const struct runs_event event = {.name = "insn", .kind = RUNS_COUNT};
	const struct runs s = {.command = "true", .nevents = 1, .event = &event};

	(void)state;
	char *text = record(&s);
	assert_non_null(strstr(text, ",\"command_status\":null,"));
	assert_non_null(strstr(text, ",\"runs\":0,"));
	assert_non_null(strstr(text, ",\"values\":[]}"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
