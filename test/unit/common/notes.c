/* Notes about values that are not exact counts. */
#include "common/notes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const event[] = {"cycles", "page-faults"};
static const char *const how[] = {"as ~cycles", NULL};
static const struct row_set set = {.n = 2, .event = event, .note = how};
static const struct row_set *const sets[] = {&set};

static const cpc_value_t counted = {5, 5, 10, 10, CPC_EXACT};
static const cpc_value_t absent = {.quality = CPC_UNAVAILABLE};

/* Put what notes_print() writes into text, which has size bytes. Returns its result. */
static int print(const struct notes *n, int simulated, char *text, size_t size)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	fflush(stderr);
	const int before = dup(STDERR_FILENO);
	assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
	const int inexact = notes_print(n, simulated);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	close(ends[1]);
	const ssize_t len = read(ends[0], text, size - 1);
	close(ends[0]);
	assert_true(len >= 0);
	text[len] = '\0';
	return inexact;
}

/* Of each event: rows with and without a value; what is known; and the notes. */
static const struct {
	int line;
	unsigned counted[2], absent[2];
	const char *uncounted, *why_absent;
	int simulated, inexact;
	const char *note[3];
} cases[] = {
	{__LINE__, {0, 2}, {0, 0}, NULL, "no counter", 0, 0, {NULL}},
	{__LINE__,
	 {2, 2},
	 {0, 1},
	 NULL,
	 "CPU 3 came online later",
	 0,
	 1,
	 {"cycles: counted as ~cycles",
	  "page-faults: not counted in 1 of 3 rows: CPU 3 came online later"}},
	{__LINE__,
	 {0, 2},
	 {1, 0},
	 NULL,
	 "CPU 3 came online later",
	 0,
	 1,
	 {"cycles: not counted in 1 of 1 rows: CPU 3 came online later"}},
	{__LINE__,
	 {1, 0},
	 {2, 2},
	 NULL,
	 NULL,
	 0,
	 1,
	 {"cycles: not counted in 2 of 3 rows, counted as ~cycles: the kernel found no "
	  "counters for it then",
	  "cycles: counted as ~cycles",
	  "page-faults: not counted: the kernel never found counters for it; ask for "
	  "fewer events in its set"}},
	{__LINE__,
	 {0, 2},
	 {2, 1},
	 "the kernel does not count set-id programs",
	 "no counter",
	 1,
	 1,
	 {"cycles: not counted: the kernel does not count set-id programs",
	  "page-faults: not counted: the kernel does not count set-id programs"}},
	{__LINE__,
	 {0, 2},
	 {0, 1},
	 NULL,
	 "no counter",
	 1,
	 1,
	 {"page-faults: not counted in 1 of 3 rows: the program ran without the "
	  "simulator"}},
};

static void add(struct notes *n, unsigned i, unsigned rows, const cpc_value_t *value)
{
	while (rows-- > 0)
		notes_add_one(n, 0, i, value);
}

static void notes_name_what_is_missing(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct notes *n = notes_new(sets, 1);
		char want[1024] = "", got[1024];
		size_t len = 0;

		assert_non_null(n);
		for (unsigned k = 0; k < 2; k++) {
			add(n, k, cases[i].counted[k], &counted);
			add(n, k, cases[i].absent[k], &absent);
		}
		n->uncounted = cases[i].uncounted;
		n->absent = cases[i].why_absent;
		for (unsigned k = 0; k < 3 && cases[i].note[k]; k++)
			len += (size_t)snprintf(want + len, sizeof want - len, "%s: %s\n",
						program_invocation_short_name,
						cases[i].note[k]);
		const int inexact = print(n, cases[i].simulated, got, sizeof got);
		if (inexact != cases[i].inexact || strcmp(got, want) != 0)
			fail_msg("line %d: %d, \"%s\"", cases[i].line, inexact, got);
		notes_free(n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_name_what_is_missing),
	};

	return cmocka_run_group_tests_name("common/notes", tests, NULL, NULL);
}
