#include "irix/perfex.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "irix/event.h"
#include "irix/stats.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/*
 * The counts of the program adi2 in SGI's guide 007-3430, chapter 4, on an R10000 of 196
 * MHz; the golden file has the times and statistics that perfex printed there.
 */
static const uint64_t adi2_y[COSTS_NEVENTS] = {
	[0] = 1639802080,  [1] = 673476960,  [2] = 109918560, [3] = 43923616,
	[6] = 52497360,	   [7] = 61712384,   [9] = 8272,      [10] = 768,
	[11] = 432,	   [12] = 6288,	     [13] = 9360,     [15] = 364303776,
	[16] = 1639802080, [17] = 392675440, [18] = 88890736, [19] = 33430240,
	[21] = 28371152,   [22] = 32385280,  [23] = 5693808,  [24] = 417440,
	[25] = 16368384,   [26] = 7736432,   [27] = 679120,   [28] = 6288,
	[29] = 5952,	   [30] = 7545984,   [31] = 15168,
};

/* Another run of the same program, without -y. */
static const uint64_t adi2_a[COSTS_NEVENTS] = {
	[0] = 1645481936,  [1] = 677976352,  [2] = 111412576, [3] = 45085648,
	[6] = 52196528,	   [7] = 61794304,   [9] = 8560,      [10] = 304,
	[11] = 272,	   [12] = 6144,	     [13] = 10032,    [15] = 371427616,
	[16] = 1645481936, [17] = 400535904, [18] = 90474112, [19] = 34776112,
	[21] = 28292480,   [22] = 32386400,  [23] = 5687456,  [24] = 410064,
	[25] = 16330160,   [26] = 7708944,   [27] = 663648,   [28] = 6144,
	[29] = 6864,	   [30] = 7582256,   [31] = 8144,
};

static const uint64_t r12000[COSTS_NEVENTS] = {
	[0] = 3000000000, [1] = 2100000000, [2] = 500000000,  [3] = 200000000,
	[4] = 450000000,  [6] = 150000000,  [7] = 4000000,    [9] = 120000,
	[10] = 20000,	  [11] = 1000,	    [14] = 0,	      [15] = 2000000000,
	[16] = 30000000,  [17] = 6000000,   [18] = 520000000, [19] = 190000000,
	[21] = 400000000, [22] = 3000000,   [23] = 900000,    [24] = 1500000,
	[25] = 8000000,	  [26] = 1000000,   [27] = 70000,     [31] = 600000,
};

static void rows(struct irix_row *row, const char *cpu, const uint64_t *count)
{
	for (int i = 0; i < COSTS_NEVENTS; i++)
		row[i] = (struct irix_row){
			.number = i,
			.name = irix_event_name(cpu, i),
			.label = irix_event_label(cpu, i),
			.value = {count[i], count[i], 100, 100, CPC_EXACT}};
}

static char *golden(const char *name)
{
	static const size_t max = 1 << 16;
	const char *dir = getenv("GOLDEN");
	char path[4096];

	snprintf(path, sizeof path, "%s/perfex/%s", dir ? dir : "test/golden", name);
	FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	char *text = calloc(1, max);
	assert_non_null(text);
	assert_in_range(fread(text, 1, max, f), 1, max - 1);
	fclose(f);
	return text;
}

static void same(char *got, const char *file)
{
	char *want = golden(file);

	assert_non_null(got);
	if (strcmp(got, want) != 0) {
		fprintf(stderr, "%s: want:\n%sgot:\n%s", file, want, got);
		fail();
	}
	free(want);
	free(got);
}

static void test_golden(void **state)
{
	struct irix_row row[COSTS_NEVENTS];
	struct irix_report r = {.n = LEN(row), .row = row, .command = "adi2 5"};

	(void)state;
	rows(row, "r10000", adi2_a);
	same(irix_report(&r), "adi2-a");
	rows(row, "r10000", adi2_y);
	r.costs = costs_of("r10000");
	same(irix_report(&r), "adi2-y");
}

