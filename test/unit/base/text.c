/* Rows with strings that could break a line, and with allocations that fail. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "suite/row/row.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

/* base/text.c is compiled in here so that its allocations can be made to fail. */
static int allocs_left = -1; /* -1: no limit */
static int blocks;	     /* allocated and not freed yet */

static void *limited_realloc(void *p, size_t n)
{
	if (allocs_left == 0)
		return NULL;
	if (allocs_left > 0)
		allocs_left--;
	blocks += !p;
	return realloc(p, n);
}

static void counted_free(void *p)
{
	blocks -= !!p;
	free(p);
}

#define realloc limited_realloc
#define free	counted_free
#include "base/text.c"
#undef realloc
#undef free

#define BAD "\xef\xbf\xbd"

/*
 * Strings; the string that the JSON stands for, which has no bytes that are not UTF-8;
 * and the CSV field and the text, which NULL says to be the same as the string before.
 */
static const struct {
	int line;
	const char *in, *json, *csv, *text;
} strings[] = {
	{__LINE__, "plain", "plain", NULL, NULL},
	{__LINE__, "", "", NULL, NULL},
	{__LINE__, "a,b", "a,b", NULL, NULL},
	{__LINE__, "\"", "\"", NULL, NULL},
	{__LINE__, "a\"\"b", "a\"\"b", NULL, NULL},
	{__LINE__, "a\nb\r\n", "a\nb\r\n", "a?b??", NULL},
	{__LINE__, "\\ / \\n", "\\ / \\n", NULL, NULL},
	{__LINE__, "\x01\x1f\x7f\x20", "\x01\x1f\x7f\x20", "??? ", NULL},
	{__LINE__, "\x1b]0;a\a", "\x1b]0;a\a", "?]0;a?", NULL},
	{__LINE__, "\xc2\x80\xc2\x9f\xc2\xa0", "\xc2\x80\xc2\x9f\xc2\xa0", "??\xc2\xa0",
	 NULL},
	/* Line and paragraph separator, directions, and the characters beside them. */
	{__LINE__, "\u2027\u2028\u2029\u202a\u202e\u202f",
	 "\u2027\u2028\u2029\u202a\u202e\u202f", "\u2027????\u202f", NULL},
	{__LINE__, "\u200d\u200e\u200f\u2010", "\u200d\u200e\u200f\u2010",
	 "\u200d??\u2010", NULL},
	{__LINE__, "\u2065\u2066\u2069\u206a", "\u2065\u2066\u2069\u206a",
	 "\u2065??\u206a", NULL},
	{__LINE__, "\u061b\u061c\u061d", "\u061b\u061c\u061d", "\u061b?\u061d", NULL},
	{__LINE__, "\x80\x9b\x9f\xa0", BAD BAD BAD BAD, NULL, "????"},
	{__LINE__, "\xc2", BAD, NULL, "?"},
	{__LINE__, "\xc2\n", BAD "\n", BAD "?", "??"},
	{__LINE__, "\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf", "\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf",
	 NULL, NULL},
	{__LINE__, "\xee\x80\x80\xef\xbf\xbf", "\xee\x80\x80\xef\xbf\xbf", NULL, NULL},
	{__LINE__, "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
	 NULL, NULL},
	{__LINE__, "\x80", BAD, NULL, "?"},
	{__LINE__, "a\xbf\xbf", "a" BAD BAD, NULL, "a??"},
	{__LINE__, "\xc0\x80", BAD BAD, NULL, "??"},
	{__LINE__, "\xc1\xbf", BAD BAD, NULL, "??"},
	{__LINE__, "\xe0\x9f\xbf", BAD BAD BAD, NULL, "???"},
	{__LINE__, "\xed\xa0\x80", BAD BAD BAD, NULL, "???"},
	{__LINE__, "\xf0\x8f\xbf\xbf", BAD BAD BAD BAD, NULL, "????"},
	{__LINE__, "\xf4\x90\x80\x80", BAD BAD BAD BAD, NULL, "????"},
	{__LINE__, "\xf5\x80", BAD BAD, NULL, "??"},
	{__LINE__, "\xfe\xff", BAD BAD, NULL, "??"},
	{__LINE__, "\xe2\x82", BAD BAD, NULL, "??"},
	{__LINE__, "\xe2\x82\"", BAD BAD "\"", NULL, "??\""},
	{__LINE__, "\xf0\x9f\x98\x41", BAD BAD BAD "A", NULL, "???A"},
	{__LINE__, "\xf0\x9f\x98\x80\xe2\x82\xac", "\xf0\x9f\x98\x80\xe2\x82\xac", NULL,
	 NULL},
};

