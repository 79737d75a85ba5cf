/* When values of repeated runs are not to be trusted, and the words for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "suite/series/interpreter.h"
#include "suite/series/warnings.h"

enum { MOST = 24 };

static const struct runs_event elapsed[] = {{.name = "elapsed", .unit = "ns"}};
static const struct runs_event count[] = {{.name = "insn", .kind = RUNS_COUNT}};

static struct runs make(const struct runs_event *e, const uint64_t *value, size_t n)
{
	struct runs s = {.command = "x", .nevents = 1, .event = e};
	const cpc_class_t exact = CPC_EXACT;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(runs_add(&s, &value[i], &exact), 0);
	return s;
}

/* Returns the names of the warnings, with a blank behind each. */
static char *names(const struct runs *s, const struct warnings_facts *facts, int pairs)
{
	struct warnings w = {0};
	struct textbuf b = {0};

	assert_int_equal(warnings_find(&w, s, facts, pairs), 0);
	for (size_t i = 0; i < w.n; i++) {
		textbuf_str(&b, warnings_name(w.list[i].id));
		textbuf_char(&b, ' ');
	}
	warnings_free(&w);
	return textbuf_end(&b);
}

static void check(unsigned line, const struct runs *s, const struct warnings_facts *facts,
		  int pairs, const char *want)
{
	char *got = names(s, facts, pairs);

	if (strcmp(got, want) != 0)
		fail_msg("line %u: '%s', not '%s'", line, got, want);
	free(got);
}

static void test_too_few(void **state)
{
	static const uint64_t v[] = {100, 101, 99, 100, 102, 98, 100, 101};
	const struct warnings_facts at_99 = {.alpha = 0.01};
	struct runs s = make(elapsed, v, 5), c = make(count, v, 2);

	(void)state;
	check(__LINE__, &s, NULL, 0, "too few ");
	s.n = 0;
	check(__LINE__, &s, NULL, 0, "");
	runs_free(&s);
	s = make(elapsed, v, 7);
	check(__LINE__, &s, NULL, 0, "");
	check(__LINE__, &s, &at_99, 1, "too few ");
	check(__LINE__, &c, NULL, 0, "too few ");
	runs_free(&s);
	runs_free(&c);
	c = make(count, v, 3);
	check(__LINE__, &c, NULL, 0, "");
	runs_free(&c);
}

/* Values that rise, in blocks of 6 that are alike, with outliers: not said of pairs. */
static void test_values(void **state)
{
	uint64_t rising[MOST], outliers[MOST];
	struct runs s;

	(void)state;
	for (unsigned i = 0; i < MOST; i++) {
		rising[i] = 1000 + 10 * i;
		outliers[i] = i % 8 == 3 ? 9000 : 1000 + i * 7 % 5;
	}
	s = make(elapsed, rising, MOST);
	check(__LINE__, &s, NULL, 0, "drift bursts ");
	check(__LINE__, &s, NULL, 1, "");
	runs_free(&s);
	s = make(elapsed, outliers, MOST);
	check(__LINE__, &s, NULL, 0, "outliers ");
	runs_free(&s);
}

static void test_shared(void **state)
{
	static const struct {
		unsigned line;
		uint64_t usual, late; /* elapsed time, of which 100 are processor time */
		unsigned every;	      /* so many runs, one is late */
		const char *want;
	} cases[] = {
		{__LINE__, 105, 140, 5, "outliers shared "},
		{__LINE__, 105, 120, 5, "outliers "},
		{__LINE__, 105, 140, 20, ""},
		{__LINE__, 200, 300, 5, "outliers "}, /* it waits for something else */
		{__LINE__, 50, 80, 5, "outliers "},   /* it has two threads */
	};
	uint64_t cpu[20], v[20];

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (unsigned k = 0; k < 20; k++) {
			cpu[k] = 100;
			v[k] = k % cases[i].every == 1 ? cases[i].late
						       : cases[i].usual + k * 7 % 3;
		}
		struct runs s = make(elapsed, v, 20);
		const struct warnings_facts facts = {.cpu_ns = cpu};

		check(cases[i].line, &s, &facts, 0, cases[i].want);
		cpu[3] = 0;
		check(cases[i].line, &s, &facts, 1, "");
		runs_free(&s);
	}
}

static void test_stolen(void **state)
{
	static const struct {
		unsigned line;
		const char *before, *after;
		double want;
	} cases[] = {
		{__LINE__, "cpu  10 0 10 80 0 0 0 0 0 0\ncpu0 1\n",
		 "cpu  20 0 20 150 0 0 0 10 0 0\n", 0.1},
		{__LINE__, "cpu  1 1 1 1 1 1 1 1", "cpu  1 1 1 1 1 1 1 1", 0},
		{__LINE__, "cpu  1 1 1 1 1 1 1 9", "cpu  9 1 1 9 1 1 1 1", 0},
		{__LINE__, "", "cpu  9 1 1 9 1 1 1 1", 0},
		{__LINE__, "cpu  9 1 1 9 1 1 1 1", "x", 0},
	};
	static const uint64_t v[] = {1, 1, 1, 1, 1, 1};
	const struct warnings_facts facts = {.stolen = 0.011};
	struct runs s = make(elapsed, v, 6), simulated = make(count, v, 6);

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const double got = warnings_stolen(cases[i].before, cases[i].after);

		if (got < cases[i].want - 1e-9 || got > cases[i].want + 1e-9)
			fail_msg("line %u: %g", cases[i].line, got);
	}
	check(__LINE__, &s, &facts, 1, "steal ");
	check(__LINE__, &simulated, &facts, 1, "");
	runs_free(&s);
	runs_free(&simulated);
}

