/* Views of CPUs: sorting, merging, limits and totals; and allocations that fail. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/row/row.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

/*
 * The code that allocates is compiled into this test, which counts and fails allocations.
 */
static int allocs;	     /* so far */
static int allocs_left = -1; /* -1: no limit */

static int refused(void)
{
	allocs++;
	if (allocs_left == 0) {
		errno = ENOMEM;
		return 1;
	}
	allocs_left -= allocs_left > 0;
	return 0;
}

static void *limited_calloc(size_t n, size_t size)
{
	return refused() ? NULL : calloc(n, size);
}

static void *limited_reallocarray(void *p, size_t n, size_t size)
{
	return refused() ? NULL : reallocarray(p, n, size);
}

static char *limited_strndup(const char *s, size_t n)
{
	return refused() ? NULL : strndup(s, n);
}

#undef strndup
#define calloc	     limited_calloc
#define reallocarray limited_reallocarray
#define strndup	     limited_strndup
#include "base/array.c"
#include "base/cpulist.c"
#include "suite/cpus/sort.c"
#include "suite/cpus/totals.c"
#include "suite/cpus/view.c"
#undef calloc
#undef reallocarray
#undef strndup

#define UMASK "cpu/event=0x1,umask=0x2/"

static const unsigned pics[] = {0, 1, 2, 13};
static const char *const names0[] = {"A", UMASK};
static const char *const names1[] = {"A", "B", "cpu/event=0x1"};
static const struct row_set set0 = {
	.spec = "A," UMASK, .n = 2, .event = names0, .pic = pics};
static const struct row_set set1 = {
	.spec = "A,B", .n = 3, .event = names1, .pic = pics + 1};
static const struct row_set set2 = {.spec = ""};
static const struct row_set *const sets[] = {&set0, &set1, &set2};
enum { NSETS = LEN(sets), WIDTH = 3 };

#define EXACT(v)                              \
	{                                     \
		(v), (v), 100, 100, CPC_EXACT \
	}
#define NONE                                        \
	{                                           \
		7777, 7777, 100, 0, CPC_UNAVAILABLE \
	}

static const cpc_value_t eight[][2] = {
	{EXACT(50), EXACT(1)}, {EXACT(20), EXACT(2)}, {NONE, EXACT(3)},
	{EXACT(20), EXACT(4)}, {EXACT(10), EXACT(5)}, {EXACT(70), EXACT(6)},
	{EXACT(31), EXACT(7)}, {EXACT(20), EXACT(8)},
};
/* Cores of two threads on two sockets, whose numbers have gaps. */
static const struct cpu_sample samples8[] = {
	{0, 0, 36, 100, 1008, eight[0], NULL}, {1, 1, 36, 101, 1007, eight[1], NULL},
	{2, 2, 7, 102, 1006, eight[2], NULL},  {3, 3, 7, 103, 1005, eight[3], NULL},
	{4, 0, 36, 104, 1004, eight[4], NULL}, {5, 1, 36, 105, 1003, eight[5], NULL},
	{6, 2, 7, 106, 1002, eight[6], NULL},  {9, 3, 7, 99, 1001, eight[7], NULL},
};
static const struct cpu_interval interval8 = {1, 0, 8, samples8, 0};

/* CPUs, some of whose cores and sockets are not known. */
static const struct cpu_sample samples5[] = {
	{0, 1, 1, 100, 5, eight[0], NULL},   {1, -1, -1, 101, 4, eight[1], NULL},
	{2, 0, 0, 102, 3, eight[2], NULL},   {3, 1, 1, 103, 2, eight[3], NULL},
	{4, -1, -1, 104, 1, eight[4], NULL},
};
static const struct cpu_interval interval5 = {2, 0, 5, samples5, 0};

/* Values of the same CPUs for a set without A on counter 0. */
static const cpc_value_t four[][3] = {
	{EXACT(4), EXACT(9), EXACT(0)},
	{EXACT(3), EXACT(10), EXACT(0)},
	{EXACT(2), EXACT(9), EXACT(1)},
	{EXACT(1), EXACT(10), EXACT(1)},
};
static const struct cpu_sample samples4[] = {
	{0, 0, 0, 100, 1, four[0], NULL},
	{1, 1, 0, 100, 1, four[1], NULL},
	{2, 2, 0, 100, 1, four[2], NULL},
	{3, 3, 0, 100, 1, four[3], NULL},
};
static const struct cpu_interval interval4 = {3, 1, 4, samples4, 0};

static const cpc_value_t alone[] = {NONE, NONE};
static const struct cpu_sample samples1[] = {{3, 1, 1, 5, 6, alone, NULL}};
static const struct cpu_interval interval1 = {4, 0, 1, samples1, 0};
static const struct cpu_interval interval0 = {5, 0, 0, NULL, 0};

