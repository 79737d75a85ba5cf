#include "suite/tell/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "table/synonyms.h"
#include "table/table.h"

#define NONE  WORDS_NONE
#define TITLE WORDS_TITLE
#define NAME  WORDS_NAME
#define EXACT WORDS_EXACT

static const struct {
	int line;
	const char *words, *name, *title;
	enum words_fit fit;
	int inside;
} cases[] = {
	{__LINE__, "cache misses", "cache-misses", NULL, EXACT, 0},
	{__LINE__, "Cache MISS", "cache-misses", NULL, EXACT, 0},
	{__LINE__, "misses cache", "cache-misses", NULL, NAME, 0},
	{__LINE__, "cache", "cache-misses", NULL, NAME, 0},
	{__LINE__, "page fault", "page-faults", NULL, EXACT, 0},
	{__LINE__, "page_faults", "page-faults", NULL, EXACT, 0},
	{__LINE__, "faults", "page-faults", NULL, NAME, 0},
	{__LINE__, "page fault", "major-faults", "Page faults with I/O", TITLE, 0},
	{__LINE__, "page fault disk", "major-faults", "Page faults with I/O", NONE, 0},
	{__LINE__, "branches", "branch-misses", "Mispredicted branches", NAME, 0},
	{__LINE__, "tlb", "dTLB-load-misses", "Data TLB load misses", NAME, 1},
	{__LINE__, "tlb miss", "dTLB-load-misses", NULL, NAME, 1},
	{__LINE__, "l1 dcache", "L1-dcache-loads", NULL, NAME, 0},
	/* an ending that is no plural */
	{__LINE__, "bus", "bubble", NULL, NONE, 0},
	{__LINE__, "miss", "mis-sent", NULL, NONE, 0},
	{__LINE__, "cs", "context", "c", NONE, 0},
	{__LINE__, "retries", "BUS_RETRY", NULL, NAME, 0},
	/* synonyms are whole words */
	{__LINE__, "float", "PAPI_fp_ins", "FP instructions", NAME, 0},
	{__LINE__, "floating point", "x", "FP instructions", TITLE, 0},
	{__LINE__, "float", "fpga", NULL, NONE, 0},
	{__LINE__, "syscalls", "x", "system call instructions", TITLE, 0},
	{__LINE__, "syscall", "x", "system calls", TITLE, 0},
	{__LINE__, "stall", "BE_EXE_BUBBLE_ALL", "Execution bubbles", NAME, 0},
	/* patterns are for names */
	{__LINE__, "page-*", "page-faults", NULL, NAME, 0},
	{__LINE__, "PAGE-*", "page-faults", NULL, NAME, 0},
	{__LINE__, "age-*", "page-faults", NULL, NONE, 0},
	{__LINE__, "page-* fault", "page-faults", NULL, EXACT, 0},
	{__LINE__, "Page*", "faults", "Page faults", NONE, 0},
	/* other names */
	{__LINE__, "sched:switch", "sched:sched_switch", NULL, NAME, 0},
	{__LINE__, "sched:", "sched:sched_switch", NULL, NAME, 0},
	{__LINE__, "sched:", "sched16", "sched x", NONE, 0},
	{__LINE__, ":", "sched:sched_switch", "x", NAME, 0},
	{__LINE__, ":", "page-faults", "x : y", NONE, 0},
	{__LINE__, "é", "x", "é", TITLE, 0},
	{__LINE__, "", "page-faults", NULL, NAME, 0},
	{__LINE__, " \t ", "page-faults", NULL, NAME, 0},
};

static void finds(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct words *w = words_new(1, &cases[i].words);
		int inside;

		assert_non_null(w);
		const enum words_fit fit =
			words_find(w, cases[i].name, cases[i].title, &inside);
		if (fit != cases[i].fit || (fit && inside != cases[i].inside))
			fail_msg("line %d: %d, %d", cases[i].line, (int)fit, inside);
		words_free(w);
	}
}

