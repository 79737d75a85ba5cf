/*
 * The scanner of JSON: what it takes and what not, as jansson does, and the values that
 * it finds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "suite/saved/scan.h"

/* Append a value and all values in it. */
static void put_value(struct textbuf *b, const struct saved_node *v)
{
	static const char *const words[] = {"null", "false", "true"};
	char text[64];

	if (v->key) {
		textbuf_str(b, v->key);
		textbuf_char(b, '=');
	}
	switch (v->kind) {
	case NODE_NULL:
	case NODE_FALSE:
	case NODE_TRUE:
		textbuf_str(b, words[v->kind]);
		return;
	case NODE_INTEGER:
		textbuf_num(b, v->integer, 0);
		return;
	case NODE_REAL:
		snprintf(text, sizeof text, "%.17gf", v->real);
		textbuf_str(b, text);
		return;
	case NODE_STRING:
		textbuf_char(b, '\'');
		textbuf_str(b, v->string);
		textbuf_char(b, '\'');
		return;
	case NODE_ARRAY:
	case NODE_OBJECT:
		break;
	}
	textbuf_char(b, v->kind == NODE_ARRAY ? '[' : '{');
	const struct saved_node *in =
		v->kind == NODE_ARRAY ? saved_first(v) : saved_first_member(v);
	unsigned n = 0;
	for (; in; in = saved_next(v, in)) {
		if (n++ > 0)
			textbuf_char(b, ' ');
		put_value(b, in);
	}
	assert_int_equal(n, v->n);
	textbuf_char(b, v->kind == NODE_ARRAY ? ']' : '}');
}

/* Returns whether jansson takes a text, with a second try for integers above 2^63-1. */
static int jansson_takes(const char *text, size_t len)
{
	json_t *json = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);

	if (!json)
		json = json_loadb(text, len,
				  JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
	json_decref(json);
	return json != NULL;
}

#define IN(text) "[\"" text "\"]"

static void test_values(void **state)
{
	static const struct {
		int line;
		const char *text, *values;
	} t[] = {
		{__LINE__, "{}", "{}"},
		{__LINE__, "[]", "[]"},
		{__LINE__, " \t\r\n[ \t\r\n] \t\r\n", "[]"},
		{__LINE__, "{\"a\":1,\"b\":[true,false,null],\"c\":{\"d\":{}}}",
		 "{a=1 b=[true false null] c={d={}}}"},
		{__LINE__, " { \"a\" : [ 1 , 2 ] , \"\" : \"x\" } ", "{a=[1 2] ='x'}"},
		{__LINE__, "[[],[[]],{},[{}]]", "[[] [[]] {} [{}]]"},
		/* Integers are exact up to 2^64-1; all other numbers are doubles. */
		{__LINE__, "[0,1,10,4294967296]", "[0 1 10 4294967296]"},
		{__LINE__, "[9223372036854775807,9223372036854775808]",
		 "[9223372036854775807 9223372036854775808]"},
		{__LINE__, "[18446744073709551615]", "[18446744073709551615]"},
		{__LINE__, "[18446744073709551616]", "[1.8446744073709552e+19f]"},
		{__LINE__, "[99999999999999999999999]", "[9.9999999999999992e+22f]"},
		{__LINE__, "[-0,-1,-9223372036854775809]",
		 "[-0f -1f -9.2233720368547758e+18f]"},
		{__LINE__, "[0.5,-0.25,1.0,1e2,1E+2,25e-1,0e0]",
		 "[0.5f -0.25f 1f 100f 100f 2.5f 0f]"},
		{__LINE__, "[0.1,1.7976931348623157e308,5e-324,1e-400]",
		 "[0.10000000000000001f 1.7976931348623157e+308f "
		 "4.9406564584124654e-324f 0f]"},
		/* Strings of lengths around the eight bytes that are copied at once. */
		{__LINE__, "[\"\",\"1234567\",\"12345678\",\"123456789\"]",
		 "['' '1234567' '12345678' '123456789']"},
		{__LINE__, "[\"1234567\\n1234567\\t\",\"12345678901234567\"]",
		 "['1234567\n1234567\t' '12345678901234567']"},
		{__LINE__, IN("\\\"\\\\\\/\\b\\f\\n\\r\\t"), "['\"\\/\b\f\n\r\t']"},
		{__LINE__, IN("\\u0041\\u00e9\\u20ac\\u20AC"), "['A\u00e9\u20ac\u20ac']"},
		{__LINE__, IN("\\ud834\\udd1e\\uDBFF\\uDFFF"),
		 "['\U0001d11e\xf4\x8f\xbf\xbf']"},
		{__LINE__, IN("\\ud7ff\\ue000\\uffff"), "['\ud7ff\ue000\uffff']"},
		{__LINE__, IN("\x7f\xc2\x80 \u00e9\u20ac\U0001d11e"),
		 "['\x7f\xc2\x80 \u00e9\u20ac\U0001d11e']"},
		{__LINE__, "{\"\\u0061b\":1,\"a\\\"\":2}", "{ab=1 a\"=2}"},
		{__LINE__, "{\"a\":{\"a\":1},\"b\":{\"a\":2}}", "{a={a=1} b={a=2}}"},
	};
	struct scan s = {.node = NULL};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct textbuf b = {0};

		if (scan_text(&s, t[i].text, strlen(t[i].text)) == -1)
			fail_msg("line %d: %s at %zu", t[i].line, s.error, s.at);
		put_value(&b, s.node);
		char *text = textbuf_end(&b);
		if (strcmp(text, t[i].values) != 0)
			fail_msg("line %d: %s", t[i].line, text);
		free(text);
		if (!jansson_takes(t[i].text, strlen(t[i].text)))
			fail_msg("line %d: jansson refuses it", t[i].line);
	}
	scan_free(&s);
}