/* Events that take the same time are in the order of their numbers. */
static void test_ties(void **state)
{
	static const uint64_t zero[COSTS_NEVENTS];
	struct irix_row row[COSTS_NEVENTS];
	const struct irix_report r = {
		.n = LEN(row), .row = row, .command = "x", .costs = costs_of("r10000")};
	int last = -1, n = 0;

	(void)state;
	rows(row, "r10000", zero);
	char *text = irix_report(&r);
	char *line = strstr(text, "====\n");
	assert_non_null(line);
	for (line += 5; *line != '\n' && *line; line = strchr(line, '\n') + 1) {
		assert_true(atoi(line) > last);
		last = atoi(line);
		n++;
	}
	assert_int_equal(n, COSTS_NEVENTS);
	assert_null(strstr(text, "Statistics"));
	free(text);
}

/* Values are compared as text, by the digits that are printed. */
struct wanted {
	const char *label, *value;
};

static void check_stats(int line, const char *cpu, const struct irix_counts *counts,
			const struct wanted *want, unsigned n)
{
	struct irix_stat stat[IRIX_NSTATS];
	const unsigned got = irix_stats(costs_of(cpu), counts, stat);
	char value[64];

	if (got != n)
		fail_msg("line %d: %u statistics, not %u", line, got, n);
	for (unsigned i = 0; i < n; i++) {
		snprintf(value, sizeof value, "%.6f", stat[i].value);
		if (strcmp(stat[i].label, want[i].label) != 0 ||
		    strcmp(value, want[i].value) != 0)
			fail_msg("line %d: '%s' %s, not '%s' %s", line, stat[i].label,
				 value, want[i].label, want[i].value);
	}
}

static struct irix_counts all_of(const uint64_t *count)
{
	struct irix_counts c = {.known = UINT32_MAX};

	memcpy(c.value, count, sizeof c.value);
	return c;
}

/* The wanted values were computed from the formulas, not by this program. */
static void test_r12000(void **state)
{
	static const struct wanted want[] = {
		{"Graduated instructions/cycle", "0.666667"},
		{"Graduated floating point instructions/cycle", "0.133333"},
		{"Graduated loads & stores/cycle", "0.236667"},
		{"Graduated loads & stores/floating point instruction", "1.775000"},
		{"Mispredicted branches/Resolved conditional branches", "0.010000"},
		{"Graduated loads /Decoded loads ( and prefetches )", "0.981132"},
		{"Graduated stores/Decoded stores", "0.950000"},
		{"Data mispredict/Data scache hits", "0.010000"},
		{"Instruction mispredict/Instruction scache hits", "0.010000"},
		{"L1 Cache Line Reuse", "87.750000"},
		{"L2 Cache Line Reuse", "7.000000"},
		{"L1 Data Cache Hit Rate", "0.988732"},
		{"L2 Data Cache Hit Rate", "0.875000"},
		{"Time accessing memory/Total time", "0.318871"},
		{"L1--L2 bandwidth used (MB/s, average per process)", "30.400000"},
		{"Memory bandwidth used (MB/s, average per process)", "19.200000"},
		{"MFLOPS (average per process)", "40.000000"},
		{"Cache misses in flight per cycle (average)", "0.150000"},
		{"Prefetch cache miss rate", "0.200000"},
	};
	const struct irix_counts counts = all_of(r12000);

	(void)state;
	check_stats(__LINE__, "r12000", &counts, want, LEN(want));
}