static void takes_many_texts(void **state)
{
	const char *const text[] = {"load", " a  b ", "misses", "cache", "data"};
	struct words *w = words_new(5, text), *none = words_new(0, NULL);
	int inside;

	(void)state;
	assert_int_equal(words_find(w, "L1-dcache-load-misses", "a b", &inside), NONE);
	assert_int_equal(words_find(w, "L1-dcache-load-misses", "a b data", &inside),
			 TITLE);
	assert_false(words_are_none(w));
	assert_null(words_name(w));
	assert_true(words_are_none(none));
	assert_null(words_name(none));
	words_free(w);
	words_free(none);
	words_free(NULL);
}

/* A word that is longer than any name has no effect but that it is not found. */
static void survives_long_words(void **state)
{
	char *text = malloc(100000);
	int inside;

	(void)state;
	memset(text, 'a', 99999);
	text[99999] = '\0';
	for (size_t i = 7; i < 99999; i += 8)
		text[i] = i % 16 == 7 ? '-' : 'b';
	struct words *w = words_new(1, (const char *const *)&text);
	assert_int_equal(words_find(w, "page-faults", text, &inside), TITLE);
	assert_int_equal(words_find(w, "page-faults", "title", &inside), NONE);
	words_free(w);
	text[50000] = ':';
	w = words_new(1, (const char *const *)&text);
	assert_false(words_match_group(w, "sched:sched_switch"));
	words_free(w);
	free(text);
}

static const struct {
	int line;
	const char *words, *tracepoint;
	int matches, has_group;
	const char *name;
} groups[] = {
	{__LINE__, "sched:", "sched:sched_switch", 1, 1, "sched:"},
	{__LINE__, "Sched:x", "sched:sched_switch", 1, 0, "Sched:x"},
	{__LINE__, "sch*:x", "sched:sched_switch", 1, 1, NULL},
	{__LINE__, "sch:", "sched:sched_switch", 0, 1, "sch:"},
	{__LINE__, "sched", "sched:sched_switch", 0, 0, "sched"},
	{__LINE__, "us3::EC", "sched:sched_switch", 0, 0, "us3::EC"},
	{__LINE__, ":x", "sched:sched_switch", 0, 0, ":x"},
	{__LINE__, "a sched:", "sched:sched_switch", 1, 1, NULL},
};

static void knows_tracepoints(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
		struct words *w = words_new(1, &groups[i].words);
		const char *name = words_name(w);

		if (words_match_group(w, groups[i].tracepoint) != groups[i].matches ||
		    words_have_group(w) != groups[i].has_group ||
		    strcmp(name ? name : "-", groups[i].name ? groups[i].name : "-") != 0)
			fail_msg("line %d", groups[i].line);
		words_free(w);
	}
}

/* Is there an event that has the word by this synonym? */
static int is_used(const struct synonym *s)
{
	struct words *w = words_new(1, &s->means);
	int inside, used = 0;

	for (unsigned t = 0; evtabs[t]; t++)
		for (unsigned i = 0; i < evtabs[t]->n && !used; i++) {
			const struct event *e = &evtabs[t]->ev[i];

			used = words_find(w, e->name, e->title, &inside) != WORDS_NONE &&
			       !inside;
		}
	for (unsigned i = 0; i < SIM_NVOCAB && !used; i++)
		used = words_find(w, sim_vocab[i].name, sim_vocab[i].means, &inside) &&
		       !inside;
	words_free(w);
	return used;
}

static void synonyms_occur(void **state)
{
	(void)state;
	for (const struct synonym *s = synonyms; s->word; s++)
		if (!is_used(s))
			fail_msg("%s: no event has '%s'", s->word, s->means);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds),
		cmocka_unit_test(takes_many_texts),
		cmocka_unit_test(survives_long_words),
		cmocka_unit_test(knows_tracepoints),
		cmocka_unit_test(synonyms_occur),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