static const struct {
	int line;
	double value;
	unsigned decimals;
	const char *text;
} decimals[] = {
	{__LINE__, 0, 6, "0.000000"},	       {__LINE__, 0.0000006, 6, "0.000001"},
	{__LINE__, 0.0000004, 6, "0.000000"},  {__LINE__, -0.0000006, 6, "-0.000001"},
	{__LINE__, -0.0000004, 6, "0.000000"}, {__LINE__, 1.9999999996, 9, "2.000000000"},
	{__LINE__, 12.75, 1, "12.8"},
};

static void test_read_decimal(void **state)
{
	static const struct {
		int line;
		const char *text, *rest; /* NULL: it begins with no decimal number */
		double v;
	} t[] = {
		{__LINE__, "2", "", 2},	     {__LINE__, "0.5%", "%", 0.5},
		{__LINE__, ".5", "", 0.5},   {__LINE__, "5.", "", 5},
		{__LINE__, "007", "", 7},    {__LINE__, "1.2.3", ".3", 1.2},
		{__LINE__, "0x10", NULL, 0}, {__LINE__, "1e3", NULL, 0},
		{__LINE__, "0x", "x", 0},    {__LINE__, "1e", "e", 1},
		{__LINE__, "-1", NULL, 0},   {__LINE__, "+1", NULL, 0},
		{__LINE__, " 1", NULL, 0},   {__LINE__, ".", NULL, 0},
		{__LINE__, "", NULL, 0},     {__LINE__, "inf", NULL, 0},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		double v = 0;
		const char *rest = text_decimal(t[i].text, &v);

		if (!rest != !t[i].rest ||
		    (rest && (strcmp(rest, t[i].rest) != 0 || v != t[i].v)))
			fail_msg("line %d: %g, rest '%s'", t[i].line, v,
				 rest ? rest : "NULL");
	}
}

static void test_decimal(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(decimals); i++) {
		struct textbuf b = {0};

		textbuf_decimal(&b, decimals[i].value, decimals[i].decimals, 0);
		char *const text = textbuf_end(&b);

		if (!text || strcmp(text, decimals[i].text) != 0)
			fail_msg("line %d: %s", decimals[i].line, text);
		counted_free(text);
	}
}

static void test_format(void **state)
{
	char many[1001];
	struct textbuf b = {0};

	(void)state;
	memset(many, 'x', sizeof many - 1);
	many[sizeof many - 1] = '\0';
	textbuf_format(&b, "%s %d,", "a", 1);
	textbuf_format(&b, "%s", "");
	textbuf_format(&b, "%s!", many);
	char *const text = textbuf_end(&b);
	assert_non_null(text);
	assert_int_equal(strlen(text), 1005);
	assert_memory_equal(text, "a 1,xxx", 7);
	assert_string_equal(text + 1003, "x!");
	counted_free(text);
}

enum { CSV_COLUMNS = 21, CSV_COMMAND = 16 };

/* Split a CSV record (RFC 4180) in place. Returns the number of fields. */
static unsigned csv_split(char *s, char *field[CSV_COLUMNS])
{
	unsigned n = 0;
	for (char end = ','; end == ',' && n < CSV_COLUMNS; n++) {
		char *to = field[n] = s;
		if (*s == '"') {
			for (s++; *s != '"' || *++s == '"'; s++) {
				assert_true(*s);
				*to++ = *s;
			}
		} else {
			while (!strchr(",\n\r\"", *s))
				*to++ = *s++;
		}
		end = *s++;
		*to = '\0';
		assert_true(end == (n + 1 < CSV_COLUMNS ? ',' : '\n'));
	}
	assert_int_equal(*s, '\0');
	return n;
}

static char *line_of(enum text_format format, const char *cmd)
{
	const struct row_style style = {.format = format};
	const struct row row = {.kind = ROW_EXEC, .tid = 1, .cmd = cmd};
	char *line = row_line(&style, &row);
	assert_non_null(line);
	return line;
}

static json_t *parse(const char *line)
{
	json_error_t err;
	json_t *o = json_loads(line, JSON_REJECT_DUPLICATES, &err);
	if (!o)
		fail_msg("%s\n%s", err.text, line);
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	return o;
}

static const char *command(const json_t *row)
{
	return json_string_value(json_object_get(row, "command"));
}

/*
 * Fails if s has a character that gives a command to a terminal, ends a line or sets the
 * direction of text, or is not valid UTF-8.
 */
