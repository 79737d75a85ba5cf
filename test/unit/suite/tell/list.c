#include "suite/tell/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_engine.h"

struct found {
	unsigned n, countable;
	struct {
		char name[64], source[32], title[64], engine[16], how[128];
		cpc_class_t class;
	} entry[32];
};

static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from ? from : "-");
}

static void note(void *arg, const struct list_entry *e)
{
	struct found *f = arg;

	if (f->n < 32) {
		copy(f->entry[f->n].name, sizeof f->entry[0].name, e->name);
		copy(f->entry[f->n].source, sizeof f->entry[0].source, e->source);
		copy(f->entry[f->n].title, sizeof f->entry[0].title, e->title);
		copy(f->entry[f->n].engine, sizeof f->entry[0].engine, e->engine);
		copy(f->entry[f->n].how, sizeof f->entry[0].how, e->how);
		f->entry[f->n].class = e->class;
	}
	f->n++;
	f->countable += e->engine != NULL;
}

static const struct {
	int line;
	const char *cpu, *pattern;
	unsigned n;
	const char *first, *last;
} cases[] = {
	/* a part of the name; case is ignored */
	{__LINE__, NULL, "own_ga", 2, "own_gamma", "own_ga"}, /* known, not listed */
	{__LINE__, NULL, "own_gamma", 1, "own_gamma", "own_gamma"},
	{__LINE__, NULL, "OWN_A", 1, "own_alpha", "own_alpha"},
	{__LINE__, NULL, "wn_b", 1, "own_beta", "own_beta"},
	{__LINE__, NULL, "refused", 1, "refused", "refused"},
	{__LINE__, NULL, "no such name", 0, NULL, NULL},
	/* a pattern must match the whole name */
	{__LINE__, NULL, "own_*", 3, "own_alpha", "own_gamma"},
	{__LINE__, NULL, "OWN_[BG]*", 2, "own_beta", "own_gamma"},
	{__LINE__, NULL, "wn_*", 0, NULL, NULL},
	{__LINE__, NULL, "own_?????", 2, "own_alpha", "own_gamma"},
	{__LINE__, "us12", "DC_", 4, "DC_rd", "DC_wr_hit"},
	{__LINE__, "us12", "own_", 0, NULL, NULL},
	{__LINE__, "us12", "PAPI_tot_*", 3, "PAPI_tot_cyc", "PAPI_tot_iis"},
};

static void matches(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct found f = {0};
		cpc_t *cpc = fake_session(cases[i].cpu);

		const unsigned n = list_walk(cpc, cases[i].pattern, 0, &f, note);
		if (n != cases[i].n || f.n != n ||
		    (n && (strcmp(f.entry[0].name, cases[i].first) != 0 ||
			   strcmp(f.entry[n - 1].name, cases[i].last) != 0)))
			fail_msg("line %d: %u names, %s to %s", cases[i].line, n,
				 f.entry[0].name, n ? f.entry[n - 1].name : "-");
		assert_int_equal(fake.evsels, 0);
		cpc_close(cpc);
	}
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
	struct found f = {0};
	cpc_t *cpc = fake_session(NULL);

	(void)state;
	list_walk(cpc, "own_*", 0, &f, note);
	list_walk(cpc, "refused", 0, &f, note);
	assert_int_equal(f.n, 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_string_equal(f.entry[i].name, want[i].name);
		assert_string_equal(f.entry[i].source, "host");
		assert_string_equal(f.entry[i].title, want[i].title);
		assert_string_equal(f.entry[i].engine, want[i].engine);
		assert_string_equal(f.entry[i].how, want[i].how);
		assert_int_equal(f.entry[i].class, want[i].class);
	}
	f = (struct found){0};
	list_walk(cpc, "EC_rd_hit", 0, &f, note);
	assert_string_equal(f.entry[0].source, "us12");
	assert_string_equal(f.entry[0].title, "External cache hits of data reads");
	cpc_close(cpc);
}

/* The engine tries events on what the caller will count. */
static void targets(void **state)
{
	(void)state;
	for (int cpus = 0; cpus <= 1; cpus++) {
		struct found f = {0};
		cpc_t *cpc = fake_session(NULL);

		assert_int_equal(list_walk(cpc, "own_alpha", cpus, &f, note), 1);
		assert_int_equal(fake.probed_cpus, cpus);
		cpc_close(cpc);
	}
}

static unsigned all_names(const cpc_t *cpc)
{
	unsigned n = cpc->scope.cpu ? cpc->scope.cpu->n + cpc->scope.cpu->ngeneric : 4;

	for (unsigned t = 0; !cpc->scope.cpu && evtabs[t]; t++)
		n += evtabs[t]->n;
	return n;
}

/*
 * Without a pattern only countable events are listed. Two events of the fake engine
 * cannot be counted.
 */
static void countable(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct found f = {0};
		cpc_t *cpc = fake_session(i ? "us3" : NULL);

		const unsigned n = list_walk(cpc, NULL, 0, &f, note);
		assert_int_equal(n, f.n);
		assert_int_equal(f.countable, n);
		assert_int_equal(n, all_names(cpc) - (i ? 0 : 2));
		assert_int_equal(fake.evsels, 0);
		cpc_close(cpc);
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
		struct found f = {0};
		cpc_t *cpc = fake_session(NULL);

		fake.gamma_errno = lacks[i];
		list_walk(cpc, NULL, 0, &f, note);
		assert_int_equal(f.n, all_names(cpc) - 1);
		assert_int_equal(f.countable, f.n - 1);
		assert_string_equal(f.entry[2].name, "own_gamma");
		assert_string_equal(f.entry[2].engine, "-");
		assert_string_equal(f.entry[2].how, "gamma: not here, look elsewhere");
		cpc_close(cpc);
	}
}

static void real_entry(void *arg, const struct list_entry *e)
{
	unsigned *clocks = arg;

	assert_true(e->engine != NULL);
	assert_true(e->class != CPC_UNAVAILABLE);
	*clocks +=
		strcmp(e->name, "task-clock") == 0 && strcmp(e->source, "software") == 0;
}

/* The kernel of this machine always has the software events. */
static void here(void **state)
{
	unsigned clocks = 0;
	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);

	(void)state;
	assert_true(list_walk(cpc, NULL, 0, &clocks, real_entry) >= 8);
	assert_int_equal(clocks, 1);
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches), cmocka_unit_test(entries),
		cmocka_unit_test(targets), cmocka_unit_test(countable),
		cmocka_unit_test(lacking), cmocka_unit_test(here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
