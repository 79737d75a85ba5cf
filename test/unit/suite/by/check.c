/* What is missing among joined runs, in sentences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/by/check.h"

/* Keeps the sentences, each with a bar behind it. */
static void keep(void *arg, const char *text)
{
	records_put(arg, 2048, "%s|", text);
}

#define EACH(n) sizeof(n) / sizeof *(n)

static const struct {
	int line;
	struct by_rank rank[12]; /* those with a size of 0 are none */
	int incomplete;
	const char *want;
} jobs[] = {
	{__LINE__, {{0}}, 0, ""},
	{__LINE__, {{1, 0, 1}}, 0, ""},
	/* Without a size none is missing. */
	{__LINE__, {{1, 3, -1}, {1, 7, -1}}, 0, ""},
	{__LINE__, {{1, 1, 2}}, 1, "1 of 2 ranks has no run: 0|"},
	{__LINE__, {{1, 0, 3}}, 1, "2 of 3 ranks have no run: 1-2|"},
	/* In any order, twice, and beyond the size. */
	{__LINE__,
	 {{1, 5, 4}, {1, 2, 4}, {1, 2, 4}, {1, 0, 4}},
	 1,
	 "2 of 4 ranks have no run: 1, 3|"},
	/* The largest size of the job holds. */
	{__LINE__,
	 {{1, 0, 2}, {1, 1, 5}, {1, 2, -1}},
	 1,
	 "2 of 5 ranks have no run: 3-4|"},
	/* Each job is judged by itself. */
	{__LINE__,
	 {{UINT64_MAX, 0, 2}, {1, 1, 2}, {UINT64_MAX, 1, 2}},
	 1,
	 "1 of 2 ranks has no run: 0|"},
	{__LINE__,
	 {{1, 0, 2}, {2, 1, 2}},
	 2,
	 "1 of 2 ranks has no run: 1|1 of 2 ranks has no run: 0|"},
	/* A number of ranks that no memory could hold. */
	{__LINE__,
	 {{1, 4294967294, 4294967295}},
	 1,
	 "4294967294 of 4294967295 ranks have no run: 0-4294967293|"},
	/* At most 10 parts are listed. */
	{__LINE__,
	 {{1, 1, 24},
	  {1, 3, 24},
	  {1, 5, 24},
	  {1, 7, 24},
	  {1, 9, 24},
	  {1, 11, 24},
	  {1, 13, 24},
	  {1, 15, 24},
	  {1, 17, 24},
	  {1, 19, 24}},
	 1,
	 "14 of 24 ranks have no run: 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, ...|"},
};

static void ranks_without_a_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < EACH(jobs); i++) {
		struct by b = {.kind = BY_RANK};
		char text[2048] = "";

		while (b.ranks < EACH(jobs[i].rank) && jobs[i].rank[b.ranks].size)
			b.ranks++;
		b.rank = malloc(sizeof jobs[i].rank);
		assert_non_null(b.rank);
		memcpy(b.rank, jobs[i].rank, sizeof jobs[i].rank);
		const int incomplete = by_check(&b, keep, text);
		if (incomplete != jobs[i].incomplete || strcmp(text, jobs[i].want) != 0)
			fail_msg("line %d: %d, \"%s\"", jobs[i].line, incomplete, text);
		by_free(&b);
	}
}

static const struct {
	int line;
	enum by_problem problem;
	unsigned n;
	const char *label, *path;
	int incomplete;
	const char *want;
} found[] = {
	{__LINE__, BY_KILLED, 1, NULL, "f", 1,
	 "1 run has no last record: it was killed, or goes on (in 'f')|"},
	{__LINE__, BY_KILLED, 2, NULL, "a\033[31m\n", 1,
	 "2 runs have no last record: they were killed, or go on (the first one in "
	 "'a?[31m?')|"},
	{__LINE__, BY_PROVISIONAL, 4000000000, NULL, "", 1,
	 "4000000000 runs have only a provisional report: they were killed, or go on "
	 "(the first one in '')|"},
	{__LINE__, BY_KEYLESS, 1, NULL, "f", 1,
	 "1 run is left out, because it has no rank (in 'f')|"},
	{__LINE__, BY_KEYLESS, 2, "a\tb", "f", 1,
	 "2 runs are left out, because they have no label 'a?b' (the first one in 'f')|"},
	{__LINE__, BY_TWICE, 1, NULL, "f", 0,
	 "1 run came a second time and is counted once (in 'f')|"},
	{__LINE__, BY_SHARED, 3, NULL, "f", 0,
	 "3 runs are of ranks that have other runs: their counts are added (the first "
	 "one in 'f')|"},
	{__LINE__, BY_SERIES, 1, NULL, "f", 1,
	 "1 run has repeated runs of a key that has others: medians cannot be added, "
	 "and the first ones are taken (in 'f')|"},
	{__LINE__, BY_ORPHANS, 1, NULL, "f", 1,
	 "1 record is left out, because the first record of its run is not in the file "
	 "before it (in 'f')|"},
};