/* The expected rows, as "id*cpus:value,value ...". */
static const struct {
	int line;
	struct cpu_view_options options;
	const struct cpu_interval *interval;
	const char *want;
} views[] = {
	{__LINE__,
	 {.scope = ROW_CPUS},
	 &interval8,
	 "0*1:50,1 1*1:20,2 2*1:-,3 3*1:20,4 4*1:10,5 5*1:70,6 6*1:31,7 9*1:20,8 "},
	{__LINE__, {.scope = ROW_CPUS}, &interval0, ""},
	{__LINE__, {.scope = ROW_BINS, .bins = 3}, &interval0, ""},
	{__LINE__, {.scope = ROW_CORES, .means = 1}, &interval0, ""},
	/* sorted */
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "pic0"},
	 &interval8,
	 "4*1:10,5 1*1:20,2 3*1:20,4 9*1:20,8 6*1:31,7 0*1:50,1 5*1:70,6 2*1:-,3 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "-A"},
	 &interval8,
	 "5*1:70,6 0*1:50,1 6*1:31,7 1*1:20,2 3*1:20,4 9*1:20,8 4*1:10,5 2*1:-,3 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "+A,-cpu", .limit = 4},
	 &interval8,
	 "4*1:10,5 9*1:20,8 3*1:20,4 1*1:20,2 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "-socket,core", .limit = 7},
	 &interval8,
	 "0*1:50,1 4*1:10,5 1*1:20,2 5*1:70,6 2*1:-,3 6*1:31,7 3*1:20,4 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "SOC,-COR", .limit = 3},
	 &interval8,
	 "3*1:20,4 9*1:20,8 2*1:-,3 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "tsc", .limit = 2},
	 &interval8,
	 "9*1:20,8 6*1:31,7 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "-tick", .limit = 2},
	 &interval8,
	 "0*1:50,1 1*1:20,2 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "time", .limit = 2},
	 &interval8,
	 "9*1:20,8 0*1:50,1 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "sze", .limit = 2},
	 &interval8,
	 "0*1:50,1 1*1:20,2 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "-" UMASK ",cpu", .limit = 2},
	 &interval8,
	 "9*1:20,8 6*1:31,7 "},
	/* "cpu/event=0x1" is also the name of an event, in another set */
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "-cpu/event=0x1,-B", .limit = 3},
	 &interval4,
	 "3*1:1,10,1 2*1:2,9,1 1*1:3,10,0 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "-cpu/event=0x1", .limit = 2},
	 &interval8,
	 "0*1:50,1 1*1:20,2 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "pic0"},
	 &interval4,
	 "0*1:4,9,0 1*1:3,10,0 2*1:2,9,1 3*1:1,10,1 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "A"},
	 &interval4,
	 "3*1:1,10,1 2*1:2,9,1 1*1:3,10,0 0*1:4,9,0 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "core"},
	 &interval5,
	 "2*1:-,3 0*1:50,1 3*1:20,4 1*1:20,2 4*1:10,5 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "-socket"},
	 &interval5,
	 "0*1:50,1 3*1:20,4 2*1:-,3 1*1:20,2 4*1:10,5 "},
	{__LINE__,
	 {.scope = ROW_CPUS, .keys = "-pic1", .limit = 9},
	 &interval1,
	 "3*1:-,- "},
	/* merged */
	{__LINE__,
	 {.scope = ROW_CORES},
	 &interval8,
	 "0*2:60,6 1*2:90,8 2*2:31,10 3*2:40,12 "},
	{__LINE__,
	 {.scope = ROW_CORES, .means = 1},
	 &interval8,
	 "0*2:30,3 1*2:45,4 2*2:31,5 3*2:20,6 "},
	{__LINE__,
	 {.scope = ROW_CORES, .keys = "-pic0", .limit = 3},
	 &interval8,
	 "1*2:90,8 0*2:60,6 3*2:40,12 "},
	{__LINE__,
	 {.scope = ROW_CORES, .keys = "-core"},
	 &interval8,
	 "3*2:40,12 2*2:31,10 1*2:90,8 0*2:60,6 "},
	{__LINE__, {.scope = ROW_SOCKETS}, &interval8, "36*4:150,14 7*4:71,22 "},
	{__LINE__,
	 {.scope = ROW_SOCKETS, .keys = "soc"},
	 &interval8,
	 "7*4:71,22 36*4:150,14 "},
	/* 37.5 and 3.5 are rounded up, 71 / 3 = 23.67 too; 22 / 4 = 5.5 */
	{__LINE__, {.scope = ROW_SOCKETS, .means = 1}, &interval8, "36*4:38,4 7*4:24,6 "},
	{__LINE__, {.scope = ROW_CORES}, &interval5, "1*2:70,5 -1*2:30,7 0*1:-,3 "},
	{__LINE__,
	 {.scope = ROW_CORES, .keys = "-core"},
	 &interval5,
	 "1*2:70,5 0*1:-,3 -1*2:30,7 "},
	{__LINE__,
	 {.scope = ROW_CORES, .keys = "sze,-cpu"},
	 &interval5,
	 "0*1:-,3 -1*2:30,7 1*2:70,5 "},
	{__LINE__, {.scope = ROW_SOCKETS, .means = 1}, &interval1, "1*1:-,- "},
	/* bins */
	{__LINE__, {.scope = ROW_BINS, .bins = 1}, &interval8, "0*8:221,36 "},
	{__LINE__,
	 {.scope = ROW_BINS, .bins = 3},
	 &interval8,
	 "0*3:70,6 1*3:100,15 2*2:51,15 "},
	{__LINE__,
	 {.scope = ROW_BINS, .bins = 4, .keys = "-pic0", .means = 1},
	 &interval8,
	 "0*2:60,4 1*2:26,5 2*2:20,6 3*2:10,4 "},
	{__LINE__,
	 {.scope = ROW_BINS, .bins = 4, .keys = "-pic0", .limit = 1},
	 &interval8,
	 "0*2:120,7 "},
	{__LINE__,
	 {.scope = ROW_BINS, .bins = 4294967295, .keys = "pic1", .limit = 7},
	 &interval8,
	 "0*1:50,1 1*1:20,2 2*1:-,3 3*1:20,4 4*1:10,5 5*1:70,6 6*1:31,7 "},
};

