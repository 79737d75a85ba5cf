#include "suite/tell/entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <opencpc.h>

static const struct list_entry plain = {
	.name = "page-faults",
	.source = "software",
	.title = "Page faults",
	.engine = "kernel",
	.class = CPC_EXACT,
};
static const struct list_entry simulated = {
	.name = "EC_misses",
	.source = "us3",
	.title = "External cache misses",
	.engine = "sim",
	.class = CPC_SIMULATED,
	.how = "by the ultrasparc3 model: modelled",
};
static const struct list_entry numbered = {
	.name = "L1D_MISS",
	.source = "r10000",
	.title = "Primary data cache misses",
	.engine = "sim",
	.class = CPC_SIMULATED,
	.is_first = 1,
};
static const struct list_entry refused = {
	.name = "INST_RETIRED",
	.source = "host",
	.class = CPC_UNAVAILABLE,
	.how = "INST_RETIRED: this virtual machine has no hardware counters; count "
	       "software events",
};
static const struct list_entry nearly = {
	.name = "L1D_CACHE_OF_A_PROCESSOR_WITH_LONG_NAMES",
	.source = "p6",
	.title = "L1 \"data\" cache,\n accesses",
	.engine = "kernel",
	.class = CPC_APPROXIMATE,
	.how = "as ~L1D_CACHE",
};

static const struct {
	int line;
	const struct list_entry *entry;
	struct entry_style style;
	int number;
	const char *text;
} cases[] = {
	{__LINE__,
	 &plain,
	 {.width = 0},
	 -1,
	 "page-faults               exact       Page faults\n"},
	{__LINE__,
	 &plain,
	 {.has_numbers = 1},
	 -1,
	 "   page-faults            exact       Page faults\n"},
	{__LINE__,
	 &numbered,
	 {.has_numbers = 1, .has_source = 1},
	 5,
	 " 5 L1D_MISS               simulated   Primary data cache misses\n"},
	{__LINE__,
	 &numbered,
	 {.has_numbers = 1},
	 25,
	 "25 L1D_MISS               simulated   Primary data cache misses\n"},
	{__LINE__,
	 &simulated,
	 {.has_source = 1},
	 -1,
	 "EC_misses                 simulated   External cache misses [us3, by the "
	 "ultrasparc3 model: modelled]\n"},
	{__LINE__,
	 &simulated,
	 {.width = 0},
	 -1,
	 "EC_misses                 simulated   External cache misses [by the "
	 "ultrasparc3 model: modelled]\n"},
	/* On a terminal a long remark is left out, and long text is broken. */
	{__LINE__,
	 &simulated,
	 {.width = 80, .has_source = 1},
	 -1,
	 "EC_misses                 simulated   External cache misses [us3]\n"},
	{__LINE__,
	 &simulated,
	 {.width = 60, .has_source = 1},
	 -1,
	 "EC_misses                 simulated   External cache misses\n"
	 "                                      [us3]\n"},
	{__LINE__,
	 &simulated,
	 {.width = 59, .has_source = 1},
	 -1,
	 "EC_misses                 simulated   External cache misses [us3]\n"},
	{__LINE__,
	 &simulated,
	 {.width = 96},
	 -1,
	 "EC_misses                 simulated   External cache misses [by the "
	 "ultrasparc3 model: modelled]\n"},
	{__LINE__,
	 &refused,
	 {.width = 80},
	 -1,
	 "INST_RETIRED              unavailable [this virtual machine has no hardware\n"
	 "                                      counters; count software events]\n"},
	{__LINE__,
	 &nearly,
	 {.width = 80, .has_source = 1},
	 -1,
	 "L1D_CACHE_OF_A_PROCESSOR_WITH_LONG_NAMES approximate L1 \"data\" cache,? "
	 "accesses\n"
	 "                                      [p6, as ~L1D_CACHE]\n"},
	/* Records have everything. */
	{__LINE__,
	 &nearly,
	 {.format = TEXT_CSV, .width = 80},
	 -1,
	 "L1D_CACHE_OF_A_PROCESSOR_WITH_LONG_NAMES,,approximate,kernel,p6,\"L1 "
	 "\"\"data\"\" cache,? accesses\",as ~L1D_CACHE,\n"},
	{__LINE__,
	 &refused,
	 {.format = TEXT_CSV},
	 -1,
	 "INST_RETIRED,,unavailable,,host,,,INST_RETIRED: this virtual machine has no "
	 "hardware counters; count software events\n"},
	{__LINE__,
	 &numbered,
	 {.format = TEXT_JSON},
	 25,
	 "{\"event\":\"L1D_MISS\",\"number\":25,\"class\":\"simulated\","
	 "\"engine\":\"sim\","
	 "\"source\":\"r10000\",\"title\":\"Primary data cache misses\",\"note\":null,"
	 "\"reason\":null}\n"},
	{__LINE__,
	 &refused,
	 {.format = TEXT_JSON},
	 -1,
	 "{\"event\":\"INST_RETIRED\",\"number\":null,\"class\":\"unavailable\","
	 "\"engine\":null,\"source\":\"host\",\"title\":null,\"note\":null,\"reason\":"
	 "\"INST_RETIRED: this virtual machine has no hardware counters; count software "
	 "events\"}\n"},
};

static void lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct textbuf b = {0};

		entry_line(&b, &cases[i].style, cases[i].entry, cases[i].number);
		char *text = textbuf_end(&b);
		assert_non_null(text);
		if (strcmp(text, cases[i].text) != 0)
			fail_msg("line %d:\n%s", cases[i].line, text);
		free(text);
	}
}

static void titles(void **state)
{
	static const struct {
		struct entry_style style;
		const char *text;
	} want[] = {
		{{.width = 80}, "# event                   class       title [how]\n"},
		{{.has_numbers = 1},
		 "#  event                  class       title [how]\n"},
		{{.format = TEXT_CSV},
		 "event,number,class,engine,source,title,note,reason\n"},
		{{.format = TEXT_JSON}, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		struct textbuf b = {0};

		entry_title(&b, &want[i].style);
		char *text = textbuf_end(&b);
		assert_string_equal(text, want[i].text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(titles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