/* A statistic needs the counts of all its events and a positive divisor. */
static void test_computable(void **state)
{
	static const struct wanted ipc[] = {{"Graduated instructions/cycle", "0.250000"}};
	static const struct wanted progress[] = {
		{"Time not making progress (probably waiting on memory) / Total time",
		 "0.400000"}};
	static const struct wanted no_reuse[] = {{"L2 Cache Line Reuse", "-1.000000"}};
	struct irix_counts c = {.known = 1 << 0 | 1 << 15};

	(void)state;
	c.value[0] = 400;
	c.value[15] = 100;
	check_stats(__LINE__, "r10000", &c, ipc, 1);
	c.value[0] = 0;
	check_stats(__LINE__, "r10000", &c, NULL, 0);
	c.known = 1 << 15;
	check_stats(__LINE__, "r10000", &c, NULL, 0);
	/* events 16 and 17 are cycles and instructions on an R10000, not on an R12000 */
	c = (struct irix_counts){.known = 1 << 16 | 1 << 17};
	c.value[16] = 400;
	c.value[17] = 100;
	check_stats(__LINE__, "r10000", &c, ipc, 1);
	c.known = 1 << 15 | 1 << 16;
	c.value[15] = 100;
	check_stats(__LINE__, "r10000", &c, ipc, 1);
	check_stats(__LINE__, "r12000", &c, NULL, 0);
	/* event 14 is cycles with progress only if its count is not 0 */
	c = (struct irix_counts){.known = 1 << 0 | 1 << 14};
	c.value[0] = 1000;
	check_stats(__LINE__, "r10000", &c, NULL, 0);
	c.value[14] = 600;
	check_stats(__LINE__, "r10000", &c, progress, 1);
	c.value[14] = 1001;
	check_stats(__LINE__, "r10000", &c, NULL, 0);
	/*
	 * more misses of L2 than of L1 give a negative number of hits, which is no
	 * divisor
	 */
	c = (struct irix_counts){.known = 1 << 25 | 1 << 26 | 1 << 27};
	c.value[26] = c.value[27] = 10;
	check_stats(__LINE__, "r10000", &c, no_reuse, 1);
}

static void test_statistics_need_their_costs(void **state)
{
	static const struct wanted want[] = {
		{"Graduated loads & stores/cycle", "0.000000"}};
	struct irix_counts c = {.known = 1 << 0 | 1 << 18 | 1 << 19 | 1 << 23};
	struct costs costs = *costs_of("r10000");
	struct irix_stat stat[IRIX_NSTATS];

	(void)state;
	c.known |= 1 << 25 | 1 << 26;
	c.value[0] = 10;
	assert_int_equal(irix_stats(&costs, &c, stat), 2);
	costs.cost[23].typical = COST_UNKNOWN;
	assert_int_equal(irix_stats(&costs, &c, stat), 1);
	assert_string_equal(stat[0].label, want[0].label);
}

/* Unavailable values, names that need quotes, and a cost that is not known. */
static const struct irix_row odd[] = {
	{0, "CYCLES0", "Cycles", NULL, {3, 3, 9, 9, CPC_EXACT}, "user"},
	{4,
	 "SC_ISSUED",
	 "Issued store conditionals",
	 "as X",
	 {7, 7, 9, 9, CPC_APPROXIMATE},
	 "user+sys"},
	{5,
	 "SC_FAILED",
	 "Failed store conditionals",
	 NULL,
	 {0, 0, 9, 9, CPC_EXACT},
	 NULL},
	{9,
	 "L1I_MISS",
	 "Primary instruction cache misses",
	 "no \"such\" event",
	 {5, 5, 9, 0, CPC_UNAVAILABLE},
	 NULL},
	{-1, "a,b", "a,b", NULL, {UINT64_MAX, 1, 9, 3, CPC_SCALED}, ""},
};

static void test_text(void **state)
{
	struct irix_report r = {.n = LEN(odd), .row = odd, .heading = "Here:", .ns = 1};
	struct irix_row row = {1, "n", "a\nb", NULL, {1, 1, 1, 1, CPC_EXACT}, NULL};

	(void)state;
	same(irix_report(&r), "odd");
	r.costs = costs_of("r12000");
	r.command = "a\tb";
	same(irix_report(&r), "odd-y");
	r = (struct irix_report){
		.scope = IRIX_PERIOD, .n = LEN(odd), .row = odd, .ns = 12345678901};
	same(irix_report_title(&r), "odd-title");
	same(irix_report(&r), "odd-period");
	/* control characters are replaced, and long labels are not cut */
	r = (struct irix_report){.n = 1, .row = &row};
	char *text = irix_report(&r);
	assert_memory_equal(text, " 1 a?b....", 10);
	free(text);
	char name[101];
	memset(name, 'x', 100);
	name[100] = '\0';
	row.label = name;
	text = irix_report(&r);
	assert_int_equal(strlen(text), 3 + 100 + 14 + 1);
	free(text);
}