static char *text_of(const struct row *row, unsigned n)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	for (unsigned i = 0; i < n; i++) {
		fprintf(f, "%d*%u:", row[i].id, row[i].cpus);
		for (unsigned j = 0; j < row[i].set->n; j++) {
			fputs(j ? "," : "", f);
			if (row[i].value[j].quality == CPC_UNAVAILABLE)
				fputc('-', f);
			else
				fprintf(f, "%llu",
					(unsigned long long)row[i].value[j].value);
		}
		fputc(' ', f);
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

static struct cpu_view *view(const struct cpu_view_options *options)
{
	char err[256] = "";
	struct cpu_view *v = cpu_view_new(options, sets, NSETS, err, sizeof err);

	if (!v)
		fail_msg("%s: %s", options->keys ? options->keys : "", err);
	return v;
}

/* Return all rows of an interval, until the next call; NULL with ENOMEM. */
static const struct row *rows_of(struct cpu_view *v, const struct cpu_interval *i,
				 unsigned *n)
{
	static struct row rows[5000];

	if (cpu_view_rows(v, i, n) == -1)
		return NULL;
	assert_in_range(*n, 0, LEN(rows));
	for (unsigned at = 0; at < *n; at++)
		rows[at] = *cpu_view_row(v, at);
	return rows;
}

static void test_views(void **state)
{
	int wrong = 0;
	(void)state;

	for (unsigned i = 0; i < LEN(views); i++) {
		unsigned n = 99;
		struct cpu_view *v = view(&views[i].options);
		const struct row *rows = rows_of(v, views[i].interval, &n);
		assert_non_null(rows);
		char *got = text_of(rows, n);
		if (strcmp(got, views[i].want) != 0) {
			print_error("line %d: %s\nwant: %s\n", views[i].line, got,
				    views[i].want);
			wrong++;
		}
		free(got);
		cpu_view_free(v);
	}
	assert_int_equal(wrong, 0);
}

/* The members of a row other than values. */
static void test_members(void **state)
{
	const int64_t began = 1000000000000000000;
	const struct cpu_view_options cpus = {.scope = ROW_CPUS, .unix_ns = began};
	const struct cpu_view_options means = {
		.scope = ROW_SOCKETS, .means = 1, .unix_ns = began};
	struct cpu_view *v = view(&cpus), *m = view(&means);
	unsigned n;
	(void)state;

	const struct row *r = rows_of(v, &interval8, &n);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(r[i].kind, ROW_VALUES);
		assert_string_equal(r[i].word, "tick");
		assert_int_equal(r[i].ns, samples8[i].ns);
		assert_int_equal(r[i].unix_ns, began + samples8[i].ns);
		assert_int_equal(r[i].tick, samples8[i].tick);
		assert_int_equal(r[i].index, 0);
		assert_ptr_equal(r[i].set, &set0);
		assert_ptr_equal(r[i].value, samples8[i].value);
	}
	r = rows_of(v, &interval4, &n);
	assert_int_equal(r[3].index, 1);
	assert_ptr_equal(r[3].set, &set1);

	r = rows_of(m, &interval8, &n);
	assert_int_equal(r[1].ns,
			 106); /* the latest time, which is not that of the last sample */
	assert_int_equal(r[1].unix_ns, began + 106);
	assert_int_equal(r[1].tick, 1004); /* 1003.5, rounded up */
	assert_int_equal(r[1].value[0].enabled, 100);
	assert_int_equal(r[1].value[0].running,
			 100); /* without the CPU whose value is unavailable */
	assert_int_equal(r[1].value[0].count, 24);
	r = rows_of(m, &interval1, &n);
	assert_int_equal(r->value[0].enabled, 100);
	assert_int_equal(r->value[0].running, 0);
	cpu_view_free(v);
	cpu_view_free(m);
}

