/* The bytes of rows of CPUs, cores, sockets and bins in every format. */
#include <inttypes.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <jansson.h>

#include "suite/row/row.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

#if defined(__x86_64__) || defined(__i386__)
#define TSC "      tsc "
#else
#define TSC "     tick "
#endif

static const unsigned pics[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const char *const names[] = {"e0", "e1", "e2", "e3",  "e4",  "e5", "e6",
				    "e7", "e8", "e9", "e10", "e11", "e12"};
static const char *const notes[] = {"as ~A", NULL};
static const struct row_set set0 = {.spec = "nothing"};
static const struct row_set set1 = {.spec = "e0", .n = 1, .event = names, .pic = pics};
static const struct row_set set2 = {
	.spec = "e0,\"e1\"", .n = 2, .event = names, .pic = pics, .note = notes};
static const struct row_set set13 = {.spec = "all", .n = 13, .event = names, .pic = pics};

static const cpc_value_t plain[] = {
	{69284, 69284, 1000000000, 1000000000, CPC_EXACT},
	{1647, 1640, 1000000000, 999999999, CPC_SCALED},
};
static const cpc_value_t wide[] = {
	{10000000000, 10000000000, 1, 1, CPC_EXACT},
	{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, CPC_EXACT},
};
static const cpc_value_t none[] = {
	{12345, 67890, 500, 0, CPC_UNAVAILABLE},
	{0, 0, 0, 0, CPC_EXACT},
};
static const cpc_value_t thirteen[] = {
	{.value = 0},	     {.value = 1},     {.value = 20},	  {.value = 300},
	{.value = 4000},     {.value = 50000}, {.value = 600000}, {.value = 7000000},
	{.value = 80000000}, {.value = 9},     {.value = 10},	  {.value = 11},
	{.value = 12},
};

/* The run began on a Sunday, in s since 1970. */
enum { BEGIN = 1000000000 };

/* The times of a row after s seconds and rest ns; unix_ns has full seconds only. */
#define AT(s, rest) \
	.ns = (s)*1000000000ll + (rest), .unix_ns = (BEGIN + (s)) * 1000000000ll

static const struct row tick0 = {
	.word = "tick",
	AT(1, 8000000),
	.id = 0,
	.core = 2,
	.socket = -1,
	.cpus = 1,
	.interval = 18446744073709551615u,
	.tick = 7,
	.set = &set2,
	.value = plain,
};
static const struct row tick_wide = {
	.word = "tick",
	AT(12345, 499999),
	.id = 4095,
	.cpus = 64000,
	.interval = 5,
	.tick = 12345678901,
	.index = 1,
	.set = &set2,
	.value = wide,
};
static const struct row tick_none = {
	.word = "tick",
	AT(1, 500000),
	.id = -1,
	.cpus = 12,
	.set = &set2,
	.value = none,
};
static const struct row tick1 = {
	.word = "tick",
	.id = 12,
	.cpus = 1,
	.set = &set1,
	.value = plain,
};
static const struct row tick13 = {
	.word = "tick",
	.id = 12,
	.cpus = 2,
	.set = &set13,
	.value = thirteen,
};
static const struct row tick_empty = {.word = "tick", .id = 1, .cpus = 1, .set = &set0};
static const struct row tick_no_set = {.word = "tick", .id = 1, .cpus = 1};
static const struct row total = {
	.kind = ROW_TOTAL,
	AT(3, 8000000),
	.id = 77,
	.cpus = 2,
	.tick = 9,
	.set = &set2,
	.value = plain,
};

static const struct row of_cgroup = {
	.word = "tick",
	AT(1, 8000000),
	.cgroup = "a.slice/b\tc.scope",
	.id = 3,
	.core = -1,
	.socket = 1,
	.cpus = 2,
	.interval = 4,
	.tick = 7,
	.set = &set2,
	.value = plain,
};
static const struct row cgroup_total = {
	.kind = ROW_TOTAL,
	AT(3, 8000000),
	.cgroup = "/",
	.id = -1,
	.cpus = 2,
	.set = &set2,
	.value = plain,
};

/* The expected title and row. */
static const struct {
	int line;
	struct row_style style;
	const struct row_set *first;
	const struct row *row;
	const char *want;
} texts[] = {
	{__LINE__,
	 {.scope = ROW_CPUS},
	 &set2,
	 &tick0,
	 "   time cpu event      pic0      pic1 \n"
	 "  1.008   0  tick     69284      1647 \n"},
	{__LINE__,
	 {.scope = ROW_CPUS},
	 &set1,
	 &tick1,
	 "   time cpu event      pic0 \n"
	 "  0.000  12  tick     69284 \n"},
	{__LINE__,
	 {.scope = ROW_CPUS},
	 &set13,
	 &tick13,
	 "   time cpu event      pic0      pic1      pic2      pic3      pic4      pic5 "
	 "     pic6      pic7      pic8      pic9      pic10     pic11     pic12\n"
	 "  0.000  12  tick         0         1        20       300      4000     50000 "
	 "   600000   7000000  80000000         9        10        11        12 \n"},
	{__LINE__,
	 {.scope = ROW_CPUS, .nsets = 1},
	 &set0,
	 &tick_empty,
	 "   time cpu event \n"
	 "  0.000   1  tick \n"},
	{__LINE__,
	 {.scope = ROW_CPUS, .nsets = 2},
	 NULL,
	 &tick_no_set,
	 "   time cpu event \n"
	 "  0.000   1  tick \n"},
	{__LINE__,
	 {.scope = ROW_CPUS, .tick = 1},
	 &set2,
	 &tick0,
	 "   time cpu event " TSC "     pic0      pic1 \n"
	 "  1.008   0  tick         7     69284      1647 \n"},
	{__LINE__,
	 {.scope = ROW_CPUS, .tick = 1, .nsets = 2},
	 &set2,
	 &tick_wide,
	 "   time cpu event " TSC "     pic0      pic1 \n"
	 "12345.000 4095  tick 12345678901 10000000000 18446744073709551615  "
	 "# e0,\"e1\"\n"},
	{__LINE__,
	 {.scope = ROW_CPUS, .nsets = 2},
	 &set2,
	 &tick_none,
	 "   time cpu event      pic0      pic1 \n"
	 "  1.001   -  tick         -         0  # e0,\"e1\"\n"},
	{__LINE__,
	 {.scope = ROW_CPUS},
	 &set2,
	 &total,
	 "   time cpu event      pic0      pic1 \n"
	 "  3.008   2 total     69284      1647 \n"},
	{__LINE__,
	 {.scope = ROW_CPUS, .tick = 1, .nsets = 3},
	 &set2,
	 &total,
	 "   time cpu event " TSC "     pic0      pic1 \n"
	 "  3.008   2 total         9     69284      1647  # e0,\"e1\"\n"},
	/* CPUs have no pid column */
	{__LINE__,
	 {.scope = ROW_CPUS, .pid = 1},
	 &set1,
	 &tick1,
	 "   time cpu event      pic0 \n"
	 "  0.000  12  tick     69284 \n"},
	/* cores, sockets and bins */
	{__LINE__,
	 {.scope = ROW_CORES},
	 &set2,
	 &tick_none,
	 "   time COR event      pic0      pic1   sze \n"
	 "  1.001   -  tick         -         0    12 \n"},
	{__LINE__,
	 {.scope = ROW_SOCKETS, .tick = 1, .nsets = 2},
	 &set2,
	 &tick_wide,
	 "   time SOC event " TSC "     pic0      pic1   sze \n"
	 "12345.000 4095  tick 12345678901 10000000000 18446744073709551615 64000  "
	 "# e0,\"e1\"\n"},
	{__LINE__,
	 {.scope = ROW_BINS},
	 &set13,
	 &tick13,
	 "   time BIN event      pic0      pic1      pic2      pic3      pic4      pic5 "
	 "     pic6      pic7      pic8      pic9      pic10     pic11     pic12  sze \n"
	 "  0.000  12  tick         0         1        20       300      4000     50000 "
	 "   600000   7000000  80000000         9        10        11        12     2 "
	 "\n"},
	{__LINE__,
	 {.scope = ROW_BINS},
	 NULL,
	 &tick_empty,
	 "   time BIN event   sze \n"
	 "  0.000   1  tick     1 \n"},
	{__LINE__,
	 {.scope = ROW_CORES, .nsets = 2},
	 &set2,
	 &total,
	 "   time COR event      pic0      pic1   sze \n"
	 "  3.008   2 total     69284      1647     2  # e0,\"e1\"\n"},
	/* cgroups, on all CPUs and on one; a long path is not cut */
	{__LINE__,
	 {.scope = ROW_CGROUPS, .cgroups = 20, .nsets = 2},
	 &set2,
	 &of_cgroup,
	 "   time  cgroup               event      pic0      pic1 \n"
	 "  1.008  a.slice/b?c.scope     tick     69284      1647  # e0,\"e1\"\n"},
	{__LINE__,
	 {.scope = ROW_CPUS, .cgroups = 6, .tick = 1},
	 &set2,
	 &of_cgroup,
	 "   time  cgroup cpu event " TSC "     pic0      pic1 \n"
	 "  1.008  a.slice/b?c.scope   3  tick         7     69284      1647 \n"},
	{__LINE__,
	 {.scope = ROW_CORES, .cgroups = 6},
	 &set2,
	 &cgroup_total,
	 "   time  cgroup COR event      pic0      pic1   sze \n"
	 "  3.008  /        2 total     69284      1647     2 \n"},
	/* time stamps */
	{__LINE__,
	 {.scope = ROW_CPUS, .stamp = ROW_STAMP_UNIX},
	 &set2,
	 &tick0,
	 "   time cpu event      pic0      pic1 \n"
	 "1000000001\n"
	 "  1.008   0  tick     69284      1647 \n"},
	{__LINE__,
	 {.scope = ROW_BINS, .stamp = ROW_STAMP_DATE, .nsets = 2},
	 &set1,
	 &tick_none,
	 "   time BIN event      pic0   sze \n"
	 "Sun Sep  9 01:46:41 UTC 2001\n"
	 "  1.001   -  tick         -         0    12  # e0,\"e1\"\n"},
	{__LINE__,
	 {.scope = ROW_CPUS, .stamp = ROW_STAMP_DATE},
	 &set1,
	 &tick1,
	 "   time cpu event      pic0 \n"
	 "Thu Jan  1 00:00:00 UTC 1970\n"
	 "  0.000  12  tick     69284 \n"},
	/* totals have no time stamp */
	{__LINE__,
	 {.scope = ROW_CPUS, .stamp = ROW_STAMP_UNIX},
	 &set2,
	 &total,
	 "   time cpu event      pic0      pic1 \n"
	 "  3.008   2 total     69284      1647 \n"},
	/* CSV: no time stamps, and always the same columns */
	{__LINE__,
	 {.format = TEXT_CSV, .scope = ROW_CPUS},
	 &set2,
	 &tick0,
	 "time_s,unix_s,event,scope,id,cpus,set,tick,pic,name,value,count,enabled_ns,"
	 "running_ns,class,note,host,rank,mode\n"
	 "1.008000000,1000000001.000000000,tick,cpu,0,1,0,,0,e0,69284,69284,1000000000,"
	 "1000000000,exact,as ~A,,,\n"
	 "1.008000000,1000000001.000000000,tick,cpu,0,1,0,,1,e1,1647,1640,1000000000,"
	 "999999999,scaled,,,,\n"},
	{__LINE__,
	 {.format = TEXT_CSV,
	  .scope = ROW_CORES,
	  .tick = 1,
	  .stamp = ROW_STAMP_DATE,
	  .pid = 1},
	 &set1,
	 &tick_none,
	 "time_s,unix_s,event,scope,id,cpus,set,tick,pic,name,value,count,enabled_ns,"
	 "running_ns,class,note,host,rank,mode\n"
	 "1.000500000,1000000001.000000000,tick,core,,12,0,0,0,e0,,,500,0,unavailable,"
	 "as ~A,,,\n"
	 "1.000500000,1000000001.000000000,tick,core,,12,0,0,1,e1,0,0,0,0,exact,,,,\n"},
	{__LINE__,
	 {.format = TEXT_CSV, .scope = ROW_SOCKETS, .nsets = 2},
	 NULL,
	 &tick_wide,
	 "time_s,unix_s,event,scope,id,cpus,set,tick,pic,name,value,count,enabled_ns,"
	 "running_ns,class,note,host,rank,mode\n"
	 "12345.000499999,1000012345.000000000,tick,socket,4095,64000,1,,0,e0,"
	 "10000000000,10000000000,1,1,exact,as ~A,,,\n"
	 "12345.000499999,1000012345.000000000,tick,socket,4095,64000,1,,1,e1,"
	 "18446744073709551615,18446744073709551615,18446744073709551615,"
	 "18446744073709551615,exact,,,,\n"},
	{__LINE__,
	 {.format = TEXT_CSV, .scope = ROW_BINS},
	 NULL,
	 &tick_empty,
	 "time_s,unix_s,event,scope,id,cpus,set,tick,pic,name,value,count,enabled_ns,"
	 "running_ns,class,note,host,rank,mode\n"
	 "0.000000000,0.000000000,tick,bin,1,1,0,,,,,,,,,,,,\n"},
	{__LINE__,
	 {.format = TEXT_CSV, .scope = ROW_BINS, .tick = 1},
	 NULL,
	 &total,
	 "time_s,unix_s,event,scope,id,cpus,set,tick,pic,name,value,count,enabled_ns,"
	 "running_ns,class,note,host,rank,mode\n"
	 "3.008000000,1000000003.000000000,total,all,,2,0,9,0,e0,69284,69284,1000000000,"
	 "1000000000,exact,as ~A,,,\n"
	 "3.008000000,1000000003.000000000,total,all,,2,0,9,1,e1,1647,1640,1000000000,"
	 "999999999,scaled,,,,\n"},
	/* cgroups: their rows say by what they are divided */
	{__LINE__,
	 {.format = TEXT_CSV, .scope = ROW_CGROUPS, .cgroups = 6},
	 &set1,
	 &of_cgroup,
	 "time_s,unix_s,event,scope,id,cpus,set,tick,pic,name,value,count,enabled_ns,"
	 "running_ns,class,note,host,rank,mode,cpu,core,socket\n"
	 "1.008000000,1000000001.000000000,tick,cgroup,a.slice/b?c.scope,2,0,,0,e0,69284,"
	 "69284,1000000000,1000000000,exact,as ~A,,,,,,\n"
	 "1.008000000,1000000001.000000000,tick,cgroup,a.slice/b?c.scope,2,0,,1,e1,1647,"
	 "1640,1000000000,999999999,scaled,,,,,,,\n"},
	{__LINE__,
	 {.format = TEXT_CSV, .scope = ROW_SOCKETS, .cgroups = 6},
	 NULL,
	 &cgroup_total,
	 "time_s,unix_s,event,scope,id,cpus,set,tick,pic,name,value,count,enabled_ns,"
	 "running_ns,class,note,host,rank,mode,cpu,core,socket\n"
	 "3.008000000,1000000003.000000000,total,cgroup,/,2,0,,0,e0,69284,69284,"
	 "1000000000,1000000000,exact,as ~A,,,,,,\n"
	 "3.008000000,1000000003.000000000,total,cgroup,/,2,0,,1,e1,1647,1640,1000000000,"
	 "999999999,scaled,,,,,,,\n"},
	/* JSON: its digits; test_json_parsed() checks the members */
	{__LINE__,
	 {.format = TEXT_JSON, .scope = ROW_SOCKETS, .tick = 1, .stamp = ROW_STAMP_UNIX},
	 &set2,
	 &tick_wide,
	 "{\"schema\":2,\"record\":\"sample\",\"run\":\"\",\"time_ns\":12345000499999,"
	 "\"unix_ns\":1000012345000000000,\"scope\":\"socket\",\"id\":4095,"
	 "\"cpus\":64000,\"interval\":5,"
	 "\"what\":\"tick\",\"set\":1,\"tsc\":12345678901,\"values\":["
	 "{\"pic\":0,\"name\":\"e0\",\"mode\":null,\"unit\":null,\"value\":10000000000,"
	 "\"count\":10000000000,\"enabled_ns\":1,\"running_ns\":1,\"class\":\"exact\","
	 "\"note\":\"as ~A\"},{\"pic\":1,\"name\":\"e1\",\"mode\":null,\"unit\":null,"
	 "\"value\":18446744073709551615,\"count\":18446744073709551615,"
	 "\"enabled_ns\":18446744073709551615,\"running_ns\":18446744073709551615,"
	 "\"class\":\"exact\",\"note\":null}]}\n"},
};

static char *document(const struct row_style *style, const struct row_set *first,
		      const struct row *row)
{
	char *text = NULL;
	char *title = row_title(style, first), *line = row_line(style, row);

	assert_non_null(title);
	assert_non_null(line);
	assert_true(asprintf(&text, "%s%s", title, line) >= 0);
	free(title);
	free(line);
	return text;
}

/* Compare all cases and print all that differ. */
static unsigned wrong_texts(void)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < LEN(texts); i++) {
		char *got = document(&texts[i].style, texts[i].first, texts[i].row);
		if (strcmp(got, texts[i].want) != 0) {
			print_error("line %d\nwant:\n%sgot:\n%s", texts[i].line,
				    texts[i].want, got);
			wrong++;
		}
		free(got);
	}
	return wrong;
}

