#include "suite/tell/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_engine.h"

/* List the events of a session that have the words of text. */
static void find(struct list *l, cpc_t *cpc, const char *text, int all, int cpus)
{
	struct words *words = words_new(text ? 1 : 0, &text);
	const struct list_query q = {.words = words, .all = all, .cpus = cpus};

	assert_non_null(words);
	*l = (struct list){0};
	list_find(l, cpc, &q);
	assert_int_equal(list_end(l, &q), 0);
	words_free(words);
}

static const struct {
	int line;
	const char *cpu, *words;
	int all;
	unsigned n;
	const char *first, *last;
} cases[] = {
	/* a part of the name; case is ignored */
	{__LINE__, NULL, "own_ga", 0, 1, "own_ga", "own_ga"}, /* known, not listed */
	{__LINE__, NULL, "own_gamma", 0, 1, "own_gamma", "own_gamma"},
	{__LINE__, NULL, "own_gam", 1, 2, "own_gam", "own_gamma"},
	{__LINE__, NULL, "OWN_A", 0, 1, "own_alpha", "own_alpha"},
	{__LINE__, NULL, "wn_b", 0, 1, "own_beta", "own_beta"},
	{__LINE__, NULL, "refused", 0, 1, "refused", "refused"},
	{__LINE__, NULL, "no such name", 0, 0, NULL, NULL},
	/* words in any order, in the name and the title */
	{__LINE__, NULL, "first own", 0, 1, "own_alpha", "own_alpha"},
	{__LINE__, NULL, "fault page minor", 0, 1, "minor-faults", "minor-faults"},
	/* what cannot be counted, and is not named, only with all */
	{__LINE__, NULL, "own_*", 0, 2, "own_alpha", "own_beta"},
	{__LINE__, NULL, "own_*", 1, 3, "own_alpha", "own_gamma"},
	{__LINE__, NULL, "own_g*", 0, 1, "own_gamma", "own_gamma"},
	/* a pattern must match the whole name */
	{__LINE__, NULL, "OWN_[BG]*", 1, 2, "own_beta", "own_gamma"},
	{__LINE__, NULL, "wn_*", 1, 0, NULL, NULL},
	{__LINE__, NULL, "own_?????", 1, 2, "own_alpha", "own_gamma"},
	/* one table */
	{__LINE__, "us12", "DC_*", 0, 4, "DC_rd", "DC_wr_hit"},
	{__LINE__, "us12", "own_*", 0, 0, NULL, NULL},
	{__LINE__, "us12", "PAPI_tot_*", 0, 3, "PAPI_tot_cyc", "PAPI_tot_iis"},
	/* exact before approximate, a name before others, known before unknown ones */
	{__LINE__, NULL, "page fault", 0, 4, "page-faults", "major-faults"},
	{__LINE__, NULL, "us12::EC_ref", 0, 1, "EC_ref", "EC_ref"},
};

static void finds(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cpc_t *cpc = fake_session(cases[i].cpu);
		struct list l;

		find(&l, cpc, cases[i].words, cases[i].all, 0);
		if (l.n != cases[i].n ||
		    (l.n && (strcmp(l.entry[0].name, cases[i].first) != 0 ||
			     strcmp(l.entry[l.n - 1].name, cases[i].last) != 0)))
			fail_msg("line %d: %u names, %s to %s", cases[i].line, l.n,
				 l.n ? l.entry[0].name : "-",
				 l.n ? l.entry[l.n - 1].name : "-");
		assert_int_equal(fake.evsels, 0);
		list_free(&l);
		cpc_close(cpc);
	}
}

static const char *or_none(const char *s)
{
	return s ? s : "-";
}

/*
 * Events that are counted as named, counted by another event, refused, or fail to open.
 */