/* The classes of two CPUs, and the class of their core. */
static void test_classes(void **state)
{
	(void)state;
	for (int a = CPC_EXACT; a <= CPC_UNAVAILABLE; a++) {
		for (int b = CPC_EXACT; b <= CPC_UNAVAILABLE; b++) {
			const cpc_value_t values[2][2] = {
				{{1, 2, 3, 4, (cpc_class_t)a}, EXACT(0)},
				{{10, 20, 30, 40, (cpc_class_t)b}, EXACT(0)}};
			const struct cpu_sample s[] = {{0, 0, 0, 0, 0, values[0], NULL},
						       {1, 0, 0, 0, 0, values[1], NULL}};
			const struct cpu_interval i = {1, 0, 2, s, 0};
			const struct cpu_view_options options = {.scope = ROW_CORES};
			struct cpu_view *v = view(&options);
			unsigned n;
			const cpc_value_t *got = rows_of(v, &i, &n)->value;
			const int none = a == CPC_UNAVAILABLE && b == CPC_UNAVAILABLE;
			const int low = a != CPC_UNAVAILABLE || none;
			const int high = b != CPC_UNAVAILABLE || none;

			assert_int_equal(n, 1);
			if (low && high)
				assert_int_equal(got->quality, a > b ? a : b);
			else
				assert_int_equal(got->quality, low ? a : b);
			if (!none)
				assert_int_equal(got->value, low + 10 * high);
			if (!none)
				assert_int_equal(got->count, 2 * low + 20 * high);
			assert_int_equal(got->enabled, 3 * low + 30 * high);
			assert_int_equal(got->running, 4 * low + 40 * high);
			cpu_view_free(v);
		}
	}
}

static const struct {
	int line;
	uint64_t a, b, c, want; /* three values, and their mean */
} means[] = {
	{__LINE__, 0, 0, 0, 0},
	{__LINE__, 0, 0, 1, 0},
	{__LINE__, 0, 1, 1, 1},
	{__LINE__, 1, 1, 1, 1},
	{__LINE__, UINT64_MAX, 0, 0, UINT64_MAX / 3},
	{__LINE__, UINT64_MAX - 1, 0, 0, UINT64_MAX / 3},
	{__LINE__, UINT64_MAX - 2, 0, 0, UINT64_MAX / 3 - 1},
	/* sums are modulo 2^64 */
	{__LINE__, UINT64_MAX, 4, 0, 1},
};

static void test_means(void **state)
{
	(void)state;
	for (unsigned m = 0; m < LEN(means); m++) {
		const cpc_value_t values[3][2] = {{EXACT(means[m].a), EXACT(0)},
						  {EXACT(means[m].b), EXACT(0)},
						  {EXACT(means[m].c), EXACT(0)}};
		const struct cpu_sample s[] = {{0, 0, 0, 0, means[m].a, values[0], NULL},
					       {1, 0, 0, 0, means[m].b, values[1], NULL},
					       {2, 0, 0, 0, means[m].c, values[2], NULL}};
		const struct cpu_interval i = {1, 0, 3, s, 0};
		const struct cpu_view_options options = {
			.scope = ROW_BINS, .bins = 1, .means = 1};
		struct cpu_view *v = view(&options);
		unsigned n;
		const struct row *r = rows_of(v, &i, &n);
		if (r->value->value != means[m].want ||
		    r->value->count != means[m].want || r->tick != means[m].want)
			fail_msg("line %d: %llu", means[m].line,
				 (unsigned long long)r->value->value);
		cpu_view_free(v);
	}
}

#define COLUMNS                                                                        \
	"cpu, core, cor, socket, soc, sze, time, tick, tsc, pic0, pic1, pic2, pic13, " \
	"A, " UMASK ", B, cpu/event=0x1"

static const struct {
	int line;
	const char *keys, *want;
} bad_keys[] = {
	{__LINE__, "", "a name is missing at the end"},
	{__LINE__, "-", "a name is missing at the end"},
	{__LINE__, "pic0,", "a name is missing at the end"},
	{__LINE__, ",pic0", "a name is missing before ',pic0'"},
	{__LINE__, "cpu,-,tsc", "a name is missing before ',tsc'"},
	{__LINE__, "-,\033[2J", "a name is missing before ',?[2J'"},
	{__LINE__, "zzz", "no column 'zzz'; columns are " COLUMNS},
	{__LINE__, "cpu,--pic0,x",
	 "no column '-pic0'; did you mean 'pic0'? Columns are " COLUMNS},
	{__LINE__, "a", "no column 'a'; did you mean 'A'? Columns are " COLUMNS},
	{__LINE__, "b", "no column 'b'; did you mean 'B'? Columns are " COLUMNS},
	{__LINE__, "pic01,cpu",
	 "no column 'pic01'; did you mean 'pic0' or 'pic1'? Columns are " COLUMNS},
	{__LINE__, "umask=0x2/",
	 "no column 'umask=0x2/'; did you mean '" UMASK "'? Columns are " COLUMNS},
	{__LINE__, UMASK "x", "no column 'umask=0x2/x'; columns are " COLUMNS},
	{__LINE__, " cpu", "no column ' cpu'; did you mean 'cpu'? Columns are " COLUMNS},
	{__LINE__, "co", "no column 'co'; columns are " COLUMNS},
	{__LINE__, "pic",
	 "no column 'pic'; did you mean 'pic0', 'pic1' or 'pic2'? "
	 "Columns are " COLUMNS},
};

static void test_bad_keys(void **state)
{
	int wrong = 0;
	(void)state;

	for (unsigned i = 0; i < LEN(bad_keys); i++) {
		const struct cpu_view_options options = {.keys = bad_keys[i].keys,
							 .scope = ROW_CPUS};
		char err[400] = "", cut[20];
		errno = 0;
		assert_null(cpu_view_new(&options, sets, NSETS, err, sizeof err));
		assert_int_equal(errno, EINVAL);
		if (strcmp(err, bad_keys[i].want) != 0) {
			print_error("line %d: %s\nwant: %s\n", bad_keys[i].line, err,
				    bad_keys[i].want);
			wrong++;
		}
		/* a short buffer has the beginning of the message */
		assert_null(cpu_view_new(&options, sets, NSETS, cut, sizeof cut));
		assert_int_equal(strlen(cut), 19);
		assert_memory_equal(cut, err, 19);
	}
	assert_int_equal(wrong, 0);
}

