/* Reports of made-up recordings: each view, and what the numbers are said to be. */
#include "suite/profile/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

#define TAKEN	     (LWP_BRE_TKN | LWP_BRE_PRV | LWP_BRE_PRD)
#define WRONG	     (LWP_BRE_TKN | LWP_BRE_PRV)
#define MISS(source) (LWP_DME_DAV | (source) << 13)

static const lwp_record_t first[] = {
	{.id = LWP_EVENT_INS, .ip = 0x1001, .flags = 1, .data1 = 2, .data2 = 3},
	{.id = LWP_EVENT_IRE, .ip = 0x1010},
	{.id = LWP_EVENT_IRE, .ip = 0x1010},
	{.id = LWP_EVENT_IRE, .ip = 0x1190},
	{.id = LWP_EVENT_IRE, .ip = 0x2040},
	{.id = LWP_EVENT_BRE, .ip = 0x1020, .data2 = 0x1100, .flags = TAKEN},
	{.id = LWP_EVENT_BRE, .ip = 0x1020, .data2 = 0x1100, .flags = WRONG},
	{.id = LWP_EVENT_BRE, .ip = 0x1020, .data2 = 0x1100, .flags = LWP_BRE_TKN},
	{.id = LWP_EVENT_BRE, .ip = 0x1020, .data2 = 0x1024},
	{.id = LWP_EVENT_DME,
	 .ip = 0x1030,
	 .data1 = 100,
	 .data2 = 0x8000,
	 .flags = MISS(3)},
	{.id = LWP_EVENT_DME,
	 .ip = 0x1030,
	 .data1 = 200,
	 .data2 = 0x8040,
	 .flags = MISS(3)},
	{.id = LWP_EVENT_DME,
	 .ip = 0x1030,
	 .data1 = 20,
	 .data2 = 0xb000,
	 .flags = MISS(1)},
	{.id = LWP_EVENT_VAL, .ip = 0x1008, .flags = 7, .data1 = 1, .data2 = 42},
	{.id = LWP_EVENT_VAL, .ip = 0x1008, .flags = 7, .data1 = 1, .data2 = 42},
	{.id = LWP_EVENT_VAL, .ip = 0x1008, .flags = 7, .data1 = 1, .data2 = 42},
	{.id = LWP_EVENT_VAL, .ip = 0x1008, .flags = 7, .data1 = 1, .data2 = 43},
	{.id = LWP_EVENT_INS, .ip = 0x1001, .flags = 2, .data1 = 3, .data2 = 4},
	{.id = 9, .ip = 0x1000},
};

static const lwp_record_t second[] = {
	{.id = LWP_EVENT_IRE, .ip = 0x1120, .core = 1},
	{.id = LWP_EVENT_DME,
	 .ip = 0x1120,
	 .data1 = 100,
	 .data2 = 0x8008,
	 .flags = MISS(3)},
	{.id = LWP_EVENT_DME,
	 .ip = 0x1190,
	 .data1 = 100,
	 .data2 = 0x8040,
	 .flags = MISS(3)},
};

static struct recording_event event[] = {
	{LWP_EVENT_IRE, "ire", "simulated r10000", 10, 1234},
	{LWP_EVENT_DME, "dme", "simulated r10000", 1, 5},
	{LWP_EVENT_BRE, "bre", "perf branches", 0, UINT64_MAX},
	{LWP_EVENT_VAL, "val", "emulated", 5, UINT64_MAX},
};

static struct recording_count count[] = {{0x1010, 0, 70}, {0x1190, 0, 30}};

static struct made_ring memory[2];

/* The whole recording, without counts if exact is 0. */
static struct recording whole(struct recording_ring ring[2], int exact)
{
	struct recording r = made_recording();

	made_fill(&memory[0], &ring[0], 101, 60, first, LEN(first));
	made_fill(&memory[1], &ring[1], 102, 0, second, LEN(second));
	r.ring = ring;
	r.nring = 2;
	r.event = event;
	r.nevent = LEN(event);
	r.count = count;
	r.ncount = exact ? LEN(count) : 0;
	return r;
}