static void entries(void **state)
{
	static const struct {
		const char *name, *title, *engine, *how;
		cpc_class_t class;
	} want[] = {
		{"own_alpha", "first", "fake", "-", CPC_EXACT},
		{"own_beta", "-", "fake", "as ~own_beta", CPC_APPROXIMATE},
		{"own_gamma", "-", "-", "gamma: not here, look elsewhere",
		 CPC_UNAVAILABLE},
		{"refused", "-", "-", "refused: not here, look elsewhere",
		 CPC_UNAVAILABLE},
	};
	cpc_t *cpc = fake_session(NULL);
	struct list l;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		find(&l, cpc, want[i].name, 0, 0);
		assert_int_equal(l.n, 1);
		assert_string_equal(l.entry[0].name, want[i].name);
		assert_string_equal(l.entry[0].source, "host");
		assert_string_equal(or_none(l.entry[0].title), want[i].title);
		assert_string_equal(or_none(l.entry[0].engine), want[i].engine);
		assert_string_equal(or_none(l.entry[0].how), want[i].how);
		assert_int_equal(l.entry[0].class, want[i].class);
		list_free(&l);
	}
	find(&l, cpc, "EC_rd_hit", 0, 0);
	assert_string_equal(l.entry[0].source, "us12");
	assert_string_equal(l.entry[0].title, "External cache hits of data reads");
	list_free(&l);
	cpc_close(cpc);
}

/* The engine tries events on what the caller will count. */
static void targets(void **state)
{
	(void)state;
	for (int cpus = 0; cpus <= 1; cpus++) {
		cpc_t *cpc = fake_session(NULL);
		struct list l;

		find(&l, cpc, "own_alpha", 0, cpus);
		assert_int_equal(l.n, 1);
		assert_int_equal(fake.probed_cpus, cpus);
		list_free(&l);
		cpc_close(cpc);
	}
}

/* Is there an earlier entry, or an earlier table, with this name? */
static int is_repeated(unsigned table, const char *name)
{
	for (unsigned t = 0; t < table; t++)
		if (evtab_name(evtabs[t], name))
			return 1;
	return 0;
}

static unsigned all_names(const cpc_t *cpc)
{
	unsigned n = cpc->scope.cpu ? cpc->scope.cpu->n + cpc->scope.cpu->ngeneric : 4;

	for (unsigned t = 0; !cpc->scope.cpu && evtabs[t]; t++)
		for (unsigned i = 0; i < evtabs[t]->n; i++)
			n += !is_repeated(t, evtabs[t]->ev[i].name);
	return n;
}

/*
 * Without words only countable events are listed, each name once. Two events of the fake
 * engine cannot be counted, and its tracepoints are left out; with all, they are not.
 */
static void countable(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		cpc_t *cpc = fake_session(i == 1 ? "us3" : NULL);
		struct list l;

		fake.tracepoints = 2;
		find(&l, cpc, NULL, i == 2, 0);
		assert_int_equal(l.n, all_names(cpc) + (i == 0 ? -2 : i == 1 ? 0 : 2));
		assert_int_equal(l.more, i == 0 ? 4 : 0);
		assert_int_equal(l.tracepoints, i == 0 ? 2 : 0);
		for (unsigned k = 0; i < 2 && k < l.n; k++)
			assert_non_null(l.entry[k].engine);
		assert_int_equal(fake.evsels, 0);
		list_free(&l);
		cpc_close(cpc);
	}
}

/* Tracepoints come if a word names their group, or if nothing else has the words. */
static void tracepoints(void **state)
{
	static const struct {
		const char *words;
		unsigned n, more;
	} want[] = {
		{"own_*", 2, 3},      {"own_trace:", 2, 0}, {"own_trace:t", 1, 0},
		{"OWN_*:*one", 1, 0}, {"trace own", 2, 0},  {"us3:trace", 0, 0},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof want / sizeof want[0]; i++) {
		cpc_t *cpc = fake_session(NULL);
		struct list l;

		fake.tracepoints = 2;
		find(&l, cpc, want[i].words, 0, 0);
		if (l.n != want[i].n || l.more != want[i].more)
			fail_msg("%s: %u names, %u more", want[i].words, l.n, l.more);
		list_free(&l);
		cpc_close(cpc);
	}
}

