/* Files of records: which lines are taken, and what is said about the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "suite/saved/lines.h"

/* The kinds and lines that were taken, such as "1@1 11@2 "; refuse: one is refused. */
struct taken {
	char text[256];
	uint64_t refuse;
	const char *reason;
	unsigned passed; /* kinds that are passed over */
};

static int take(void *arg, const struct saved_line *line, char *why, size_t size)
{
	struct taken *t = arg;
	const size_t len = strlen(t->text);

	assert_non_null(line->run);
	assert_true(line->len > 0 && line->text[0] == '{');
	snprintf(t->text + len, sizeof t->text - len, "%d@%d ", (int)line->kind,
		 (int)line->number);
	if (line->number != t->refuse)
		return 0;
	snprintf(why, size, "%s", t->reason);
	return -1;
}

/* Read text as a file. */
static int read_text(const char *text, size_t len, struct taken *t, char *why,
		     size_t size)
{
	char path[64];
	const struct saved_taker taker = {t, take, t->passed};
	const int fd = memfd_create("records", MFD_CLOEXEC);

	assert_true(fd >= 0 && write(fd, text, len) == (ssize_t)len);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	const int rc = saved_lines(path, &taker, why, size);
	close(fd);
	return rc;
}

#define RUN "{\"schema\":2,\"record\":\"run\",\"run\":\"x\"}"
#define END "{\"schema\":2,\"record\":\"end\",\"run\":\"x\"}"

static void test_lines(void **state)
{
	static const struct {
		int line;
		const char *text, *taken, *why; /* why NULL: the file is read */
	} t[] = {
		{__LINE__, "", "", NULL},
		{__LINE__, "\n \r\n\t\n", "", NULL},
		{__LINE__, RUN "\n" END "\n", "1@1 11@2 ", NULL},
		{__LINE__, RUN "\r\n\r\n" END, "1@1 11@3 ", NULL},
		{__LINE__, " " RUN "\n", "1@1 ", NULL},
		{__LINE__, "{\"schema\":1,\"record\":\"new\",\"run\":\"\"}\n", "0@1 ",
		 NULL},
		{__LINE__, "{\"schema\":2,\"record\":\"run\",\"run\":\"x\",\"v\":1e400}",
		 "", "line 1 is cut off: the file ends in the middle of it"},
		{__LINE__, RUN "\n{\"schema\":2,\"rec", "1@1 ",
		 "line 2 is cut off: the file ends in the middle of it"},
		{__LINE__, RUN "\nname,value\n" END "\n", "1@1 ",
		 "line 2 is not a record, which begins with '{'; --format=json and "
		 "--save write records"},
		{__LINE__, "[1]\n", "",
		 "line 1 is not a record, which begins with '{'; --format=json and "
		 "--save write records"},
		{__LINE__, "{}\n", "",
		 "line 1 is not a record: it lacks schema, record or run"},
		{__LINE__, "\n{\"schema\":2,\"record\":\"run\"}\n", "",
		 "line 2 is not a record: it lacks schema, record or run"},
		{__LINE__, "{\"schema\":-2,\"record\":\"run\",\"run\":\"x\"}\n", "",
		 "line 1 is not a record: it lacks schema, record or run"},
		{__LINE__, "{\"schema\":3,\"record\":\"run\",\"run\":\"x\"}\n", "",
		 "line 1 is a record of schema 3; this version reads records up to "
		 "schema 2"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct taken taken = {.text = ""};
		char why[256];
		const int rc =
			read_text(t[i].text, strlen(t[i].text), &taken, why, sizeof why);

		if (rc != (t[i].why ? -1 : 0) || strcmp(taken.text, t[i].taken) != 0)
			fail_msg("line %d: %d, taken: %s, why: %s", t[i].line, rc,
				 taken.text, why);
		if (t[i].why && strcmp(why, t[i].why) != 0)
			fail_msg("line %d: %s", t[i].line, why);
	}
}

static void test_not_json(void **state)
{
	static const char *const t[] = {"{\"a\":1,}\n", "{\"a\":1,\"a\":2}\n", "{1}\n"};
	struct taken taken = {.text = ""};
	char why[256];

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		assert_int_equal(read_text(t[i], strlen(t[i]), &taken, why, sizeof why),
				 -1);
		assert_int_equal(strncmp(why, "line 1 is not JSON: ", 20), 0);
	}
	/* A NUL does not end a line. */
	assert_int_equal(read_text("{\"a\":1}\0}\n", 10, &taken, why, sizeof why), -1);
	assert_int_equal(strncmp(why, "line 1 is not JSON: ", 20), 0);
}

