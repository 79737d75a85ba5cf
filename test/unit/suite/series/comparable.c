/* Which saved runs can be compared with new ones, and what is said about the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "suite/series/comparable.h"

static const struct runs_event two[] = {{.name = "instructions", .mode = "user"},
					{.name = "branches", .mode = "user"}};
static const struct runs_event sys[] = {{.name = "instructions", .mode = "sys"},
					{.name = "branches", .mode = "user"}};
static const struct runs_event unknown[] = {{.name = "branches"},
					    {.name = "instructions"}};
static const struct runs both = {.command = "./p 1", .nevents = 2, .event = two};
static const struct runs in_sys = {.command = "./p 1", .nevents = 2, .event = sys};
static const struct runs one = {.command = "./p 1", .nevents = 1, .event = two};
static const struct runs other = {.command = "./p 2", .nevents = 2, .event = two};
static const struct runs no_mode = {.command = "./p 1", .nevents = 2, .event = unknown};

#define FACTS(start, cwd, hash)                                         \
	{                                                               \
		.start_bytes = start, .cwd_bytes = cwd, .program = hash \
	}

static const struct comparable now = {.engine = "sim",
				      .model = "r10000",
				      .version = "2.0",
				      .processor = "P",
				      .runs = &both,
				      .facts = FACTS(100, 10, "0123456789abcdef")};

static void test_check(void **state)
{
	static const struct {
		unsigned line;
		struct comparable was;
		const char *why;
	} cases[] = {
		{__LINE__, {"sim", "r10000", NULL, "1.0", "Q", &both, {0}}, ""},
		{__LINE__, {"sim", "r10000", NULL, NULL, NULL, &no_mode, {0}}, ""},
		{__LINE__,
		 {"kernel", NULL, NULL, "2.0", "P", &both, {0}},
		 "its engine is 'kernel', now it is 'sim'"},
		{__LINE__,
		 {"sim", "r10000:0123456789abcdef", NULL, "2.0", "P", &both, {0}},
		 "its model is 'r10000:0123456789abcdef', now it is 'r10000'"},
		{__LINE__,
		 {"sim", "r10000", "v2", "2.0", "P", &both, {0}},
		 "its --reproducible is 'v2', now it is 'none'"},
		{__LINE__,
		 {"sim", "r10000", NULL, "2.0", "P", &other, {0}},
		 "its command is './p 2', now it is './p 1'"},
		{__LINE__,
		 {"sim", "r10000", NULL, "2.0", "P", &one, {0}},
		 "the event 'branches' (user) was not counted then"},
		{__LINE__,
		 {"sim", "r10000", NULL, "2.0", "P", &in_sys, {0}},
		 "its event 'instructions' (sys) is not counted now"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct textbuf b = {0};
		const int rc = comparable_check(&cases[i].was, &now, &b);
		char *text = textbuf_end(&b);

		if (strcmp(text, cases[i].why) != 0 || rc != (*text ? -1 : 0))
			fail_msg("line %u: %d '%s'", cases[i].line, rc, text);
		free(text);
	}
}

static void test_notes(void **state)
{
	static const struct {
		unsigned line;
		int gated;
		struct facts facts;
		const char *version, *processor, *notes;
	} cases[] = {
		{__LINE__, 0, FACTS(100, 10, "0123456789abcdef"), "2.0", "Q", ""},
		{__LINE__, 0, FACTS(-1, -1, ""), NULL, NULL, ""},
		{__LINE__, 0, FACTS(100, 10, "0"), "2.0", "P",
		 "the file of the program is not that of 'f': a build that is meant to "
		 "be the same can differ by its compiler, options and the order of its "
		 "parts\n"},
		/* Limits are there to judge another build. */
		{__LINE__, 1, FACTS(100, 10, "0"), "2.0", "P", ""},
		{__LINE__, 1, FACTS(100, 10, "0"), "1.0", "P",
		 "'f' was made by version '1.0', and this is '2.0': counts differ if the "
		 "model has changed since\n"},
		{__LINE__, 0, FACTS(101, 9, ""), "2.0", "P",
		 "the arguments and the environment have 100 bytes now and 101 in 'f': "
		 "this alone can change instructions by 0.05 %, cycles by 0.2 %, "
		 "mispredicted branches by 0.5 %, cache misses by 1 % and TLB misses by "
		 "3 %\n"
		 "the path of the working directory has 10 bytes now and 9 in 'f': this "
		 "can change the counts of a program that asks for the path by some "
		 "instructions\n"},
		{__LINE__, 0, FACTS(-1, -1, ""), "1.0", "P",
		 "'f' was made by version '1.0', and this is '2.0': counts differ if the "
		 "model has changed since\n"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct comparable was = now;
		struct textbuf b = {0};

		was.facts = cases[i].facts;
		was.version = cases[i].version;
		was.processor = cases[i].processor;
		comparable_notes(&was, &now, "f", cases[i].gated, &b);
		char *text = textbuf_end(&b);
		if (strcmp(text, cases[i].notes) != 0)
			fail_msg("line %u: '%s'", cases[i].line, text);
		free(text);
	}
}

/* Sizes do not move what the kernel counts, but another processor can. */
static void test_notes_of_the_kernel(void **state)
{
	const struct comparable here = {.processor = "P",
					.version = "2.0",
					.runs = &both,
					.facts = FACTS(1, 1, "")};
	const struct comparable was = {.processor = "Q",
				       .version = "1.0",
				       .runs = &both,
				       .facts = FACTS(2, 2, "")};
	struct textbuf b = {0};

	(void)state;
	comparable_notes(&was, &here, "f", 0, &b);
	char *text = textbuf_end(&b);
	assert_string_equal(text, "'f' was made on the processor 'Q', and this is 'P': "
				  "libraries choose functions by the processor\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_check),
					   cmocka_unit_test(test_notes),
					   cmocka_unit_test(test_notes_of_the_kernel)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