static void test_csv(void **state)
{
	struct irix_report r = {.format = TEXT_CSV,
				.n = LEN(odd),
				.row = odd,
				.ns = 1500000000,
				.pid = 4711,
				.host = "h",
				.rank = "7",
				.costs = costs_of("r10000")};

	(void)state;
	char *title = irix_report_title(&r), *text = irix_report(&r);
	char *both = calloc(1, strlen(title) + strlen(text) + 1);
	assert_non_null(both);
	strcat(strcat(both, title), text);
	free(title);
	free(text);
	same(both, "odd.csv");
	/* each statistic is a line */
	struct irix_row row[COSTS_NEVENTS];
	rows(row, "r10000", adi2_y);
	r.n = LEN(row);
	r.row = row;
	r.scope = IRIX_THREAD;
	r.tid = 12;
	text = irix_report(&r);
	assert_non_null(strstr(
		text,
		"\n1.500000000,thread,4711,12,,,MFLOPS (average per process),3.391108,"
		",,,statistic,,,,,h,7,\n"));
	assert_non_null(strstr(text,
			       ",12,26,L2D_MISS,Secondary data cache misses,7736432,"
			       "7736432,100,100,exact,,2.920580"));
	free(text);
}

/* Statistics name the events that they were computed from, and have a unit. */
static void test_origin_of_statistics(void **state)
{
	const struct irix_row row[] = {
		{16, "CYCLES1", "Cycles", NULL, {400, 400, 9, 9, CPC_EXACT}, NULL},
		{21, "FP_GRAD", "Flops", NULL, {100, 100, 9, 9, CPC_EXACT}, NULL},
		{25, "L1D_MISS", "Misses", NULL, {5, 5, 9, 0, CPC_UNAVAILABLE}, NULL},
	};
	struct irix_report r = {.n = LEN(row), .row = row};
	struct irix_stat stat[IRIX_NSTATS];

	(void)state;
	assert_int_equal(irix_report_stats(&r, stat), 0);
	r.costs = costs_of("r10000");
	assert_int_equal(irix_report_stats(&r, stat), 2);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(stat[i].events, 1 << 16 | 1 << 21);
	assert_string_equal(stat[0].unit, "1");
	assert_string_equal(stat[1].unit, "1e6/s");
}

/* The largest clock rates, costs and counts give numbers that can be printed. */
static void test_extremes(void **state)
{
	struct costs costs = *costs_of("r10000");
	struct irix_row row[COSTS_NEVENTS];
	struct irix_stat stat[IRIX_NSTATS];
	uint64_t most[COSTS_NEVENTS];
	const struct irix_report r = {.n = LEN(row), .row = row, .costs = &costs};

	(void)state;
	memset(most, 0xff, sizeof most);
	rows(row, "r10000", most);
	for (unsigned i = 0; i < COSTS_NEVENTS; i++)
		costs.cost[i] = (struct cost){999999999999, 0, 999999999999};
	for (costs.hz = 1; costs.hz < 1000000000000; costs.hz *= 10) {
		const struct irix_times t = irix_times(&costs, 0, &row[0].value);

		assert_true(t.typical < 1e10 && t.minimum == 0 && t.maximum < 1e10);
		for (unsigned i = irix_report_stats(&r, stat); i > 0; i--)
			assert_true(stat[i - 1].value < 1e12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_r12000),
		cmocka_unit_test(test_computable),
		cmocka_unit_test(test_statistics_need_their_costs),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_origin_of_statistics),
		cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