static void test_errors(void **state)
{
	static const char none[] = "an object or an array is missing",
			  value[] = "a value is missing", key[] = "a key is missing",
			  digit[] = "a digit is missing",
			  escape[] = "an unknown escape in a string",
			  half[] = "half of a surrogate pair in a string",
			  utf8[] = "bytes in a string that are not UTF-8",
			  range[] = "a number beyond the range of a double",
			  twice[] = "an object has a key twice",
			  end[] = "a string without an end",
			  member[] = "a ',' or '}' is missing",
			  element[] = "a ',' or ']' is missing",
			  colon[] = "a ':' is missing",
			  control[] = "a control character in a string",
			  more[] = "bytes follow the value";
	static const struct {
		int line;
		const char *text, *error;
		size_t at;
	} t[] = {
		{__LINE__, "", none, 1},
		{__LINE__, " 1", none, 2},
		{__LINE__, "\"a\"", none, 1},
		{__LINE__, "null", none, 1},
		{__LINE__, "\xef\xbb\xbf{}", none, 1},
		{__LINE__, "{", key, 2},
		{__LINE__, "[", value, 2},
		{__LINE__, "{]", key, 2},
		{__LINE__, "[}", value, 2},
		{__LINE__, "{1:2}", key, 2},
		{__LINE__, "{'a':2}", key, 2},
		{__LINE__, "{\"a\"}", colon, 5},
		{__LINE__, "{\"a\" 1}", colon, 6},
		{__LINE__, "{\"a\":}", value, 6},
		{__LINE__, "{\"a\":1,}", key, 8},
		{__LINE__, "{\"a\":1 \"b\":2}", member, 8},
		{__LINE__, "{\"a\":1", member, 7},
		{__LINE__, "[1,]", value, 4},
		{__LINE__, "[,1]", value, 2},
		{__LINE__, "[1 2]", element, 4},
		{__LINE__, "[1", element, 3},
		{__LINE__, "[1}", element, 3},
		{__LINE__, "{} {}", more, 4},
		{__LINE__, "[]]", more, 3},
		{__LINE__, "{}x", more, 3},
		{__LINE__, "[True]", value, 2},
		{__LINE__, "[nul]", value, 2},
		{__LINE__, "[nulll]", element, 6},
		{__LINE__, "[NaN]", value, 2},
		{__LINE__, "[Infinity]", value, 2},
		{__LINE__, "[-Infinity]", digit, 3},
		{__LINE__, "[+1]", value, 2},
		{__LINE__, "[01]", element, 3},
		{__LINE__, "[-01]", element, 4},
		{__LINE__, "[.5]", value, 2},
		{__LINE__, "[1.]", digit, 4},
		{__LINE__, "[1.e1]", digit, 4},
		{__LINE__, "[1e]", digit, 4},
		{__LINE__, "[1e+]", digit, 5},
		{__LINE__, "[-]", digit, 3},
		{__LINE__, "[0x1]", element, 3},
		{__LINE__, "[1e309]", range, 7},
		{__LINE__, "[-1e309]", range, 8},
		{__LINE__, "[1,/**/2]", value, 4},
		{__LINE__, "[\"", end, 3},
		{__LINE__, "[\"a", end, 4},
		{__LINE__, "[\"123456789", end, 12},
		{__LINE__, "[\"\\", escape, 3},
		{__LINE__, "[\"\\\"", end, 5},
		{__LINE__, IN("\\x"), escape, 3},
		{__LINE__, IN("\\'"), escape, 3},
		{__LINE__, IN("\\u12"), escape, 3},
		{__LINE__, IN("\\u12g4"), escape, 3},
		{__LINE__, IN("\\U0041"), escape, 3},
		{__LINE__, "[\"\\u004", escape, 3},
		{__LINE__, IN("\\u0000"), "a NUL in a string", 3},
		{__LINE__, "{\"\\u0000\":1}", "a NUL in a string", 3},
		{__LINE__, IN("\\ud800"), half, 3},
		{__LINE__, IN("\\udc00"), half, 3},
		{__LINE__, IN("\\ud800\\u0041"), half, 3},
		{__LINE__, IN("\\ud800\\ud800"), half, 3},
		{__LINE__, IN("\\ud800\\n"), half, 3},
		{__LINE__, IN("\\udc00\\ud800"), half, 3},
		{__LINE__, IN("a\nb"), control, 4},
		{__LINE__, IN("\x1f"), control, 3},
		{__LINE__, IN("12345678\t"), control, 11},
		{__LINE__, IN("\x80"), utf8, 3},
		{__LINE__, IN("\xc3"), utf8, 3},
		{__LINE__, IN("\xc0\x80"), utf8, 3},
		{__LINE__, IN("\xc1\xbf"), utf8, 3},
		{__LINE__, IN("\xe0\x9f\xbf"), utf8, 3},
		{__LINE__, IN("\xe2\x82"), utf8, 3},
		{__LINE__, IN("\xed\xa0\x80"), utf8, 3},
		{__LINE__, IN("\xf0\x8f\xbf\xbf"), utf8, 3},
		{__LINE__, IN("\xf4\x90\x80\x80"), utf8, 3},
		{__LINE__, IN("\xf5\x80\x80\x80"), utf8, 3},
		{__LINE__, IN("1234567\xff"), utf8, 10},
		{__LINE__, "[\"\xe2\x82", utf8, 3},
		{__LINE__, "[\xc3\xa9]", value, 2},
		{__LINE__, "{\"a\":1,\"a\":2}", twice, 11},
		{__LINE__, "{\"a\":1,\"b\":{\"x\":[1]},\"\\u0061\":2}", twice, 30},
		{__LINE__, "{\"\":1,\"\":2}", twice, 9},
	};
	struct scan s = {.node = NULL};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		const size_t len = strlen(t[i].text);

		if (scan_text(&s, t[i].text, len) == 0)
			fail_msg("line %d: it is taken", t[i].line);
		if (strcmp(s.error, t[i].error) != 0 || s.at != t[i].at)
			fail_msg("line %d: %s at %zu", t[i].line, s.error, s.at);
		if (jansson_takes(t[i].text, len))
			fail_msg("line %d: jansson takes it", t[i].line);
	}
	scan_free(&s);
}