static void test_golden(void **state)
{
	(void)state;
	assert_int_equal(wrong_texts(), 0);
}

/* The same bytes in a locale, made here, that has other names of days. */
static void test_locale(void **state)
{
	char dir[] = "/tmp/row-cpu-locale-XXXXXX", make[160], remove[64], day[32];
	const time_t begin = BEGIN;
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(make, sizeof make, "localedef -i de_DE -f UTF-8 %s/german.UTF-8 2>&1",
		 dir);
	snprintf(remove, sizeof remove, "rm -r %s", dir);
	const int made = system(make) == 0;
	setenv("LOCPATH", dir, 1);
	const int set = made && setlocale(LC_ALL, "german.UTF-8");
	strftime(day, sizeof day, "%a", gmtime(&begin));
	const unsigned wrong = wrong_texts();
	setlocale(LC_ALL, "C");
	unsetenv("LOCPATH");
	assert_int_equal(system(remove), 0);
	assert_true(set); /* localedef(1) needs the package locales */
	assert_string_equal(day, "So");
	assert_int_equal(wrong, 0);
}

/* Local time by the rules in TZ: summer time begins on 8 July 2001 at 2 o'clock. */
static void test_zone(void **state)
{
	static const struct {
		int line;
		const char *zone;
		int64_t s;
		const char *want;
	} cases[] = {
		{__LINE__, "IST-5:30", BEGIN, "Sun Sep  9 07:16:40 IST 2001\n"},
		{__LINE__, "EST5EDT,J189,J300", 994571999,
		 "Sun Jul  8 00:59:59 EST 2001\n"},
		{__LINE__, "EST5EDT,J189,J300", 994575599,
		 "Sun Jul  8 01:59:59 EST 2001\n"},
		{__LINE__, "EST5EDT,J189,J300", 994575600,
		 "Sun Jul  8 03:00:00 EDT 2001\n"},
		{__LINE__, "UTC", 1709251199, "Thu Feb 29 23:59:59 UTC 2024\n"},
	};
	const struct row_style style = {.scope = ROW_CPUS, .stamp = ROW_STAMP_DATE};
	int wrong = 0;
	(void)state;

	for (unsigned i = 0; i < LEN(cases); i++) {
		struct row row = tick0;
		/* the fraction does not round the second up */
		row.unix_ns = cases[i].s * 1000000000 + 999999999;
		setenv("TZ", cases[i].zone, 1);
		tzset();
		char *line = row_line(&style, &row);
		if (strncmp(line, cases[i].want, strlen(cases[i].want)) != 0) {
			print_error("line %d: %s", cases[i].line, line);
			wrong++;
		}
		free(line);
	}
	setenv("TZ", "UTC", 1);
	tzset();
	assert_int_equal(wrong, 0);
}