/* Control characters in names from a file are replaced in messages. */
static void test_bad_names(void **state)
{
	static const char *const odd[] = {"A\x1b[0m\n"};
	static const struct row_set set = {.spec = "", .n = 1, .event = odd, .pic = pics};
	const struct row_set *const only = &set;
	const struct cpu_view_options options = {.keys = "A\x1b[0m", .scope = ROW_CPUS};
	char err[200];
	(void)state;

	assert_null(cpu_view_new(&options, &only, 1, err, sizeof err));
	assert_string_equal(err, "no column 'A?[0m'; did you mean 'A?[0m?'? Columns are "
				 "cpu, core, cor, socket, soc, sze, time, tick, tsc, "
				 "pic0, A?[0m?");
}

static void test_totals(void **state)
{
	static const enum row_scope scopes[] = {ROW_CPUS, ROW_CORES, ROW_SOCKETS,
						ROW_BINS};
	(void)state;
	for (unsigned s = 0; s < LEN(scopes); s++) {
		/* limits and means have no effect on totals */
		const struct cpu_view_options options = {.scope = scopes[s],
							 .bins = 2,
							 .means = 1,
							 .limit = 1,
							 .unix_ns = 1000};
		struct cpu_view *v = view(&options);
		unsigned n;
		assert_null(cpu_view_total(v, 0));
		assert_non_null(rows_of(v, &interval0, &n));
		assert_null(cpu_view_total(v, 0)); /* no sample yet */
		assert_non_null(rows_of(v, &interval1, &n));
		const struct row *t = cpu_view_total(v, 0);
		assert_int_equal(t->value[0].quality, CPC_UNAVAILABLE);
		assert_int_equal(t->value[0].enabled, 100);
		assert_non_null(rows_of(v, &interval8, &n));
		assert_non_null(rows_of(v, &interval4, &n));
		assert_non_null(rows_of(v, &interval5, &n));
		assert_non_null(rows_of(v, &interval0, &n));
		assert_ptr_equal(cpu_view_total(v, 0), t);
		assert_int_equal(t->kind, ROW_TOTAL);
		assert_int_equal(t->cpus, 8); /* CPUs 0 to 6, and 9 */
		assert_int_equal(t->ns, 106);
		assert_int_equal(t->unix_ns, 1106);
		assert_int_equal(t->tick, 8036 + 15 + 6);
		assert_int_equal(t->index, 0);
		assert_ptr_equal(t->set, &set0);
		assert_int_equal(t->value[0].value, 221 + 100);
		assert_int_equal(t->value[0].quality, CPC_EXACT);
		assert_int_equal(t->value[0].enabled, 1100);
		assert_int_equal(t->value[1].value, 36 + 15);
		assert_int_equal(cpu_view_total(v, 1)->cpus, 4);
		assert_int_equal(cpu_view_total(v, 1)->index, 1);
		assert_int_equal(cpu_view_total(v, 1)->value[1].value, 38);
		assert_null(cpu_view_total(v, 2));
		cpu_view_free(v);
	}
}

/*
 * Three cgroups on three CPUs of two cores: one whose events had no counter on a CPU, an
 * idle one, and one without counters anywhere.
 */
static const char *const paths[] = {"a", "a/b", "c"};
static const cpc_value_t nine[][2] = {
	{EXACT(30), EXACT(1)},
	{EXACT(10), EXACT(2)},
	{NONE, EXACT(3)},
	{{.quality = CPC_EXACT}, {.quality = CPC_EXACT}},
	{{.quality = CPC_EXACT}, {.quality = CPC_EXACT}},
	{{.quality = CPC_UNAVAILABLE}, {.quality = CPC_EXACT}},
	{NONE, EXACT(7)},
	{{.quality = CPC_EXACT}, EXACT(8)},
	{NONE, EXACT(9)},
};

static struct cpu_interval cgroup_interval(struct cpu_sample s[9], unsigned from)
{
	for (unsigned i = 0; i < 9; i++)
		s[i] = (struct cpu_sample){.cgroup = paths[i / 3],
					   .cpu = (int)i % 3,
					   .core = i % 3 == 1,
					   .socket = 0,
					   .ns = 100 + i,
					   .tick = 5,
					   .value = nine[i]};
	return (struct cpu_interval){1, 0, 9 - 3 * from, s + 3 * from, 0};
}

/*
 * The value of "a" is 40 of 200 ns that were counted, for 300 ns. That of "c" has no
 * counted time.
 */