static void check_printable(const char *s)
{
	static const char *const special[] = {
		"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b",
		"\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"};
	for (size_t i = 0; i < LEN(special); i++)
		assert_null(strstr(s, special[i]));
	for (const char *c = s; *c && strcmp(c, "\n") != 0; c++)
		assert_false((unsigned char)*c < 0x20 || *c == 0x7f ||
			     (*c == '\xc2' && (unsigned char)c[1] < 0xa0));
	json_t *o = json_string(s); /* which checks the UTF-8 */
	assert_non_null(o);
	json_decref(o);
}

static void check_string(const char *in, const char *json, const char *csv,
			 const char *as_text)
{
	char *line = line_of(TEXT_JSON, in);
	check_printable(line);
	json_t *o = parse(line);
	assert_string_equal(command(o), json);
	json_decref(o);
	counted_free(line);

	char *field[CSV_COLUMNS];
	line = line_of(TEXT_CSV, in);
	assert_int_equal(csv_split(line, field), CSV_COLUMNS);
	assert_string_equal(field[CSV_COMMAND], csv);
	counted_free(line);

	char text[256];
	snprintf(text, sizeof(text), "  0.000   0       exec %20s# '%s'\n", "", as_text);
	line = line_of(TEXT_PLAIN, in);
	assert_string_equal(line, text);
	counted_free(line);

	const struct row_style style = {.format = TEXT_PLAIN, .nsets = 2};
	const struct row_set set = {.spec = in};
	const struct row row = {.word = "tick", .set = &set};
	snprintf(text, sizeof(text), "  0.000   0       tick  # %s\n", as_text);
	line = row_line(&style, &row);
	assert_string_equal(line, text);
	counted_free(line);

	snprintf(text, sizeof(text), "%s", in);
	text_clean(text, "");
	assert_string_equal(text, as_text);
	char *last = text;
	for (size_t n = text_width(in); n > 0; n--)
		for (last++; (*last & 0xc0) == 0x80;)
			last++;
	assert_ptr_equal(last, text + strlen(text));
}

/* Characters that are to be kept; others, and malformed ones, are replaced. */
static void test_keep(void **state)
{
	(void)state;
	char s[] = "a\n\tb\r\x1b[m\xc2\x85\xff\xc3\xa9";
	text_clean(s, "\n\t");
	assert_string_equal(s, "a\n\tb??[m??\xc3\xa9");
}

static void test_strings(void **state)
{
	(void)state;
	for (unsigned i = 0; i < LEN(strings); i++) {
		print_message("line %d\n", strings[i].line);
		const char *json = strings[i].json;
		const char *csv = strings[i].csv ? strings[i].csv : json;
		check_string(strings[i].in, json, csv,
			     strings[i].text ? strings[i].text : csv);
	}
}

/* splitmix64: the same numbers on every machine. */
static uint64_t random64(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Whatever the bytes are, each format stays well-formed and keeps the string. */
static void test_random_strings(void **state)
{
	static const char few[] = "\",\n\r\\'a\xc2\x80\xe2\xed\xf0\xf4\x9f\xbf\x01";
	(void)state;
	uint64_t seed = 2;
	for (int i = 0; i < 20000; i++) {
		char cmd[64] = "";
		const size_t n = random64(&seed) % (sizeof(cmd) - 1);
		for (size_t j = 0; j < n; j++) {
			const uint64_t r = random64(&seed);
			cmd[j] = i % 2 ? (char)(1 + r % 255) : few[r % (sizeof(few) - 1)];
		}
		char *field[CSV_COLUMNS];
		char *json = line_of(TEXT_JSON, cmd), *csv = line_of(TEXT_CSV, cmd);
		char *text = line_of(TEXT_PLAIN, cmd);
		json_t *o = parse(json);
		assert_int_equal(csv_split(csv, field), CSV_COLUMNS);
		struct textbuf clean = {0};
		textbuf_clean(&clean, command(o));
		assert_string_equal(field[CSV_COMMAND], textbuf_end(&clean));
		counted_free(clean.s);
		check_printable(json);
		check_printable(csv);
		check_printable(text);
		json_decref(o);
		counted_free(json);
		counted_free(csv);
		counted_free(text);
	}
}

/* Each allocation fails in turn: the result is NULL with ENOMEM, and nothing leaks. */
static void test_no_memory(void **state)
{
	(void)state;
	char cmd[100000];
	memset(cmd, 'x', sizeof(cmd) - 1);
	cmd[sizeof(cmd) - 1] = '\0';
	const struct row exec = {.kind = ROW_EXEC, .cmd = cmd};
	for (int f = TEXT_PLAIN; f <= TEXT_JSON; f++) {
		const struct row_style style = {.format = (enum text_format)f};
		int tries = 0;
		for (char *line = NULL; !line; tries++) {
			errno = 0;
			allocs_left = tries;
			line = row_line(&style, &exec);
			allocs_left = -1;
			assert_int_equal(errno, line ? 0 : ENOMEM);
			assert_int_equal(blocks, !!line);
			if (!line)
				continue;
			assert_non_null(strstr(line, cmd));
			counted_free(line);
			break;
		}
		assert_in_range(tries, 2,
				20); /* the buffer grew, by more than a constant */

		errno = 0;
		allocs_left = 0;
		assert_null(row_title(&style, NULL));
		allocs_left = -1;
		assert_int_equal(errno, ENOMEM);
		assert_int_equal(blocks, 0);
	}
}

static void test_words(void **state)
{
	static const struct {
		int line;
		const char *in;
		size_t n;
		const char *out;
	} cases[] = {
		{__LINE__, "", 0, NULL},
		{__LINE__, "\0\0", 2, NULL},
		{__LINE__, "a", 1, "a"},
		{__LINE__, "a\0", 2, "a"},
		{__LINE__, "a\0b c\0\0d\0\0\0", 10, "a b c  d"},
		{__LINE__, "\0a", 2, " a"},
		{__LINE__, "ab\0cd", 4, "ab c"},
	};
	char buf[16];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		memset(buf, 'x', sizeof buf);
		memcpy(buf, cases[i].in, cases[i].n);
		const char *out = text_words(buf, cases[i].n);

		if (!out != !cases[i].out || (out && strcmp(out, cases[i].out) != 0))
			fail_msg("case of line %d: %s", cases[i].line,
				 out ? out : "NULL");
	}
}