static void append(void *arg, const char *text)
{
	strcat(arg, text);
}

/* What cannot be read is reported; of tracepoints only if they are asked for. */
static void unread(void **state)
{
	static const struct {
		const char *words, *text;
		int all;
	} want[] = {
		{"own", "x", 0},     {"own", "xx", 1},	  {"sched:", "xx", 0},
		{"mem:1:x", "x", 0}, {"us3::EC", "x", 0}, {"MEM_INST:ANY", "x", 0},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof want / sizeof want[0]; i++) {
		cpc_t *cpc = fake_session(NULL);
		struct words *words = words_new(1, &want[i].words);
		char text[16] = "";
		const struct list_query q = {.words = words,
					     .all = want[i].all,
					     .unread = append,
					     .arg = text};
		struct list l = {0};

		fake.unread = "x";
		list_find(&l, cpc, &q);
		assert_int_equal(list_end(&l, &q), 0);
		assert_string_equal(text, want[i].text);
		list_free(&l);
		words_free(words);
		cpc_close(cpc);
	}
}

/*
 * The processor that was asked for comes first: all its rows in order without words, the
 * rows that have the words otherwise; and names of other sessions are not repeated.
 */
static void first(void **state)
{
	static const struct {
		const char *words, *first;
		unsigned n;
	} want[] = {
		{NULL, "CYCLES0", 32},
		{"cache misses", "L1I_MISS", 4},
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct words *words = words_new(want[i].words ? 1 : 0, &want[i].words);
		struct list_query q = {.words = words, .all = 1, .first = 1};
		struct list l = {0};
		cpc_t *cpu = cpc_open_cpu(CPC_VER_CURRENT, "r10000", "sim");
		cpc_t *all = cpc_open_cpu(CPC_VER_CURRENT, NULL, "sim");

		list_find(&l, cpu, &q);
		q.first = 0;
		list_find(&l, all, &q);
		assert_int_equal(list_end(&l, &q), 0);
		assert_string_equal(l.entry[0].name, want[i].first);
		assert_true(l.n > want[i].n);
		for (unsigned k = 0; k < l.n; k++)
			assert_int_equal(l.entry[k].is_first, k < want[i].n);
		list_free(&l);
		words_free(words);
		cpc_close(cpu);
		cpc_close(all);
	}
}

/*
 * An event for whose trial memory or descriptors did not suffice is in the list, too,
 * with the reason.
 */
static void lacking(void **state)
{
	static const int lacks[] = {ENOMEM, EMFILE, ENFILE};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		cpc_t *cpc = fake_session(NULL);
		struct list l;

		fake.gamma_errno = lacks[i];
		find(&l, cpc, NULL, 0, 0);
		assert_int_equal(l.n, all_names(cpc) - 1);
		const struct list_entry *last = &l.entry[l.n - 1];
		assert_string_equal(last->name, "own_gamma");
		assert_null(last->engine);
		assert_string_equal(last->how, "gamma: not here, look elsewhere");
		list_free(&l);
		cpc_close(cpc);
	}
}

/* The kernel of this machine always has the software events. */
static void here(void **state)
{
	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
	struct list l;
	unsigned clocks = 0;

	(void)state;
	find(&l, cpc, NULL, 0, 0);
	assert_true(l.n >= 8);
	for (unsigned i = 0; i < l.n; i++) {
		assert_non_null(l.entry[i].engine);
		assert_true(l.entry[i].class != CPC_UNAVAILABLE);
		clocks += strcmp(l.entry[i].name, "task-clock") == 0 &&
			  strcmp(l.entry[i].source, "software") == 0;
	}
	assert_int_equal(clocks, 1);
	list_free(&l);
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds),       cmocka_unit_test(entries),
		cmocka_unit_test(targets),     cmocka_unit_test(countable),
		cmocka_unit_test(tracepoints), cmocka_unit_test(unread),
		cmocka_unit_test(first),       cmocka_unit_test(lacking),
		cmocka_unit_test(here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