static void test_cgroups(void **state)
{
	static const struct {
		int line;
		struct cpu_view_options options;
		const char *want;
	} cases[] = {
		{__LINE__, {.scope = ROW_CGROUPS}, "-1*3:60,6 -1*3:0,0 -1*3:-,24 "},
		{__LINE__,
		 {.scope = ROW_CGROUPS, .keys = "-cgroup", .limit = 2},
		 "-1*3:-,24 -1*3:0,0 "},
		{__LINE__,
		 {.scope = ROW_CGROUPS, .keys = "pic0", .limit = 1},
		 "-1*3:0,0 "},
		{__LINE__,
		 {.scope = ROW_CPUS},
		 "0*1:30,1 1*1:10,2 2*1:-,3 0*1:0,0 1*1:0,0 2*1:-,0 0*1:-,7 1*1:0,8 "
		 "2*1:-,9 "},
		{__LINE__,
		 {.scope = ROW_CORES, .keys = "CGROUP,-core"},
		 "1*1:10,2 0*2:60,4 1*1:0,0 0*2:0,0 1*1:0,8 0*2:-,16 "},
		{__LINE__,
		 {.scope = ROW_SOCKETS, .means = 1},
		 "0*3:30,2 0*3:0,0 0*3:-,8 "},
	};
	struct cpu_sample s[9];
	const struct cpu_interval interval = cgroup_interval(s, 0);
	(void)state;

	for (unsigned i = 0; i < LEN(cases); i++) {
		struct cpu_view_options options = cases[i].options;
		unsigned n;
		options.cgroups = 1;
		struct cpu_view *v = view(&options);
		const struct row *rows = rows_of(v, &interval, &n);
		char *got = text_of(rows, n);
		if (strcmp(got, cases[i].want))
			fail_msg("line %d: %s", cases[i].line, got);
		if (!cases[i].options.keys)
			assert_ptr_equal(rows[0].cgroup, paths[0]);
		free(got);
		cpu_view_free(v);
	}
}

/* The key is known only where there are cgroups. */
static void test_cgroup_key(void **state)
{
	const struct cpu_view_options options = {.keys = "cgroup"};
	char err[256];

	(void)state;
	assert_null(cpu_view_new(&options, sets, NSETS, err, sizeof err));
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(err, "no column 'cgroup'"));
}

static void test_cgroup_totals(void **state)
{
	const struct cpu_view_options options = {
		.scope = ROW_CPUS, .cgroups = 1, .limit = 1, .unix_ns = 1000};
	struct cpu_view *v = view(&options);
	struct cpu_sample s[9], later[9];
	/* the first cgroup comes last */
	const struct cpu_interval last = cgroup_interval(s, 0);
	const struct cpu_interval first = cgroup_interval(later, 1);
	unsigned n;
	(void)state;

	assert_int_equal(cpu_view_cgroups(v), 0);
	assert_non_null(rows_of(v, &first, &n));
	assert_int_equal(cpu_view_cgroups(v), 2);
	assert_int_equal(cpu_view_cgroup(v, paths[0]), -1u);
	assert_int_equal(cpu_view_cgroup(v, paths[1]), 0);
	assert_non_null(rows_of(v, &last, &n));
	assert_int_equal(cpu_view_cgroups(v), 3);
	const struct row *t = cpu_view_cgroup_total(v, 0, 0);
	assert_ptr_equal(t->cgroup, paths[0]);
	assert_int_equal(t->kind, ROW_TOTAL);
	assert_int_equal(t->cpus, 3);
	assert_int_equal(t->ns, 102);
	assert_int_equal(t->unix_ns, 1102);
	assert_int_equal(t->tick, 15);
	assert_int_equal(t->value[0].value, 60);
	assert_int_equal(t->value[0].enabled, 300);
	assert_int_equal(t->value[0].running, 200);
	assert_int_equal(t->value[0].quality, CPC_SCALED);
	assert_null(cpu_view_cgroup_total(v, 0, 1));
	t = cpu_view_cgroup_total(v, 1, 0);
	assert_int_equal(t->value[0].quality, CPC_EXACT);
	assert_int_equal(t->value[0].value, 0);
	t = cpu_view_cgroup_total(v, 2, 0);
	assert_int_equal(t->value[0].quality, CPC_UNAVAILABLE);
	assert_int_equal(t->value[1].value, 48);
	cpu_view_drop_cgroup(v, 1);
	assert_int_equal(cpu_view_cgroups(v), 2);
	assert_ptr_equal(cpu_view_cgroup_total(v, 1, 0)->cgroup, paths[2]);
	/* an interval without samples */
	assert_non_null(rows_of(v, &interval0, &n));
	assert_int_equal(n, 0);
	cpu_view_free(v);
}

static void test_cgroups_no_memory(void **state)
{
	const struct cpu_view_options options = {.scope = ROW_CGROUPS, .cgroups = 1};
	struct cpu_sample s[9];
	const struct cpu_interval interval = cgroup_interval(s, 0);
	struct cpu_view *v = view(&options);
	const struct row *row = NULL;
	unsigned n;
	(void)state;

	for (int tries = 0; !row; tries++) {
		allocs_left = tries;
		row = rows_of(v, &interval, &n);
		allocs_left = -1;
		assert_in_range(tries, 0, 100);
	}
	assert_int_equal(cpu_view_cgroup_total(v, 0, 0)->value[0].value, 60);
	cpu_view_free(v);
}