/* splitmix64: the same numbers of random lengths on every machine. */
static uint64_t random_length(uint64_t *seed)
{
	uint64_t z[2];

	for (int i = 0; i < 2; i++) {
		z[i] = *seed += 0x9e3779b97f4a7c15;
		z[i] = (z[i] ^ z[i] >> 30) * 0xbf58476d1ce4e5b9;
		z[i] = (z[i] ^ z[i] >> 27) * 0x94d049bb133111eb;
		z[i] ^= z[i] >> 31;
	}
	return z[0] >> z[1] % 64;
}

/* Rows of numbers equal the output of printf(3) with the formats of cpustat. */
static void test_text_printf(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (int i = 0; i < 20000; i++) {
		const struct row_style style = {
			.scope = i % 2 ? ROW_CPUS : ROW_CORES, .tick = 1, .nsets = 2};
		const uint64_t ms = random_length(&seed) % 1000000000000;
		cpc_value_t value[2] = {{.value = random_length(&seed)},
					{.value = random_length(&seed)}};
		const struct row row = {.kind = i % 3 ? ROW_VALUES : ROW_TOTAL,
					.ns = (int64_t)ms * 1000000,
					.id = (int)(random_length(&seed) & 0x7fffffff),
					.cpus = (unsigned)random_length(&seed),
					.word = "tick",
					.tick = random_length(&seed),
					.set = &set2,
					.value = value};
		char want[512], size[16] = "";
		if (style.scope != ROW_CPUS)
			snprintf(size, sizeof size, "%5u ", row.cpus);
		snprintf(want, sizeof want,
			 "%7.3f %3lld %5s %9" PRIu64 " %9" PRIu64 " %9" PRIu64
			 " %s # %s\n",
			 (double)ms / 1e3, i % 3 ? (long long)row.id : row.cpus,
			 i % 3 ? "tick" : "total", row.tick, value[0].value,
			 value[1].value, size, set2.spec);
		char *got = row_line(&style, &row);
		assert_string_equal(got, want);
		free(got);
	}
}

