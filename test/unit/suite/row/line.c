/* The bytes of every kind of row in every format. */
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "suite/row/row.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

/* The style of rows of LWPs: format, pid, tick, nsets. */
#define STYLE(f, p, t, n)                                                          \
	{                                                                          \
		.format = (f), .pid = (p), .tick = (t), .nsets = (n), .run = &run, \
	}

static const struct row_run run = {"h:1:5", "h", "3", 5};

static const unsigned pics[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const char *const names[] = {"e0", "e1", "e2", "e3",  "e4",  "e5", "e6",
				    "e7", "e8", "e9", "e10", "e11", "e12"};
static const struct row_set set1 = {.spec = "e0", .n = 1, .event = names, .pic = pics};
static const struct row_set set13 = {
	.spec = "e0,e1", .n = 13, .event = names, .pic = pics};
static const struct row_set empty = {.spec = ""};

static const char *const cycles_names[] = {"Cycle_cnt", "Instr_cnt"};
static const char *const no_notes[] = {NULL, NULL};
static const struct row_set cycles = {.spec = "pic0=Cycle_cnt,pic1=Instr_cnt",
				      .n = 2,
				      .event = cycles_names,
				      .pic = pics,
				      .note = no_notes};

static const unsigned odd_pics[] = {2, 10, 12};
static const char *const odd_names[] = {
	"cpu/event=0x1,umask=0x2/",
	"EC_ref",
	"say\"it\"",
};
static const char *const odd_modes[] = {"user", "", "user+sys"};
static const char *const odd_units[] = {"1", "ns", "cycles"};
static const char *const odd_notes[] = {"as ~L2_RQSTS:MISS", NULL, "4*\"A\", no\\B"};
static const struct row_set odd = {.spec = "cpu/event=0x1,umask=0x2/,EC_ref,say\"it\"",
				   .n = 3,
				   .event = odd_names,
				   .pic = odd_pics,
				   .note = odd_notes,
				   .mode = odd_modes,
				   .unit = odd_units};

static const cpc_value_t plain[] = {
	{765308, 765308, 1000000000, 1000000000, CPC_EXACT},
	{219233, 219233, 1000000000, 1000000000, CPC_EXACT},
};
static const cpc_value_t zeros[] = {
	{0, 0, 0, 0, CPC_EXACT},
	{0, 0, 0, 0, CPC_EXACT},
};
static const cpc_value_t wide[] = {
	{10000000000, 10000000000, 1, 1, CPC_EXACT},
	{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, CPC_EXACT},
};
static const cpc_value_t partly[] = {
	{12345, 67890, 500, 0, CPC_UNAVAILABLE},
	{400, 100, 2000, 500, CPC_SCALED},
};
static const cpc_value_t others[] = {
	{999999999, 999999999, 7, 7, CPC_APPROXIMATE},
	{1000000000, 1000000000, 8, 8, CPC_SIMULATED},
	{42, 41, 9, 9, CPC_ESTIMATED},
};
static const cpc_value_t thirteen[] = {
	{.value = 0},	     {.value = 1},     {.value = 20},	  {.value = 300},
	{.value = 4000},     {.value = 50000}, {.value = 600000}, {.value = 7000000},
	{.value = 80000000}, {.value = 9},     {.value = 10},	  {.value = 11},
	{.value = 12},
};

/* Rows of each kind, with all kinds of values. */
static const struct row all[] = {
	{
		.word = "init_lwp",
		.pid = 101142,
		.tid = 101142,
		.lwp = 1,
		.set = &cycles,
		.value = zeros,
	},
	{.word = "tick",
	 .ns = 1007000000,
	 .pid = 101142,
	 .tid = 101142,
	 .lwp = 1,
	 .name = "pool, \"a\"/12",
	 .tick = 3000000123,
	 .set = &cycles,
	 .value = plain},
	{.word = "lwp_create",
	 .ns = 2007499999,
	 .pid = 101142,
	 .tid = 101150,
	 .lwp = 12,
	 .set = &cycles,
	 .value = zeros},
	{.word = "lwp_exit",
	 .ns = 2007500001,
	 .pid = 101142,
	 .tid = -1,
	 .lwp = 999,
	 .name = "\x1b[31m\n\xff\xc3\xa9",
	 .tick = 999999999,
	 .set = &cycles,
	 .value = wide},
	{.word = "fini_lwp",
	 .ns = 999999999,
	 .pid = 7,
	 .tid = 7,
	 .lwp = 1000,
	 .tick = UINT64_MAX,
	 .set = &cycles,
	 .value = partly},
	{.word = "tick",
	 .ns = 12345678000000001,
	 .pid = 4194304,
	 .tid = 4194304,
	 .lwp = 2,
	 .name = "fifteen letters",
	 .tick = 5,
	 .index = 1,
	 .set = &odd,
	 .value = others},
	{.kind = ROW_FORK,
	 .ns = 23000000,
	 .pid = 101142,
	 .tid = 101142,
	 .lwp = 1,
	 .name = "sh",
	 .set = &cycles,
	 .child = 101143},
	{.word = "exec",
	 .ns = 29000000,
	 .pid = 101143,
	 .tid = 101143,
	 .lwp = 1,
	 .tick = 17,
	 .set = &cycles,
	 .value = plain},
	{.kind = ROW_EXEC,
	 .ns = 29000000,
	 .pid = 101143,
	 .tid = 101143,
	 .lwp = 1,
	 .name = "",
	 .set = &cycles,
	 .cmd = "sh -c 'a, \"b\"\n\tc' \\d\x1b[0m\xc2\x9b\xe2\x80\xa8"},
	{.kind = ROW_EXEC, .ns = 29000000, .pid = 101143, .tid = 101143, .lwp = 1},
	{
		.kind = ROW_EXEC,
		.pid = 1,
		.tid = 1,
		.lwp = 1,
		.cmd = "caf\xc3\xa9 \xff\xc3(\xe2\x82",
	},
	{
		.word = "tick",
		.ns = 5000000,
		.pid = 3,
		.tid = 3,
		.lwp = 1,
		.tick = 6,
		.index = 2,
		.set = &empty,
	},
	{.word = "exit", .ns = 10017000000, .pid = 3, .tid = 3, .lwp = 1, .tick = 7},
};

static const struct row row1 = {.word = "tick", .lwp = 1, .set = &set1, .value = plain};
static const struct row row13 = {
	.word = "tick",
	.lwp = 1,
	.set = &set13,
	.value = thirteen,
};
static const struct row row_empty = {.word = "exit", .lwp = 1, .set = &empty};

/* Titles and rows, and the file under golden/row that has the same text. */
static const struct {
	int line;
	const char *file;
	struct row_style style;
	const struct row_set *first;
	unsigned n;
	const struct row *row;
} documents[] = {
	{__LINE__, "text", STYLE(TEXT_PLAIN, 0, 0, 1), &cycles, LEN(all), all},
	{__LINE__, "text-f", STYLE(TEXT_PLAIN, 1, 0, 1), &cycles, LEN(all), all},
	{__LINE__, "text-t", STYLE(TEXT_PLAIN, 0, 1, 1), &cycles, LEN(all), all},
	{__LINE__, "text-ft", STYLE(TEXT_PLAIN, 1, 1, 1), &cycles, LEN(all), all},
	{__LINE__, "text-sets", STYLE(TEXT_PLAIN, 0, 0, 2), &cycles, LEN(all), all},
	{__LINE__, "text-ft-sets", STYLE(TEXT_PLAIN, 1, 1, 3), &odd, LEN(all), all},
	{__LINE__, "text-names", {.names = 1}, &cycles, LEN(all), all},
	{__LINE__,
	 "text-ft-names-sets",
	 {.pid = 1, .tick = 1, .names = 1, .nsets = 3},
	 &cycles,
	 LEN(all),
	 all},
	{__LINE__, "text-1", STYLE(TEXT_PLAIN, 0, 0, 1), &set1, 1, &row1},
	{__LINE__, "text-13", STYLE(TEXT_PLAIN, 0, 0, 1), &set13, 1, &row13},
	{__LINE__, "text-0", STYLE(TEXT_PLAIN, 0, 0, 0), &empty, 1, &row_empty},
	{__LINE__, "text-0", STYLE(TEXT_PLAIN, 0, 0, 0), NULL, 1, &row_empty},
	{__LINE__, "csv", STYLE(TEXT_CSV, 0, 0, 1), &cycles, LEN(all), all},
	{__LINE__, "csv", STYLE(TEXT_CSV, 1, 0, 2), NULL, LEN(all), all},
	{__LINE__, "csv-t", STYLE(TEXT_CSV, 0, 1, 1), &cycles, LEN(all), all},
	{__LINE__, "json", STYLE(TEXT_JSON, 0, 0, 1), &cycles, LEN(all), all},
	{__LINE__, "json", STYLE(TEXT_JSON, 1, 0, 2), NULL, LEN(all), all},
	{__LINE__, "json-t", STYLE(TEXT_JSON, 0, 1, 1), &cycles, LEN(all), all},
};

static char *golden(const char *name)
{
	const char *dir = getenv("GOLDEN");
	char path[4096];
	snprintf(path, sizeof(path), "%s/row/%s", dir ? dir : "test/golden", name);
	FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	static const size_t max = 1 << 16;
	char *text = calloc(1, max);
	assert_non_null(text);
	assert_in_range(fread(text, 1, max, f), 1, max - 1);
	fclose(f);
#if !defined(__x86_64__) && !defined(__i386__)
	char *title = strstr(text, "      tsc ");
	if (title)
		memcpy(title, "     tick ", 10);
#endif
	return text;
}

static char *document(const struct row_style *style, const struct row_set *first,
		      unsigned n, const struct row *row)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	assert_non_null(f);
	for (unsigned i = 0; i <= n; i++) {
		char *line = i ? row_line(style, &row[i - 1]) : row_title(style, first);
		assert_non_null(line);
		fputs(line, f);
		free(line);
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

/* Compare all cases and print all that differ. */
static unsigned wrong_documents(void)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < LEN(documents); i++) {
		char *want = golden(documents[i].file);
		char *got = document(&documents[i].style, documents[i].first,
				     documents[i].n, documents[i].row);
		if (strcmp(want, got) != 0) {
			print_error("line %d: %s\nwant:\n%sgot:\n%s", documents[i].line,
				    documents[i].file, want, got);
			wrong++;
		}
		free(want);
		free(got);
	}
	return wrong;
}