/* splitmix64: the same numbers on every machine. */
static uint64_t random64(void)
{
	static uint64_t seed;
	uint64_t z = seed += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static unsigned below(unsigned n)
{
	return (unsigned)(random64() % n);
}

enum { CPUS = 70 };

struct drawn {
	struct cpu_interval interval;
	struct cpu_sample sample[CPUS];
	cpc_value_t value[CPUS][WIDTH];
};

/* Draw samples: small numbers, so that many are equal, and some large ones. */
static void draw(struct drawn *d, unsigned set)
{
	unsigned n = 0;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		struct cpu_sample *s = &d->sample[n];
		if (!below(4))
			continue;
		*s = (struct cpu_sample){cpu,
					 (int)below(20) - 1,
					 (int)below(4) - 1,
					 (int64_t)random64() & 0xfff,
					 random64(),
					 d->value[n],
					 NULL};
		for (unsigned i = 0; i < WIDTH; i++)
			d->value[n][i] = (cpc_value_t){
				below(9) ? below(6) : random64(), below(1000), below(9),
				below(9), (cpc_class_t)below(CPC_UNAVAILABLE + 1)};
		n++;
	}
	d->interval = (struct cpu_interval){1, set, n, d->sample, 0};
}

struct sums {
	uint64_t cpus, tick, value[WIDTH], count[WIDTH];
};

static void sum_add(struct sums *s, unsigned cpus, uint64_t tick, const cpc_value_t *v,
		    unsigned n)
{
	s->cpus += cpus;
	s->tick += tick;
	for (unsigned i = 0; i < n; i++)
		if (v[i].quality != CPC_UNAVAILABLE) {
			s->value[i] += v[i].value;
			s->count[i] += v[i].count;
		}
}

static int id_of(const struct cpu_sample *s, enum row_scope scope)
{
	return scope == ROW_CPUS ? s->cpu : scope == ROW_CORES ? s->core : s->socket;
}

/* Return the first CPU of a row, which must have one. */
static int first_cpu(const struct drawn *d, const struct row *row, enum row_scope scope)
{
	for (unsigned s = 0; s < d->interval.n; s++)
		if (id_of(&d->sample[s], scope) == row->id)
			return d->sample[s].cpu;
	fail_msg("a row of none: %d", row->id);
	return -1;
}

/* Check that the rows together have the sums of all samples. */
static void check_sums(const struct drawn *d, const struct row *row, unsigned n)
{
	const unsigned width = sets[d->interval.set]->n;
	struct sums want = {0}, got = {0};

	for (unsigned s = 0; s < d->interval.n; s++)
		sum_add(&want, 1, d->sample[s].tick, d->sample[s].value, width);
	for (unsigned i = 0; i < n; i++)
		sum_add(&got, row[i].cpus, row[i].tick, row[i].value, width);
	assert_memory_equal(&want, &got, sizeof want);
}

/*
 * Check the order by the first value, unavailable ones last, and then by the first CPU.
 */
static void check_order(const struct drawn *d, const struct row *row, unsigned n,
			enum row_scope scope, int descending)
{
	for (unsigned i = 1; i < n; i++) {
		const cpc_value_t *a = row[i - 1].value, *b = row[i].value;
		const int has_a = a->quality != CPC_UNAVAILABLE;
		const int has_b = b->quality != CPC_UNAVAILABLE;
		assert_true(has_a >= has_b);
		if (has_b && a->value != b->value)
			assert_int_equal(a->value > b->value, descending);
		else if (has_a == has_b)
			assert_in_range(first_cpu(d, &row[i - 1], scope), 0,
					first_cpu(d, &row[i], scope) - 1);
	}
}

static void check_bins(const struct drawn *d, const struct row *row, unsigned n,
		       unsigned bins)
{
	assert_int_equal(n, bins < d->interval.n ? bins : d->interval.n);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(row[i].id, i);
		assert_in_range(row[0].cpus - row[i].cpus, 0, 1);
		if (i)
			assert_in_range(row[i].cpus, 1, row[i - 1].cpus);
	}
}

/* Check that each id has one row. */
static void check_ids(const struct drawn *d, const struct row *row, unsigned n,
		      enum row_scope scope)
{
	unsigned ids = 0;

	for (unsigned s = 0; s < d->interval.n; s++) {
		unsigned before = 0;
		while (id_of(&d->sample[before], scope) != id_of(&d->sample[s], scope))
			before++;
		ids += before == s;
	}
	assert_int_equal(n, ids);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			assert_int_not_equal(row[i].id, row[j].id);
}

static void check_limit(struct cpu_view_options options, const struct drawn *d,
			const struct row *all, unsigned n)
{
	unsigned limited;

	options.limit = 1 + below(CPUS);
	struct cpu_view *v = view(&options);
	const struct row *row = rows_of(v, &d->interval, &limited);
	assert_int_equal(limited, n < options.limit ? n : options.limit);
	char *want = text_of(all, limited), *got = text_of(row, limited);
	assert_string_equal(got, want);
	free(want);
	free(got);
	cpu_view_free(v);
}

