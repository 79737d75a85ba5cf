/* Interpreters that draw a seed in each run, and what fixes it. */
#include "suite/series/interpreter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void same(const char *found, const char *want, int line)
{
	if (!want != !found || (want && strcmp(found, want) != 0))
		fail_msg("line %d: '%s', not '%s'", line, found ? found : "(none)",
			 want ? want : "(none)");
}

static void test_names(void **state)
{
	static const struct {
		int line;
		const char *command, *want;
	} t[] = {
		{__LINE__, "/usr/bin/python3.11", "python"},
		{__LINE__, "perl", "perl"},
		{__LINE__, "./ruby", "ruby"},
		{__LINE__, "/python/ls", NULL},
		{__LINE__, "pytho", NULL},
		{__LINE__, "/no/such/program", NULL},
	};

	(void)state;
	unsetenv("PYTHONHASHSEED");
	unsetenv("PERL_HASH_SEED");
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		char command[64];
		char *const argv[] = {command, NULL};

		snprintf(command, sizeof command, "%s", t[i].command);
		same(interpreter_of(argv), t[i].want, t[i].line);
	}
}

/* A seed in the environment is fixed, unless it is the word "random". */
static void test_fixed(void **state)
{
	char python[] = "python3", ruby[] = "ruby";
	char *const a[] = {python, NULL}, *const b[] = {ruby, NULL};

	(void)state;
	setenv("PYTHONHASHSEED", "0", 1);
	same(interpreter_of(a), NULL, __LINE__);
	setenv("PYTHONHASHSEED", "random", 1);
	same(interpreter_of(a), "python", __LINE__);
	setenv("PYTHONHASHSEED", "", 1);
	same(interpreter_of(a), "python", __LINE__);
	unsetenv("PYTHONHASHSEED");
	same(interpreter_of(b), "ruby", __LINE__);
}

static void test_scripts(void **state)
{
	static const struct {
		int line;
		const char *text, *want;
	} t[] = {
		{__LINE__, "#!/usr/bin/perl -w\n", "perl"},
		{__LINE__, "#!/usr/bin/env -S python3 -u\n", "python"},
		{__LINE__, "#! /usr/bin/env\truby", "ruby"},
		{__LINE__, "#!/bin/sh\n# perl\n", NULL},
		{__LINE__, "#!\n", NULL},
		{__LINE__, "perl", NULL},
		{__LINE__, "", NULL},
	};
	char path[] = "/tmp/interpreter.XXXXXX";
	char *const argv[] = {path, NULL};
	const int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, 0700), 0);
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		const size_t n = strlen(t[i].text);

		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, t[i].text, n, 0), n);
		same(interpreter_of(argv), t[i].want, t[i].line);
	}
	close(fd);
	unlink(path);
}

static void test_hint(void **state)
{
	static const struct {
		int line;
		const char *interpreter, *want;
	} t[] = {
		{__LINE__, "perl",
		 "the counts differ in each run, as perl draws a seed for its hashes: "
		 "PERL_HASH_SEED=0 in the environment fixes it, as does --reproducible"},
		{__LINE__, "ruby",
		 "the counts differ in each run, as ruby draws a seed for its hashes: "
		 "--reproducible fixes it"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		struct textbuf b = {0};

		interpreter_put_hint(&b, t[i].interpreter);
		char *text = textbuf_end(&b);
		same(text, t[i].want, t[i].line);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_hint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