static void test_golden(void **state)
{
	(void)state;
	assert_int_equal(wrong_documents(), 0);
}

/* The same bytes in a locale, made here, whose decimal point is a comma. */
static void test_locale(void **state)
{
	char dir[] = "/tmp/row-locale-XXXXXX", make[160], remove[64];
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(make, sizeof(make), "localedef -i de_DE -f UTF-8 %s/comma.UTF-8 2>&1",
		 dir);
	snprintf(remove, sizeof(remove), "rm -r %s", dir);
	const int made = system(make) == 0;
	setenv("LOCPATH", dir, 1);
	const int set = made && setlocale(LC_ALL, "comma.UTF-8");
	const int comma = set && strcmp(localeconv()->decimal_point, ",") == 0;
	const unsigned wrong = wrong_documents();
	setlocale(LC_ALL, "C");
	unsetenv("LOCPATH");
	assert_int_equal(system(remove), 0);
	assert_true(comma); /* localedef(1) needs the package locales */
	assert_int_equal(wrong, 0);
}

/* splitmix64: the same numbers on every machine. */
static uint64_t random64(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* A number of random length. */
static uint64_t random_length(uint64_t *seed)
{
	return random64(seed) >> random64(seed) % 64;
}

/* Rows of numbers equal the output of printf(3) with the formats of cputrack. */
static void test_text_printf(void **state)
{
	(void)state;
	const struct row_style style = STYLE(TEXT_PLAIN, 1, 1, 2);
	uint64_t seed = 1;
	for (int i = 0; i < 20000; i++) {
		const uint64_t ms = random_length(&seed) % 1000000000000;
		const int64_t off = (int64_t)(random64(&seed) % 999999) - 499999;
		cpc_value_t value[2] = {{.value = random_length(&seed)},
					{.value = random_length(&seed)}};
		const struct row row = {.ns = (int64_t)ms * 1000000 + (ms ? off : 0),
					.pid = (pid_t)(random_length(&seed) & 0x7fffffff),
					.lwp = (id_t)random_length(&seed),
					.word = i % 2 ? "tick" : "a_longer_word",
					.tick = random_length(&seed),
					.set = &cycles,
					.value = value};
		char want[512];
		snprintf(want, sizeof(want),
			 "%7.3f %6d %3u %10s "
			 "%9" PRIu64 " %9" PRIu64 " %9" PRIu64 "  # %s\n",
			 (double)ms / 1e3, row.pid, row.lwp, row.word, row.tick,
			 value[0].value, value[1].value, cycles.spec);
		char *got = row_line(&style, &row);
		assert_string_equal(got, want);
		free(got);
	}
}

/* Times around the borders between two rounded times. */
static const struct {
	int line;
	int64_t ns;
	const char *text, *csv;
} times[] = {
	{__LINE__, 0, "  0.000 ", "0.000000000,"},
	{__LINE__, 1, "  0.000 ", "0.000000001,"},
	{__LINE__, 499999, "  0.000 ", "0.000499999,"},
	{__LINE__, 500000, "  0.001 ", "0.000500000,"},
	{__LINE__, 1499999, "  0.001 ", "0.001499999,"},
	{__LINE__, 999499999, "  0.999 ", "0.999499999,"},
	{__LINE__, 999500000, "  1.000 ", "0.999500000,"},
	{__LINE__, 999999499999, "999.999 ", "999.999499999,"},
	{__LINE__, 999999500000, "1000.000 ", "999.999500000,"},
	{__LINE__, INT64_MAX, "9223372036.855 ", "9223372036.854775807,"},
};

static int begins(enum text_format format, const struct row *row, const char *want)
{
	const struct row_style style = {.format = format};
	char *line = row_line(&style, row);
	assert_non_null(line);
	const int same = strncmp(line, want, strlen(want)) == 0;
	free(line);
	return same;
}

static void test_times(void **state)
{
	(void)state;
	for (unsigned i = 0; i < LEN(times); i++) {
		const struct row row = {.word = "tick", .ns = times[i].ns};
		if (!begins(TEXT_PLAIN, &row, times[i].text) ||
		    !begins(TEXT_CSV, &row, times[i].csv))
			fail_msg("line %d", times[i].line);
	}
}

/*
 * A real, since integers of jansson end below 2^64-1. The golden files have the digits.
 */
static json_t *number(uint64_t v)
{
	return json_real((double)v);
}

static json_t *number_if(int known, uint64_t v)
{
	return known ? number(v) : json_null();
}

static json_t *json_of_value(const struct row_set *set, unsigned i, const cpc_value_t *v)
{
	const int known = v->quality != CPC_UNAVAILABLE;
	const char *note = set->note ? set->note[i] : NULL;
	const char *mode = set->mode ? set->mode[i] : NULL;
	return json_pack(
		"{ss so ss? ss? so so so so ss ss?}", "name", set->event[i], "pic",
		number(set->pic[i]), "mode", mode && !*mode ? "none" : mode, "unit",
		set->unit ? set->unit[i] : NULL, "value", number_if(known, v->value),
		"count", number_if(known, v->count), "enabled_ns", number(v->enabled),
		"running_ns", number(v->running), "class", cpc_class_name(v->quality),
		"note", note);
}

/* The kind and the scope of the records of each word. */
static const struct {
	const char *word, *record, *scope;
} kinds[] = {
	{"tick", "sample", "lwp"},	{"exit", "total", "process"},
	{"lwp_exit", "total", "lwp"},	{"fini_lwp", "total", "lwp"},
	{"lwp_create", "event", "lwp"}, {"init_lwp", "event", "lwp"},
	{"exec", "total", "process"},
};

/* The expected object of a row with the command line cmd. */
static json_t *json_of_row(const struct row_style *style, const struct row *row,
			   const char *cmd)
{
	json_t *o = json_pack("{so ss so so so so so}", "schema", number(2), "run",
			      "h:1:5", "time_ns", number((uint64_t)row->ns), "unix_ns",
			      number((uint64_t)row->ns + 5), "pid",
			      number((uint64_t)row->pid), "lwp", number(row->lwp), "tid",
			      number_if(row->tid > 0, (uint64_t)row->tid));
	/* What is not UTF-8 becomes U+FFFD. */
	const char *name = row->name && strchr(row->name, '\xff')
				   ? "\x1b[31m\n\xef\xbf\xbd\xc3\xa9"
				   : row->name;
	json_object_set_new(o, "name", name ? json_string(name) : json_null());
	if (row->kind == ROW_FORK) {
		json_object_set_new(o, "record", json_string("event"));
		json_object_set_new(o, "scope", json_string("lwp"));
		json_object_set_new(o, "what", json_string("fork"));
		json_object_set_new(o, "child", number((uint64_t)row->child));
		return o;
	}
	if (row->kind == ROW_EXEC) {
		json_object_set_new(o, "record", json_string("event"));
		json_object_set_new(o, "scope", json_string("process"));
		json_object_set_new(o, "what", json_string("exec"));
		json_object_set_new(o, "command", cmd ? json_string(cmd) : json_null());
		return o;
	}
	for (unsigned i = 0; i < LEN(kinds); i++)
		if (strcmp(kinds[i].word, row->word) == 0) {
			json_object_set_new(o, "record", json_string(kinds[i].record));
			json_object_set_new(o, "scope", json_string(kinds[i].scope));
		}
	json_t *values = json_array();
	for (unsigned i = 0; row->set && i < row->set->n; i++)
		json_array_append_new(values, json_of_value(row->set, i, &row->value[i]));
	json_object_set_new(o, "what", json_string(row->word));
	json_object_set_new(o, "set", number(row->index));
	json_object_set_new(o, "tsc", number_if(style->tick, row->tick));
	json_object_set_new(o, "values", values);
	return o;
}

/* Parse a line that is one object. */
static json_t *parse(const char *line)
{
	json_error_t err;
	const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
	json_t *o = json_loads(line, flags, &err);
	if (!o)
		fail_msg("%s\n%s", err.text, line);
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	return o;
}

static void test_json_parsed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2 * LEN(all); i++) {
		const struct row_style style = {
			.format = TEXT_JSON, .tick = i % 2, .nsets = 1, .run = &run};
		struct row row = all[i / 2];
		/* text.c of test/unit/base tests bytes that are not UTF-8 */
		if (row.cmd)
			row.cmd = "sh -c 'a, \"b\"\n\tc' \\d\x1b";
		char *line = row_line(&style, &row);
		json_t *got = parse(line), *want = json_of_row(&style, &row, row.cmd);
		if (!json_equal(got, want))
			fail_msg("row %u: %s", i / 2, line);
		json_decref(got);
		json_decref(want);
		free(line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),	    cmocka_unit_test(test_locale),
		cmocka_unit_test(test_text_printf), cmocka_unit_test(test_times),
		cmocka_unit_test(test_json_parsed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