static char *report(int exact, const struct profile_options *o, const char *view,
		    struct view_options options, enum text_format format)
{
	struct recording_ring ring[2];
	const struct recording r = whole(ring, exact);
	const struct profile_input input = {.name = "lwprec.core", .recording = &r};
	struct profile_options all = *o;
	struct textbuf b = {0};

	all.details = ~0u;
	struct profile *p = profile_new(&input, 1, &all);

	assert_non_null(p);
	const struct view *const v = report_view(view);
	assert_non_null(v);
	const struct report request = {&v, 1, options, format};

	assert_true(report_put(&b, p, &request) >= 0);
	profile_free(p);
	return textbuf_end(&b);
}

/* What follows the lines about the recording, and the options -e and --records. */
static const struct {
	int line;
	int exact;
	const char *events, *view;
	size_t top;
	const char *want;
} texts[] = {
	/* exact counts take the place of records, also of their events */
	{__LINE__, 1, "ire", "symbol", 0,
	 "ire by symbol: exact counts, simulated r10000, 100 in all\n"
	 "percent  count  symbol  module\n"
	 "  70.00     70  alpha   one\n"
	 "  30.00     30  beta    one\n"},
	{__LINE__, 0, "ire", "symbol", 0,
	 "ire by symbol: records x interval 10, simulated r10000, 50 in all\n"
	 "percent  count  symbol           module\n"
	 "  40.00     20  alpha            one\n"
	 "  40.00     20  beta             one\n"
	 "  20.00     10  two [no symbol]  two\n"},
	{__LINE__, 0, "ire", "symbol", 1,
	 "ire by symbol: records x interval 10, simulated r10000, 50 in all\n"
	 "percent  count  symbol  module\n"
	 "  40.00     20  alpha   one\n"
	 "and 2 more rows with 60.00 %\n"},
	{__LINE__, 0, "IRE,none", "function", 0,
	 "ire by function or inlined function: records x interval 10, simulated r10000, "
	 "50 in all\n"
	 "percent  count  function         module\n"
	 "  40.00     20  alpha            one\n"
	 "  20.00     10  beta             one\n"
	 "  20.00     10  gamma            one\n"
	 "  20.00     10  two [no symbol]  two\n"},
	{__LINE__, 0, "ire", "module", 0,
	 "ire by module: records x interval 10, simulated r10000, 50 in all\n"
	 "percent  count  module\n"
	 "  80.00     40  one\n"
	 "  20.00     10  two\n"},
	{__LINE__, 0, "ire", "file", 0,
	 "ire by source file: records x interval 10, simulated r10000, 50 in all\n"
	 "percent  count  file\n"
	 "  60.00     30  /src/one.c\n"
	 "  20.00     10  /src/gamma.h\n"
	 "  20.00     10  -\n"},
	{__LINE__, 0, "ire", "line", 0,
	 "ire by source line: records x interval 10, simulated r10000, 50 in all\n"
	 "percent  count  line       function         module\n"
	 "  40.00     20  one.c:11   alpha            one\n"
	 "  20.00     10  gamma.h:5  gamma            one\n"
	 "  20.00     10  one.c:40   beta             one\n"
	 "  20.00     10  -          two [no symbol]  two\n"},
	{__LINE__, 0, "ire", "ip", 0,
	 "ire by instruction: records x interval 10, simulated r10000, 50 in all\n"
	 "percent  count      ip  place       module\n"
	 "  40.00     20  0x1010  alpha+0x10  one\n"
	 "  20.00     10  0x1120  beta+0x20   one\n"
	 "  20.00     10  0x1190  beta+0x90   one\n"
	 "  20.00     10  0x2040  two+0x40    two\n"},
	{__LINE__, 1, "ire", "thread", 0,
	 "ire by thread: records x interval 10, simulated r10000, 50 in all\n"
	 "percent  count  pid  tid  thread\n"
	 "  80.00     40  100  101  main\n"
	 "  20.00     10  100  102  helper\n"},
	{__LINE__, 0, "ire", "core", 0,
	 "ire by core: records x interval 10, simulated r10000, 50 in all\n"
	 "percent  count  core\n"
	 "  80.00     40     0\n"
	 "  20.00     10     1\n"},
	/* the interval of bre is not known, nor are two of the predictions */
	{__LINE__, 0, NULL, "branch", 0,
	 "bre by branch: records, perf branches, 4 in all\n"
	 "percent  count  taken %  mispredicted %  from        to\n"
	 "  75.00      3   100.00           50.00  alpha+0x20  beta+0x0\n"
	 "  25.00      1     0.00               -  alpha+0x20  alpha+0x24\n"},
	{__LINE__, 0, NULL, "value", 0,
	 "val by value of each site: records x interval 5, emulat"
	 "ed, 20 in all\n"
	 "percent  count  % of site                        field "
	 " value  flags  site       module\n"
	 "  75.00     15      75.00  ###############       data2 "
	 "    42    0x7  alpha+0x8  one\n"
	 "  25.00      5      25.00  #####                 data2 "
	 "    43    0x7  alpha+0x8  one\n"
	 " 100.00     20     100.00  ####################  data1 "
	 "     1    0x7  alpha+0x8  one\n"},
	{__LINE__, 0, NULL, "source", 0,
	 "dme by source (latency in cycles): records x interval 1, simulated "
	 "r10000, 5 in all\n"
	 "percent  count  p50  p90  p99  max  source\n"
	 "  20.00      1   20   20   20   20  l3\n"
	 "  80.00      4  100  200  200  200  dram\n"},
	{__LINE__, 0, NULL, "data", 0,
	 "dme by variable: records x interval 1, simulated r10000, 5 in all\n"
	 "percent  count  latency  data                        module\n"
	 "  80.00      4      125  table                       one\n"
	 "  20.00      1       20  anonymous memory at 0xb000  -\n"},
	{__LINE__, 0, NULL, "cacheline", 0,
	 "dme by cache line: records x interval 1, simulated r10000, 5 in all\n"
	 "percent  count  latency  threads  addresses  address  data  "
	 "                      "
	 "functions    sharing\n"
	 "  40.00      2      100        2          2   0x8000  table "
	 "                      "
	 "alpha, beta  false\n"
	 "  40.00      2      150        2          1   0x8040  "
	 "table+0x40                  "
	 "alpha, beta  true\n"
	 "  20.00      1       20        1          1   0xb000  "
	 "anonymous memory at 0xb000  "
	 "alpha        -\n"},
	{__LINE__, 0, NULL, "sharing", 1,
	 "dme in cache lines that several threads use: records x interval 1, simulated "
	 "r10000, 5 in all\n"
	 "percent  count  latency  threads  addresses  address  data  "
	 " functions    sharing\n"
	 "  40.00      2      100        2          2   0x8000  table "
	 " alpha, beta  false\n"
	 "and 1 more row with 40.00 %\n"},
	{__LINE__, 0, NULL, "page", 0,
	 "dme by page: records x interval 1, simulated r10000, 5 in all\n"
	 "percent  count  latency  threads  addresses  address  data  "
	 "                      "
	 "functions\n"
	 "  80.00      4      125        2          3   0x8000  table "
	 "                      "
	 "alpha, beta\n"
	 "  20.00      1       20        1          1   0xb000  "
	 "anonymous memory at 0xb000  "
	 "alpha\n"},
	{__LINE__, 0, NULL, "marker", 0,
	 "ins in their order: records x interval 1, 2 in all\n"
	 "tid  time  record  since last  flags  data1  data2  place\n"
	 "101     -       0           0    0x1      2      3  alpha+0x1\n"
	 "101     -      16          15    0x2      3      4  alpha+0x1\n"},
	{__LINE__, 0, "event9", "ip", 0,
	 "event9 by instruction: records, 1 in all\n"
	 "percent  count      ip  place      module\n"
	 " 100.00      1  0x1000  alpha+0x0  one\n"},
};