static void problems(void **state)
{
	(void)state;
	for (size_t i = 0; i < EACH(found); i++) {
		struct by b = {.kind = found[i].label ? BY_LABEL : BY_RANK,
			       .label = found[i].label};
		char text[2048] = "";

		by_find(&b, found[i].problem, found[i].path);
		b.found[found[i].problem].n = found[i].n;
		const int incomplete = by_check(&b, keep, text);
		if (incomplete != found[i].incomplete || strcmp(text, found[i].want) != 0)
			fail_msg("line %d: %d, \"%s\"", found[i].line, incomplete, text);
		by_free(&b);
	}
}

/* The path of the first file counts, as far as there is room for it. */
static void the_first_file_is_named(void **state)
{
	struct by b = {.kind = BY_RANK};
	char path[1000];

	(void)state;
	memset(path, 'p', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	by_find(&b, BY_TWICE, path);
	by_find(&b, BY_TWICE, "second");
	assert_int_equal(b.found[BY_TWICE].n, 2);
	assert_int_equal(strlen(b.found[BY_TWICE].path), sizeof b.found[0].path - 1);
	assert_int_equal(b.found[BY_TWICE].path[0], 'p');
	by_free(&b);
}

struct given {
	unsigned key;
	uint64_t value;
	cpc_class_t quality;
};

static const struct {
	int line;
	const char *event;
	struct given given[4];
	unsigned n, keys;
	int incomplete;
	const char *want;
} values[] = {
	{__LINE__, "e", {{0, 1, CPC_EXACT}, {1, 2, CPC_EXACT}}, 2, 2, 0, ""},
	{__LINE__, "e", {{0, 1, CPC_EXACT}}, 1, 3, 1, "e: 2 of 3 hosts have none|"},
	{__LINE__,
	 "e",
	 {{1, 1, CPC_EXACT}, {0, 0, CPC_UNAVAILABLE}},
	 2,
	 2,
	 1,
	 "e: 1 of 2 hosts has none|"},
	{__LINE__, "e", {{0, 0, CPC_UNAVAILABLE}}, 1, 1, 1, "e: 1 of 1 hosts has none|"},
	{__LINE__,
	 "e\r\n",
	 {{0, 1, CPC_EXACT}, {1, 2, CPC_APPROXIMATE}, {2, 3, CPC_EXACT}},
	 3,
	 3,
	 1,
	 "e??: the values have different classes; the worst is approximate|"},
	{__LINE__,
	 "e",
	 {{0, UINT64_MAX, CPC_EXACT}, {0, UINT64_MAX, CPC_SIMULATED}},
	 2,
	 2,
	 1,
	 "e: 1 of 2 hosts has none|"},
	{__LINE__,
	 "e",
	 {{0, 1, CPC_EXACT}, {1, 1, CPC_SIMULATED}},
	 2,
	 3,
	 2,
	 "e: 1 of 3 hosts has none|e: the values have different classes; the worst is "
	 "simulated|"},
};

static void classes_and_gaps(void **state)
{
	(void)state;
	for (size_t i = 0; i < EACH(values); i++) {
		const char *const field[VALUES_FIELDS] = {
			values[i].event, "", "", "kernel", "", "tree", "", ""};
		struct by b = {.kind = BY_HOST};
		char text[2048] = "", key[] = "0";
		unsigned row = 0, number;

		for (; *key < '0' + (char)values[i].keys; ++*key)
			assert_int_equal(values_key(&b.values, key, &number), 0);
		assert_int_equal(values_row(&b.values, field, &row), 0);
		for (unsigned k = 0; k < values[i].n; k++) {
			const struct given *g = &values[i].given[k];

			assert_int_equal(values_add(&b.values, row, g->key,
						    (values_number)g->value, g->quality),
					 0);
		}
		const int incomplete = by_check(&b, keep, text);
		if (incomplete != values[i].incomplete ||
		    strcmp(text, values[i].want) != 0)
			fail_msg("line %d: %d, \"%s\"", values[i].line, incomplete, text);
		by_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_without_a_run),
		cmocka_unit_test(problems),
		cmocka_unit_test(the_first_file_is_named),
		cmocka_unit_test(classes_and_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