static void test_random(void **state)
{
	static struct drawn d;
	static const char *const first[] = {"pic0", "pic1"};
	(void)state;
	for (int round = 0; round < 2000; round++) {
		const unsigned set = below(NSETS);
		const int descending = (int)below(2);
		char keys[16];
		snprintf(keys, sizeof keys, "%s%s", descending ? "-" : "",
			 first[set == 1]);
		const struct cpu_view_options options = {
			.scope = (enum row_scope)(ROW_CPUS + below(4)),
			.bins = 1 + below(80),
			.keys = keys};
		struct cpu_view *v = view(&options);
		unsigned n;
		draw(&d, set);
		const struct row *row = rows_of(v, &d.interval, &n);
		check_sums(&d, row, n);
		if (options.scope == ROW_BINS) {
			check_bins(&d, row, n, options.bins);
		} else {
			check_ids(&d, row, n, options.scope);
			if (sets[set]->n)
				check_order(&d, row, n, options.scope, descending);
		}
		check_limit(options, &d, row, n);
		cpu_view_free(v);
	}
}

/* Ids that are far apart. */
static int multiple(int r)
{
	return r << 18;
}

static int square(int r)
{
	return r * r;
}

/* Many sockets: some have the same place in the table of their ids. */
static void test_many_ids(void **state)
{
	enum { MANY = 5000 };
	static struct cpu_sample s[MANY];
	static int (*const id[])(int) = {multiple, square};
	const struct cpu_view_options options = {.scope = ROW_SOCKETS};
	const struct cpu_interval interval = {1, 2, MANY, s, 0};
	unsigned n;
	(void)state;

	for (size_t i = 0; i < LEN(id); i++) {
		struct cpu_view *v = view(&options);

		for (int cpu = 0; cpu < MANY; cpu++)
			s[cpu] =
				(struct cpu_sample){.cpu = cpu, .socket = id[i](cpu / 2)};
		const struct row *row = rows_of(v, &interval, &n);
		assert_int_equal(n, MANY / 2);
		for (int r = 0; r < MANY / 2; r++) {
			assert_int_equal(row[r].id, id[i](r));
			assert_int_equal(row[r].cpus, 2);
		}
		cpu_view_free(v);
	}
}

/* After the first interval only a new CPU causes an allocation. */
static void test_warm(void **state)
{
	static struct drawn d;
	(void)state;
	for (int scope = ROW_CPUS; scope <= ROW_BINS; scope++) {
		const struct cpu_view_options options = {.scope = (enum row_scope)scope,
							 .bins = 5,
							 .means = 1,
							 .keys = "-pic0,core,time"};
		struct cpu_view *v = view(&options);
		unsigned n;
		for (int round = 0; round < 50; round++) {
			draw(&d, 0);
			assert_non_null(rows_of(v, &d.interval, &n));
		}
		const int before = allocs;
		for (int round = 0; round < 50; round++) {
			draw(&d, 0);
			assert_non_null(rows_of(v, &d.interval, &n));
		}
		assert_int_equal(allocs, before);
		cpu_view_free(v);
	}
}

/* Each allocation fails once. */
static void test_no_memory(void **state)
{
	static const char *const keys[] = {"-pic0,core", "pic0,pixie"};
	(void)state;
	for (unsigned k = 0; k < LEN(keys); k++) {
		const struct cpu_view_options options = {.scope = ROW_CORES,
							 .keys = keys[k]};
		int tries = 0;
		for (errno = ENOMEM; errno == ENOMEM; tries++) {
			char err[100] = "";
			errno = 0;
			allocs_left = tries;
			struct cpu_view *v =
				cpu_view_new(&options, sets, NSETS, err, sizeof err);
			allocs_left = -1;
			assert_int_equal(!v, errno != 0);
			assert_int_equal(*err != '\0', errno == EINVAL);
			cpu_view_free(v);
		}
		assert_in_range(tries, 10, 40);
	}
}

static void test_no_memory_later(void **state)
{
	const struct cpu_view_options options = {.scope = ROW_CORES};
	static struct drawn d;
	unsigned n;
	(void)state;

	struct cpu_view *v = view(&options);
	draw(&d, 0);
	assert_in_range(d.interval.n, 9, CPUS);
	for (int tries = 0;; tries++) {
		allocs_left = tries;
		errno = 0;
		const struct row *row = rows_of(v, &d.interval, &n);
		allocs_left = -1;
		if (row)
			break;
		assert_int_equal(errno, ENOMEM);
		/* an interval that fits needs memory only for the totals */
		assert_in_range(tries, 0, 2 * CPUS);
	}
	/* intervals that failed are not in the total */
	struct sums want = {0}, got = {0};
	for (unsigned s = 0; s < d.interval.n; s++)
		sum_add(&want, 0, d.sample[s].tick, d.sample[s].value, 2);
	const struct row *t = cpu_view_total(v, 0);
	sum_add(&got, 0, t->tick, t->value, 2);
	assert_memory_equal(&want, &got, sizeof want);
	assert_int_equal(t->cpus, d.interval.n);
	cpu_view_free(v);
	cpu_view_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_means),
		cmocka_unit_test(test_bad_keys),
		cmocka_unit_test(test_bad_names),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_many_ids),
		cmocka_unit_test(test_warm),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_no_memory_later),
		cmocka_unit_test(test_cgroups),
		cmocka_unit_test(test_cgroup_key),
		cmocka_unit_test(test_cgroup_totals),
		cmocka_unit_test(test_cgroups_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