static void test_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(texts); i++) {
		const struct profile_options o = {.event = texts[i].events};
		const struct view_options v = {texts[i].top, 64};
		char *text = report(texts[i].exact, &o, texts[i].view, v, TEXT_PLAIN);
		const char *tables = strstr(text, "\n\n");

		if (!tables || strcmp(tables + 2, texts[i].want) != 0)
			fail_msg("line %d:\n%s", texts[i].line, text);
		free(text);
	}
}

static void test_head(void **state)
{
	const struct profile_options o = {0};
	char *text = report(0, &o, "sharing", (struct view_options){0, 32}, TEXT_PLAIN);
	static const char want[] =
		"lwprec.core: one --fast, process 100\n"
		"  ire: simulated r10000, 1234 events, a record for each 10\n"
		"  dme: simulated r10000, 5 events, a record for each\n"
		"  bre: perf branches\n"
		"  val: emulated, a record for each 5\n"
		"LWP records have no stacks: each number belongs to the function of the "
		"instruction itself.\n";

	(void)state;
	assert_memory_equal(text, want, strlen(want));
	free(text);
}

static void test_csv(void **state)
{
	const struct profile_options o = {.event = "ire"};
	char *text = report(1, &o, "line", (struct view_options){1, 64}, TEXT_CSV);

	(void)state;
	assert_string_equal(text,
			    "view,event,number,count,percent,file,line,function,module\n"
			    "line,ire,exact counts,70,70.00,/src/one.c,11,alpha,"
			    "/bin/one\n");
	free(text);
}

