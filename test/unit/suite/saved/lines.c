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

#include "suite/saved/lines.h"

/* The kinds and lines that were taken, such as "1@1 11@2 "; refuse: one is refused. */
struct taken {
	char text[256];
	uint64_t refuse;
	const char *reason;
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
	const struct saved_taker taker = {t, take};
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
	static const struct {
		int line;
		const char *text, *why;
	} t[] = {
		{__LINE__, "{\"a\":1,}\n",
		 "line 1 is not JSON: a key is missing at byte 8"},
		{__LINE__, "\n  {1}\n", "line 2 is not JSON: a key is missing at byte 2"},
		{__LINE__, "{\"a\":1,\"a\":2}\n",
		 "line 1 is not JSON: an object has a key twice at byte 11"},
	};
	struct taken taken = {.text = ""};
	char why[256];

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		assert_int_equal(
			read_text(t[i].text, strlen(t[i].text), &taken, why, sizeof why),
			-1);
		if (strcmp(why, t[i].why) != 0)
			fail_msg("line %d: %s", t[i].line, why);
	}
	/* A NUL does not end a line. */
	assert_int_equal(read_text("{\"a\":1}\0}\n", 10, &taken, why, sizeof why), -1);
	assert_string_equal(why, "line 1 is not JSON: bytes follow the value at byte 8");
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

/* Lines of any length, around the sizes in which the file is read, have their numbers. */
static void test_lengths(void **state)
{
	static const size_t sizes[] = {1,     4000,  65400,  65535,
				       65536, 65537, 131072, 1000000};
	static const char begin[] =
		"{\"schema\":2,\"record\":\"run\",\"run\":\"x\",\"v\":\"";

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		const size_t len = 2 * (sizeof begin - 1 + sizes[i] + 3);
		char *text = malloc(len), *p = text, why[256];
		struct taken taken = {.text = ""};

		assert_non_null(text);
		for (unsigned line = 0; line < 2; line++) {
			p = mempcpy(p, begin, sizeof begin - 1);
			p = (char *)memset(p, 'y', sizes[i]) + sizes[i];
			p = mempcpy(p, "\"}\n", 3);
		}
		assert_int_equal(read_text(text, len, &taken, why, sizeof why), 0);
		assert_string_equal(taken.text, "1@1 1@2 ");
		/* The last line is whole without its line break, but not with less. */
		for (size_t missing = 1; missing < 3; missing++) {
			taken = (struct taken){.text = ""};
			const int rc =
				read_text(text, len - missing, &taken, why, sizeof why);
			assert_int_equal(rc, missing == 1 ? 0 : -1);
			assert_string_equal(taken.text,
					    missing == 1 ? "1@1 1@2 " : "1@1 ");
		}
		free(text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_not_json),
		cmocka_unit_test(test_no_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