static void test_refused(void **state)
{
	static const char text[] = RUN "\n" END "\n" END "\n";
	struct taken taken = {.refuse = 2, .reason = "its values are malformed"};
	char why[256];

	(void)state;
	assert_int_equal(read_text(text, strlen(text), &taken, why, sizeof why), -1);
	assert_string_equal(taken.text, "1@1 11@2 ");
	assert_string_equal(why, "line 2: its values are malformed");
	taken = (struct taken){.refuse = 2, .reason = ""};
	assert_int_equal(read_text(text, strlen(text), &taken, why, sizeof why), -1);
	assert_string_equal(why, "");
}

static void test_no_file(void **state)
{
	struct taken taken = {.text = ""};
	const struct saved_taker taker = {.arg = &taken, .take = take};
	char why[256];

	(void)state;
	assert_int_equal(saved_lines("/nonexistent", &taker, why, sizeof why), -1);
	assert_string_equal(why, "No such file or directory");
	assert_int_equal(saved_lines("/", &taker, why, sizeof why), -1);
	assert_string_equal(why, "Is a directory");
	/* Such a file has a line without an end. */
	assert_int_equal(saved_lines("/dev/zero", &taker, why, sizeof why), -1);
	assert_int_equal(strncmp(why, "line 1 is not a record", 22), 0);
	assert_string_equal(taken.text, "");
}

static void test_numbers(void **state)
{
	static const struct {
		int line;
		const char *text;
		uint64_t most, v;
		int rc;
	} t[] = {
		{__LINE__, "0", 0, 0, 0},
		{__LINE__, "7", 7, 7, 0},
		{__LINE__, "8", 7, 0, -1},
		{__LINE__, "-1", 7, 0, -1},
		{__LINE__, "9223372036854775807", UINT64_MAX, INT64_MAX, 0},
		{__LINE__, "9223372036854775808", UINT64_MAX, UINT64_C(1) << 63, 0},
		{__LINE__, "18446744073709551615", UINT64_MAX, UINT64_MAX, 0},
		{__LINE__, "18446744073709551615", INT64_MAX, 0, -1},
		{__LINE__, "40000000000000000000", UINT64_MAX, 0, -1},
		{__LINE__, "2.0", 7, 2, 0},
		{__LINE__, "2.5", 7, 0, -1},
		{__LINE__, "\"2\"", 7, 0, -1},
		{__LINE__, "null", 7, 0, -1},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		char text[128];
		uint64_t v = 0;

		snprintf(text, sizeof text, "{\"v\":%s}", t[i].text);
		json_t *o = json_loads(text, 0, NULL);
		if (!o)
			o = json_loads(text, JSON_DECODE_INT_AS_REAL, NULL);
		const int rc = saved_number(o, "v", t[i].most, &v);
		if (rc != t[i].rc || (rc == 0 && v != t[i].v))
			fail_msg("line %d: %d", t[i].line, rc);
		assert_int_equal(saved_number(o, "w", t[i].most, &v), -1);
		json_decref(o);
	}
}

/* Lines of kinds that are passed over are not even parsed, unless they are cut off. */
static void test_passed(void **state)
{
#define SAMPLE "{\"schema\":2,\"record\":\"sample\",\"run\":\"x\""
	static const struct {
		int line;
		const char *text, *taken, *why;
	} cases[] = {
		{__LINE__, RUN "\n" SAMPLE "}\n" END "\n", "1@1 11@3 ", ""},
		{__LINE__, SAMPLE ", ?}\n" END "\n", "11@2 ", ""},
		{__LINE__, SAMPLE ", ?}", "",
		 "line 1 is cut off: the file ends in the middle of it"},
		{__LINE__, "{\"record\":\"sample\",\"schema\":2,\"run\":\"x\"}\n", "2@1 ",
		 ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct taken t = {.passed = 1U << SAVED_SAMPLE};
		char why[256];

		read_text(cases[i].text, strlen(cases[i].text), &t, why, sizeof why);
		if (strcmp(t.text, cases[i].taken) != 0 || strcmp(why, cases[i].why) != 0)
			fail_msg("line %d: '%s', '%s'", cases[i].line, t.text, why);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	 cmocka_unit_test(test_passed),
		cmocka_unit_test(test_not_json), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_file),	 cmocka_unit_test(test_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