/* A NUL is valid nowhere: it does not end the text. */
static void test_nul(void **state)
{
	static const char text[] = "{\"a\":[1,\"bcdefghij\",true]}";
	const size_t len = sizeof text - 1;
	struct scan s = {.node = NULL};

	(void)state;
	for (size_t i = 0; i < len; i++) {
		char copy[sizeof text];

		memcpy(copy, text, sizeof text);
		copy[i] = '\0';
		assert_int_equal(scan_text(&s, copy, len), -1);
		assert_true(s.at <= i + 1);
	}
	assert_int_equal(scan_text(&s, "{}\0{}", 5), -1);
	assert_string_equal(s.error, "bytes follow the value");
	scan_free(&s);
}

/* Make a text of n times a, then b, then n times c. */
static char *nest(const char *a, const char *b, const char *c, unsigned n)
{
	struct textbuf t = {0};

	for (unsigned i = 0; i < n; i++)
		textbuf_str(&t, a);
	textbuf_str(&t, b);
	for (unsigned i = 0; i < n; i++)
		textbuf_str(&t, c);
	return textbuf_end(&t);
}

static void test_depth(void **state)
{
	static const struct {
		int line;
		const char *a, *b, *c;
		unsigned n;
		int rc;
	} t[] = {
		{__LINE__, "[", "", "]", 2048, 0},
		{__LINE__, "[", "", "]", 2049, -1},
		{__LINE__, "[", "1", "]", 2047, 0},
		{__LINE__, "[", "1", "]", 2048, -1},
		{__LINE__, "{\"a\":", "{}", "}", 2047, 0},
		{__LINE__, "{\"a\":", "{}", "}", 2048, -1},
		{__LINE__, "[", "", "", 1000000, -1},
	};
	struct scan s = {.node = NULL};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		char *text = nest(t[i].a, t[i].b, t[i].c, t[i].n);
		const size_t len = strlen(text);

		if (scan_text(&s, text, len) != t[i].rc)
			fail_msg("line %d", t[i].line);
		if (jansson_takes(text, len) != (t[i].rc == 0))
			fail_msg("line %d: jansson differs", t[i].line);
		free(text);
	}
	assert_string_equal(s.error, "a value in more than 2047 others");
	/* Depth is not length: values side by side are not in each other. */
	char *text = nest("[[[],", "1", "]]", 1000);
	assert_int_equal(scan_text(&s, text, strlen(text)), 0);
	free(text);
	scan_free(&s);
}

/* Make an object with n members, of which the last has the key of number `last`. */
static char *make_object(unsigned n, unsigned last)
{
	struct textbuf b = {0};

	for (unsigned i = 0; i < n; i++) {
		textbuf_str(&b, i ? ",\"k" : "{\"k");
		textbuf_num(&b, i == n - 1 ? last : i, 0);
		textbuf_str(&b, "\":{\"k0\":1}");
	}
	textbuf_char(&b, '}');
	return textbuf_end(&b);
}

/* Objects of many members have each key once, too. */
static void test_many(void **state)
{
	struct scan s = {.node = NULL};

	(void)state;
	for (unsigned n = 2; n < 200; n++) {
		char *once = make_object(n, n - 1), *twice = make_object(n, n / 2 - 1);

		assert_int_equal(scan_text(&s, once, strlen(once)), 0);
		assert_int_equal(s.node->n, n);
		assert_int_equal(s.node->nodes, 1 + 2 * n);
		assert_int_equal(scan_text(&s, twice, strlen(twice)), -1);
		assert_string_equal(s.error, "an object has a key twice");
		free(once);
		free(twice);
	}
	scan_free(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nul),    cmocka_unit_test(test_depth),
		cmocka_unit_test(test_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