static void test_words(void **state)
{
	static const struct {
		unsigned line;
		struct warning warning;
		const char *want;
	} cases[] = {
		{__LINE__,
		 {WARNING_TOO_FEW, NULL},
		 "1 run is too few to tell what varies: it takes 8"},
		{__LINE__,
		 {WARNING_DRIFT, "a\033"},
		 "a?: the values drift from the first run to the last"},
		{__LINE__,
		 {WARNING_STEAL, NULL},
		 "the host of this virtual machine took 2.5 % of the processor time: "
		 "times vary with it"},
		{__LINE__,
		 {WARNING_SEED, "insn"},
		 "insn: the counts differ in each run, as perl draws a seed for its "
		 "hashes: PERL_HASH_SEED=0 in the environment fixes it, as does "
		 "--reproducible"},
	};
	static const uint64_t v[] = {1};
	const struct warnings_facts facts = {
		.alpha = 0.01, .stolen = 0.025, .interpreter = "perl"};
	struct runs s = make(elapsed, v, 1);

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct textbuf b = {0};

		warnings_put(&b, &cases[i].warning, &s, &facts);
		char *text = textbuf_end(&b);
		if (strcmp(text, cases[i].want) != 0)
			fail_msg("line %u: '%s'", cases[i].line, text);
		free(text);
	}
	runs_free(&s);
}

static void is_of(unsigned line, const char *program, const char *want)
{
	const char *got = interpreter_of((char *[]){(char *)program, NULL});

	if (got != want && (!got || !want || strcmp(got, want) != 0))
		fail_msg("line %u: %s", line, got ? got : "none");
}

static void test_interpreter(void **state)
{
	static const struct {
		unsigned line;
		const char *first, *want;
	} scripts[] = {
		{__LINE__, "#!/usr/bin/perl -w\n", "perl"},
		{__LINE__, "#! /usr/bin/env -S python3 -I\nimport x\n", "python"},
		{__LINE__, "#!/usr/bin/env ruby", "ruby"},
		{__LINE__, "#!/bin/sh\nperl\n", NULL},
		{__LINE__, "perl\n", NULL},
	};
	char path[] = "/tmp/script.XXXXXX";
	const int fd = mkstemp(path);

	(void)state;
	unsetenv("PYTHONHASHSEED");
	unsetenv("PERL_HASH_SEED");
	assert_int_equal(fchmod(fd, 0700), 0);
	for (unsigned i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		const size_t n = strlen(scripts[i].first);

		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, scripts[i].first, n, 0), n);
		is_of(scripts[i].line, path, scripts[i].want);
	}
	close(fd);
	unlink(path);
	is_of(__LINE__, "/no/python3.11", "python");
	is_of(__LINE__, "ruby", "ruby");
	is_of(__LINE__, "/no/such", NULL);
	setenv("PYTHONHASHSEED", "0", 1);
	is_of(__LINE__, "python", NULL);
	setenv("PYTHONHASHSEED", "random", 1);
	is_of(__LINE__, "python", "python");
}

/* Only counts that differ in each run have the hint, and only of an interpreter. */
static void test_seed(void **state)
{
	static const uint64_t differ[] = {1, 2, 3, 4, 5}, few[] = {1, 1, 2, 1, 1};
	const struct warnings_facts perl = {.interpreter = "perl"};
	struct runs s = make(count, differ, 5), t = make(count, few, 5);

	(void)state;
	check(__LINE__, &s, &perl, 0, "seed ");
	check(__LINE__, &s, &perl, 1, "seed ");
	check(__LINE__, &s, NULL, 0, "");
	check(__LINE__, &t, &perl, 0, "");
	runs_free(&s);
	runs_free(&t);
}

/* What was saved is said without the facts, which no file has. */
static void test_saved(void **state)
{
	static const struct {
		unsigned line;
		const char *name, *event, *want;
	} cases[] = {
		{__LINE__, "drift", "insn",
		 "insn: the values drift from the first run to the last"},
		{__LINE__, "too few", NULL,
		 "7 runs are too few to tell what varies: it takes 8"},
		{__LINE__, "steal", NULL,
		 "the host of this virtual machine took processor time: times vary with "
		 "it"},
		{__LINE__, "seed", "insn",
		 "insn: the counts differ in each run, as with a random seed for hashes; "
		 "--reproducible fixes it"},
		{__LINE__, "shared", NULL,
		 "the command waited for a CPU in a tenth of the runs or more: other "
		 "programs compute at the same time"},
		{__LINE__, "of a later version", NULL, NULL},
	};
	static const uint64_t v[7];
	struct runs s = make(count, v, 7);

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct warnings w = {0};
		struct textbuf b = {0};

		assert_int_equal(warnings_add(&w, cases[i].name, cases[i].event), 0);
		if (w.n != (cases[i].want != NULL))
			fail_msg("line %u: %zu warnings", cases[i].line, w.n);
		if (w.n)
			warnings_put(&b, &w.list[0], &s, NULL);
		char *text = textbuf_end(&b);
		if (w.n && strcmp(text, cases[i].want) != 0)
			fail_msg("line %u: '%s'", cases[i].line, text);
		free(text);
		warnings_free(&w);
	}
	runs_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_few), cmocka_unit_test(test_values),
		cmocka_unit_test(test_shared),	cmocka_unit_test(test_stolen),
		cmocka_unit_test(test_words),	cmocka_unit_test(test_interpreter),
		cmocka_unit_test(test_seed),	cmocka_unit_test(test_saved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