/* A real, since integers of jansson end below 2^64-1. */
static json_t *number_if(int known, uint64_t v)
{
	return known ? json_real((double)v) : json_null();
}

static json_t *json_of_values(const struct row *row)
{
	json_t *values = json_array();

	for (unsigned i = 0; row->set && i < row->set->n; i++) {
		const cpc_value_t *v = &row->value[i];
		const int known = v->quality != CPC_UNAVAILABLE;
		const char *note = row->set->note ? row->set->note[i] : NULL;
		json_array_append_new(
			values, json_pack("{ss so sn sn so so so so ss ss?}", "name",
					  row->set->event[i], "pic",
					  number_if(1, row->set->pic[i]), "mode", "unit",
					  "value", number_if(known, v->value), "count",
					  number_if(known, v->count), "enabled_ns",
					  number_if(1, v->enabled), "running_ns",
					  number_if(1, v->running), "class",
					  cpc_class_name(v->quality), "note", note));
	}
	return values;
}

static json_t *json_of_row(const struct row_style *style, const char *scope,
			   const struct row *row)
{
	const int is_total = row->kind == ROW_TOTAL;

	json_t *o = json_pack(
		"{so ss ss so so ss ss so so so so so}", "schema", number_if(1, 2),
		"record", is_total ? "total" : "sample", "run", "", "time_ns",
		number_if(1, (uint64_t)row->ns), "unix_ns",
		number_if(1, (uint64_t)row->unix_ns), "what", is_total ? "total" : "tick",
		"scope", is_total ? "all" : scope, "id",
		number_if(!is_total && row->id >= 0, (uint64_t)row->id), "cpus",
		number_if(1, row->cpus), "set", number_if(1, row->index), "tsc",
		number_if(style->tick, row->tick), "values", json_of_values(row));

	if (!is_total)
		json_object_set_new(o, "interval", number_if(1, row->interval));
	if (!is_total && style->scope == ROW_CPUS) {
		json_object_set_new(o, "core",
				    number_if(row->core >= 0, (uint64_t)row->core));
		json_object_set_new(o, "socket",
				    number_if(row->socket >= 0, (uint64_t)row->socket));
	}
	return o;
}

