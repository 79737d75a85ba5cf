/* Sheets in text: columns, and names that are too wide for them. */
#include "suite/profile/sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite/profile/shorten.h"

static const struct sheet_column columns[] = {{"count", "count", SHEET_NUMBER},
					      {"symbol", "symbol", SHEET_TEXT},
					      {"module", "module", SHEET_TEXT},
					      {"hidden", NULL, SHEET_TEXT}};

/* Return the text of a sheet with one row, in a format. */
static char *row_of(const char *symbol, const char *module, enum text_format format)
{
	struct sheet t = {.name = "v", .ncolumn = 4, .column = columns};
	struct textbuf b = {0};
	struct sheet_cell *row = sheet_row(&t);

	row[0] = sheet_number(7);
	row[1] = sheet_text(symbol);
	row[2] = sheet_text(module);
	row[3] = sheet_text("");
	sheet_put(&b, &t, format);
	sheet_free(&t);
	return textbuf_end(&b);
}

static void check(const char *symbol, const char *module, const char *expected)
{
	char *s = row_of(symbol, module, TEXT_PLAIN);

	assert_non_null(s);
	assert_string_equal(strchr(s, '\n') + 1, expected);
	free(s);
}

#define TEN    "abcdefghij"
#define THIRTY TEN TEN TEN

static void test_wide(void **state)
{
	char *s;

	(void)state;
	check("f", "m", "    7  f       m\n");
	check(THIRTY THIRTY TEN "12", "m", "    7  " THIRTY THIRTY TEN "12  m\n");
	check(THIRTY THIRTY TEN "123", "m",
	      "    7  " THIRTY TEN "abcde..."
	      "j" TEN TEN "123  m\n");
	check("f", THIRTY THIRTY THIRTY, "    7  f       " THIRTY THIRTY THIRTY "\n");
	s = row_of(THIRTY THIRTY THIRTY, "m", TEXT_CSV);
	assert_non_null(strstr(s, "7," THIRTY THIRTY THIRTY ",m,"));
	free(s);
}

/* Letters of two bytes, and a byte that is none. */
static void test_characters(void **state)
{
#define E \
	"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
	(void)state;
	check(E E E E E E E "\xff"
			    "e",
	      "m",
	      "    7  " E E E E E E E "?"
	      "e  m\n");
	check(E E E E E E E "\xff"
			    "ef",
	      "m",
	      "    7  " E E E E "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9...\xc3\xa9" E E
	      "?"
	      "ef  m\n");
}

static void test_brackets(void **state)
{
	static const struct {
		const char *name;
		size_t max;
		const char *expected;
	} rows[] = {
		{"f(int)", 8, "f(int)"},
		{"map<pair<string, int>>::at(x<y>)", 32,
		 "map<pair<string, int>>::at(x<y>)"},
		{"map<pair<string, int>>::at(x<y>)", 31, "map<pair<...>>::at(x<y>)"},
		{"map<pair<string, int>>::at(x<y>)", 20, "map<...>::at(...)"},
		{"map<pair<string, int>>::at(x<y>)", 12, "map<.......)"},
		{"a::operator<(vector<long> const&)", 20, "a::operator<(...)"},
		{"a::operator<< <vector<long>>(long)", 30, "a::operator<< <...>(...)"},
		{"a::operator->(vector<long> const&)", 20, "a::operator->(...)"},
		{"a::operator()(vector<long> const&)", 20, "a::operator()(...)"},
		{"a::operator[](vector<long> const&)", 20, "a::operator[](...)"},
		{"(anonymous namespace)::f(vector<long>)", 32,
		 "(anonymous namespace)::f(...)"},
		{"f(int)::{lambda(long)#1}::operator()(long)", 40,
		 "f(int)::{...}::operator()(...)"},
		{"<Vec<T> as Deref>::deref", 20, "<...>::deref"},
		{"no)partner(of<these>", 12, "no)pa...ese>"},
		{"((((((((((((((((", 8, "(((...(("},
		{"x->y>z and more words", 8, "x->...ds"},
		{"", 8, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *s = strdup(rows[i].name);

		assert_non_null(s);
		shorten(s, rows[i].max);
		assert_string_equal(s, rows[i].expected);
		free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_brackets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