static void test_json(void **state)
{
	const struct profile_options o = {.event = "ire", .records = 1};
	char *text = report(1, &o, "ip", (struct view_options){1, 64}, TEXT_JSON);

	(void)state;
	assert_string_equal(
		text,
		"{\"record\":\"report\",\"schema\":1,\"records\":5,\"missed\":0,"
		"\"invalid\":0,\"absent\":0}\n"
		"{\"record\":\"recording\",\"file\":\"lwprec.core\",\"pid\":100,"
		"\"command\":\"one --fast\",\"program\":null,\"unix_ns\":null}\n"
		"{\"record\":\"metric\",\"event\":\"ire\",\"number\":\"records x "
		"interval\",\"source\":\"simulated r10000\",\"interval\":10,"
		"\"records\":5,\"total\":50}\n"
		"{\"record\":\"row\",\"view\":\"ip\",\"event\":\"ire\",\"number\":"
		"\"records x interval\",\"count\":20,\"percent\":40.00,\"ip\":\"0x1010\","
		"\"place\":\"alpha+0x10\",\"module\":\"/bin/one\"}\n");
	free(text);
}

/* Only records of the second thread. */
static int of_helper(void *arg, size_t input, const lwp_record_t *r, pid_t tid)
{
	(void)arg;
	(void)input;
	(void)r;
	return tid == 102;
}

static void test_keep(void **state)
{
	const struct profile_options o = {.event = "dme", .keep = of_helper};
	char *text = report(0, &o, "symbol", (struct view_options){0, 64}, TEXT_CSV);

	(void)state;
	assert_string_equal(text,
			    "view,event,number,count,percent,symbol,module\n"
			    "symbol,dme,records x interval,2,100.00,beta,/bin/one\n");
	free(text);
}