static void test_json_parsed(void **state)
{
	static const struct row *const rows[] = {
		&tick0,	 &tick_wide,  &tick_none,   &tick1,
		&tick13, &tick_empty, &tick_no_set, &total,
	};
	static const char *const scopes[] = {
		[ROW_CPUS] = "cpu",
		[ROW_CORES] = "core",
		[ROW_SOCKETS] = "socket",
		[ROW_BINS] = "bin",
	};
	(void)state;
	for (unsigned i = 0; i < LEN(rows); i++) {
		for (unsigned s = ROW_CPUS; s <= ROW_BINS; s++) {
			const struct row_style style = {.format = TEXT_JSON,
							.scope = (enum row_scope)s,
							.tick = s == ROW_CORES,
							.stamp = ROW_STAMP_DATE};
			char *line = row_line(&style, rows[i]);
			char *title = row_title(&style, &set2);
			json_t *got = json_loads(
				line, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
				NULL);
			json_t *want = json_of_row(&style, scopes[s], rows[i]);
			assert_string_equal(title, "");
			assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
			if (!got || !json_equal(got, want))
				fail_msg("row %u: %s", i, line);
			json_decref(got);
			json_decref(want);
			free(title);
			free(line);
		}
	}
}

/* The members of rows of cgroups from "scope" to "what". */
static void test_json_cgroups(void **state)
{
	static const struct {
		int line;
		enum row_scope scope;
		int id;
		const struct row *row;
		const char *want;
	} cases[] = {
		{__LINE__, ROW_CGROUPS, -1, &of_cgroup,
		 "\"scope\":\"cgroup\",\"id\":\"a.slice/b\\u0009c.scope\",\"cpus\":2,"
		 "\"interval\":4,"},
		{__LINE__, ROW_CPUS, 3, &of_cgroup,
		 "\"scope\":\"cgroup\",\"id\":\"a.slice/b\\u0009c.scope\",\"cpu\":3,"
		 "\"core\":null,\"socket\":1,\"cpus\":2,\"interval\":4,"},
		{__LINE__, ROW_CORES, -1, &of_cgroup,
		 "\"scope\":\"cgroup\",\"id\":\"a.slice/b\\u0009c.scope\",\"core\":null,"
		 "\"cpus\":2,\"interval\":4,"},
		{__LINE__, ROW_SOCKETS, -1, &cgroup_total,
		 "\"scope\":\"cgroup\",\"id\":\"/\",\"cpus\":2,"},
	};
	(void)state;
	for (unsigned i = 0; i < LEN(cases); i++) {
		const struct row_style style = {
			.format = TEXT_JSON, .scope = cases[i].scope, .cgroups = 6};
		struct row row = *cases[i].row;
		row.id = cases[i].id;
		char *line = row_line(&style, &row);
		if (!strstr(line, cases[i].want))
			fail_msg("line %d: %s", cases[i].line, line);
		free(line);
	}
}

/* Rows of LWPs have no time stamps. */
static void test_lwps(void **state)
{
	const struct row_style style = {.stamp = ROW_STAMP_UNIX};
	char *line = row_line(&style, &tick1);
	(void)state;
	assert_string_equal(line, "  0.000   0       tick     69284 \n");
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),	    cmocka_unit_test(test_locale),
		cmocka_unit_test(test_zone),	    cmocka_unit_test(test_text_printf),
		cmocka_unit_test(test_json_parsed), cmocka_unit_test(test_json_cgroups),
		cmocka_unit_test(test_lwps),
	};
	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