static void test_grouped(void **state)
{
	static const struct {
		int line;
		const char *digits, *want;
	} t[] = {
		{__LINE__, "", ""},
		{__LINE__, "0", "0"},
		{__LINE__, "999", "999"},
		{__LINE__, "1000", "1,000"},
		{__LINE__, "123456", "123,456"},
		{__LINE__, "18446744073709551615", "18,446,744,073,709,551,615"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		char text[TEXT_GROUPED];

		if (strcmp(text_grouped(text, t[i].digits), t[i].want) != 0)
			fail_msg("line %d: %s", t[i].line, text);
	}
}

/* Numbers are read back as they were, and have no digit too many. */
static void test_real(void **state)
{
	static const struct {
		int line;
		double v;
		const char *want;
	} t[] = {
		{__LINE__, 0, "0"},
		{__LINE__, 39.75, "39.75"},
		{__LINE__, 0.1, "0.1"},
		{__LINE__, 1 / 3., "0.3333333333333333"},
		{__LINE__, -0.1 - 0.2, "-0.30000000000000004"},
		{__LINE__, 123456789012345, "123456789012345"},
		{__LINE__, 9007199254740991, "9007199254740991"},
		{__LINE__, 1e22, "1e+22"},
		{__LINE__, INFINITY, ""},
		{__LINE__, NAN, ""},
	};

	(void)state;
	for (size_t i = 0; i < LEN(t); i++) {
		struct textbuf b = {0};

		textbuf_real(&b, t[i].v);
		char *text = textbuf_end(&b);
		if (strcmp(text, t[i].want) != 0)
			fail_msg("line %d: %s", t[i].line, text);
		counted_free(text);
	}
}

/* Check a number, and the same with decimals, in cells of each width. */
static void check_number(uint64_t v, unsigned places)
{
	uint64_t one = 1;

	for (unsigned i = 0; i < places; i++)
		one *= 10;
	for (int width = 0; width < 40; width++) {
		struct textbuf b = {0};
		char digits[64], want[200];

		snprintf(digits, sizeof digits, "%llu.%0*llu",
			 (unsigned long long)(v / one), (int)places,
			 (unsigned long long)(v % one));
		snprintf(want, sizeof want, "<%*llu><%*s>", width, (unsigned long long)v,
			 width, digits);
		textbuf_char(&b, '<');
		textbuf_num(&b, v, (size_t)width);
		textbuf_str(&b, "><");
		textbuf_fixed(&b, v, places, (size_t)width);
		textbuf_char(&b, '>');
		char *got = textbuf_end(&b);
		assert_string_equal(got, want);
		counted_free(got);
	}
}

/* All numbers at which the count of digits changes, and their neighbours. */
static void test_numbers(void **state)
{
	(void)state;
	for (unsigned places = 1; places <= 9; places++) {
		for (uint64_t power = 1;; power *= 10) {
			for (uint64_t v = power - 1; v <= power + 1; v++)
				check_number(v, places);
			if (power == UINT64_C(10000000000000000000))
				break;
		}
		check_number(UINT64_MAX, places);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_grouped),
		cmocka_unit_test(test_decimal),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_real),
		cmocka_unit_test(test_read_decimal),
		cmocka_unit_test(test_random_strings),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