/* The site with most values comes first, although none of them is the most frequent. */
static void test_sites(void **state)
{
	static const struct {
		uint64_t ip, value;
	} values[] = {{0x1008, 42}, {0x1008, 42}, {0x1190, 1}, {0x1190, 2}, {0x1190, 3}};
	const struct view *const v = report_view("value");
	const struct report request = {&v, 1, {0, 64}, TEXT_PLAIN};
	lwp_record_t r[LEN(values)];
	struct recording_ring ring;
	struct recording recording = made_recording();
	const struct profile_input input = {.name = "core", .recording = &recording};
	struct textbuf b = {0};

	(void)state;
	for (size_t i = 0; i < LEN(values); i++)
		r[i] = (lwp_record_t){.id = LWP_EVENT_VAL,
				      .ip = values[i].ip,
				      .data2 = values[i].value};
	made_fill(&memory[0], &ring, 101, 0, r, LEN(values));
	recording.ring = &ring;
	recording.nring = 1;
	struct profile *p = profile_new(
		&input, 1, &(struct profile_options){.details = PROFILE_VALUES});
	assert_non_null(p);
	assert_true(report_put(&b, p, &request) >= 0);
	profile_free(p);
	char *text = textbuf_end(&b);
	assert_string_equal(
		strstr(text, "\n  "),
		"\n"
		"  20.00      1      33.33  #######               data2      1    0x0  "
		"beta+0x90  one\n"
		"  20.00      1      33.33  #######               data2      2    0x0  "
		"beta+0x90  one\n"
		"  20.00      1      33.33  #######               data2      3    0x0  "
		"beta+0x90  one\n"
		"  60.00      3     100.00  ####################  data1      0    0x0  "
		"beta+0x90  one\n"
		"  40.00      2     100.00  ####################  data2     42    0x0  "
		"alpha+0x8  one\n"
		"  40.00      2     100.00  ####################  data1      0    0x0  "
		"alpha+0x8  one\n");
	free(text);
}

/* The LWPCB gives the interval where the recording names no events. */
static void test_block(void **state)
{
	const lwp_record_t r[] = {{.id = LWP_EVENT_RNH, .ip = 0x1000}};
	struct recording_ring ring;
	struct recording recording = made_recording();
	const struct profile_input input = {.name = "core", .recording = &recording};

	(void)state;
	made_fill(&memory[0], &ring, 0, 63, r, 1);
	bytes_put32(memory[0].block + LWP_EVENT_OFFSET + 8 * 5, 999);
	bytes_put64(memory[0].block + 24, 17);
	recording.ring = &ring;
	recording.nring = 1;
	struct profile *p = profile_new(&input, 1, &(struct profile_options){0});

	assert_non_null(p);
	assert_int_equal(p->metric[0].total, 1000);
	assert_int_equal(p->missed, 17);
	profile_free(p);
	/* Random bits make the interval vary. */
	bytes_put32(memory[0].block + 4, sizeof memory[0].bytes | 3u << 28);
	p = profile_new(&input, 1, &(struct profile_options){0});
	assert_int_equal(p->metric[0].number, PROFILE_RECORDS);
	assert_int_equal(p->metric[0].total, 1);
	profile_free(p);
}

/* Nothing is read beyond the bytes of a damaged ring, and counts need an event. */
static void test_damaged(void **state)
{
	const lwp_record_t r[] = {{.id = LWP_EVENT_RNH, .ip = 0x1000}};
	static const struct {
		int line;
		unsigned offset;
		uint32_t value;
		unsigned records;
	} damage[] = {
		/* more slots than bytes: the first record is there */
		{__LINE__, 4, 0xfffffff, 1},
		{__LINE__, 4, 0, 0},
		/* a tail that is rounded down, and one that is not in the ring */
		{__LINE__, 64, 7, 1},
		{__LINE__, 64, 0x80000000, 1},
		{__LINE__, 16, 0, 0},
	};
	struct recording_count bad[] = {{0x1000, 7, 5}};
	struct recording_ring ring;
	struct recording recording = made_recording();
	const struct profile_input input = {.name = "core", .recording = &recording};

	(void)state;
	recording.ring = &ring;
	recording.nring = 1;
	recording.count = bad;
	recording.ncount = 1;
	for (size_t i = 0; i < LEN(damage); i++) {
		made_fill(&memory[0], &ring, 0, 0, r, 1);
		bytes_put32(memory[0].block + damage[i].offset, damage[i].value);
		struct profile *p = profile_new(&input, 1, &(struct profile_options){0});

		assert_non_null(p);
		if (p->records != damage[i].records)
			fail_msg("line %d", damage[i].line);
		profile_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),  cmocka_unit_test(test_head),
		cmocka_unit_test(test_csv),   cmocka_unit_test(test_json),
		cmocka_unit_test(test_keep),  cmocka_unit_test(test_sites),
		cmocka_unit_test(test_block), cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
