#include "cpc/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_engine.h"

enum { ALL = (1 << FAKE_NPIC) - 1 };

static struct scope scope(const char *cpu)
{
	return (struct scope){
		.cpu = cpu ? evtab_find(cpu) : NULL, .ops = &fake_ops, .engine = &fake};
}

static const struct {
	int line;
	const char *cpu, *name;
	const char *tab; /* NULL: the name is unknown; "": a name of the engine */
	const char *row;
	uint64_t pics;
} cases[] = {
	/*
	 * The table of a processor has its names, its PAPI_* names and its numbers, and
	 * nothing else.
	 */
	{__LINE__, "us3", "Cycle_cnt", "us3", "Cycle_cnt", 3},
	{__LINE__, "us3", "DC_rd", "us3", "DC_rd", 1},
	{__LINE__, "us3", "EC_misses", "us3", "EC_misses", 2},
	{__LINE__, "us3", "dc_rd", NULL, NULL, 0},
	{__LINE__, "us3", "", NULL, NULL, 0},
	{__LINE__, "us12", "PAPI_tot_cyc", "us12", "PAPI_tot_cyc", 3},
	{__LINE__, "us12", "PAPI_br_msp", "us12", "PAPI_br_msp", 2},
	{__LINE__, "us12", "PAPI_fp_ins", NULL, NULL, 0},
	{__LINE__, "us3", "0x8", "us3", "IC_ref", 1},
	{__LINE__, "us3", "010", "us3", "IC_ref", 1},
	{__LINE__, "us3", "8", "us3", "IC_ref", 1},
	{__LINE__, "us3", "0", "us3", "Cycle_cnt", 3},
	{__LINE__, "us3", "0x", NULL, NULL, 0},
	{__LINE__, "us3", "8x", NULL, NULL, 0},
	{__LINE__, "us3", "-8", NULL, NULL, 0},
	{__LINE__, "us3", "+8", NULL, NULL, 0},
	{__LINE__, "us3", " 8", NULL, NULL, 0},
	{__LINE__, "us3", "\t8", NULL, NULL, 0},
	{__LINE__, "us3", "0x100000008", NULL, NULL, 0},
	{__LINE__, "us3", "99999999999999999999999", NULL, NULL, 0},
	{__LINE__, "us3", "us3::DC_rd", NULL, NULL, 0},
	{__LINE__, "us3", "task-clock", NULL, NULL, 0},
	{__LINE__, "us3", "own_alpha", NULL, NULL, 0},
	/*
	 * On this machine the software events come first, then the names of the engine,
	 * then the tables.
	 */
	{__LINE__, NULL, "task-clock", "software", "task-clock", ALL},
	{__LINE__, NULL, "own_alpha", "", NULL, ALL},
	{__LINE__, NULL, "PAPI_tot_cyc", "generic", "PAPI_tot_cyc", ALL},
	{__LINE__, NULL, "EC_ref", "us12", "EC_ref", ALL},
	{__LINE__, NULL, "EC_misses", "us3", "EC_misses", ALL},
	{__LINE__, NULL, "us3::EC_ref", "us3", "EC_ref", ALL},
	{__LINE__, NULL, "us3::nothing", NULL, NULL, 0},
	{__LINE__, NULL, "nothing::EC_ref", NULL, NULL, 0},
	{__LINE__, NULL, "::EC_ref", NULL, NULL, 0},
	{__LINE__, NULL, "a_name_of_more_than_31_bytes_before::EC_ref", NULL, NULL, 0},
	{__LINE__, NULL, "own_pmu::EC_ref", "", NULL, ALL},
	{__LINE__, NULL, "8", NULL, NULL, 0},
	{__LINE__, NULL, "", NULL, NULL, 0},
};

static void finds(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct scope s = scope(cases[i].cpu);
		struct resolved m = {0};

		errno = 0;
		const int rc = resolve_name(&s, cases[i].name, &m);
		int good = rc == -1 && errno == EINVAL;
		if (cases[i].tab)
			good = rc == 0 && m.pics == cases[i].pics &&
			       strcmp(m.tab ? m.tab->name : "", cases[i].tab) == 0 &&
			       (cases[i].row
					? m.row && strcmp(m.row->name, cases[i].row) == 0
					: !m.row);
		if (!good)
			fail_msg("line %d: %s: rc %d, table %s, row %s, pics %#llx",
				 cases[i].line, cases[i].name, rc,
				 m.tab ? m.tab->name : "-", m.row ? m.row->name : "-",
				 (unsigned long long)m.pics);
	}
}

/*
 * The PAPI_* names of a processor are its own events, and are counted on this machine as
 * the generic table says.
 */
static void every_generic_name(void **state)
{
	unsigned n = 0;

	(void)state;
	for (unsigned t = 0; evtabs[t]; t++)
		for (unsigned i = 0; i < evtabs[t]->ngeneric; i++, n++) {
			const struct evgeneric *g = &evtabs[t]->generic[i];
			struct resolved m;

			if (resolve_in(evtabs[t], g->name, &m) == -1)
				fail_msg("%s: %s is no event", evtabs[t]->name, g->name);
			if (m.row != evtab_name(evtab_find("generic"), g->name))
				fail_msg("%s: %s is not in the generic table",
					 evtabs[t]->name, g->name);
			if (!m.pics || m.pics >> evtabs[t]->npic)
				fail_msg("%s: %s: counters %#llx", evtabs[t]->name,
					 g->name, (unsigned long long)m.pics);
		}
	assert_true(n > 50);
}

struct seen {
	const struct scope *scope;
	unsigned n, own, unknown;
};

static void see(void *arg, const struct evtab *tab, const char *name, const char *title)
{
	struct seen *s = arg;
	struct resolved m;

	(void)title;
	s->n++;
	s->own += tab == NULL;
	s->unknown += resolve_name(s->scope, name, &m) == -1;
}

/* A walk offers every name that is known, and no other. */
static void walks(void **state)
{
	const struct scope host = scope(NULL), cpu = scope("us12");
	struct seen h = {.scope = &host}, c = {.scope = &cpu};
	unsigned n = 4;

	(void)state;
	for (unsigned t = 0; evtabs[t]; t++)
		n += evtabs[t]->n;
	resolve_walk(&host, &h, see);
	assert_int_equal(h.n, n);
	assert_int_equal(h.own, 4);
	assert_int_equal(h.unknown, 0);
	resolve_walk(&cpu, &c, see);
	assert_int_equal(c.n, cpu.cpu->n + cpu.cpu->ngeneric);
	assert_int_equal(c.own, 0);
	assert_int_equal(c.unknown, 0);
}

static const struct {
	int line;
	const char *cpu, *name, *text;
} suggestions[] = {
	{__LINE__, "us3", "DC_rdd", "did you mean 'DC_rd'?"},
	{__LINE__, "us3", "cycle-cnt", "did you mean 'Cycle_cnt'?"},
	{__LINE__, "us12", "PAPI_tot_cycs",
	 "did you mean 'PAPI_tot_cyc', 'PAPI_tot_ins' or 'PAPI_tot_iis'?"},
	{__LINE__, "us3", "qqqqqqqq", ""},
	{__LINE__, NULL, "task-clok", "did you mean 'task-clock'?"},
	{__LINE__, NULL, "own_alphq", "did you mean 'own_alpha'?"},
	{__LINE__, NULL, "own_bega", "did you mean 'own_beta'?"},
	{__LINE__, NULL, "own_", "did you mean 'own_alpha', 'own_beta' or 'own_gamma'?"},
};

/* Suggestions include names that are valid only during the call of the walk. */
static void suggests(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof suggestions / sizeof suggestions[0]; i++) {
		const struct scope s = scope(suggestions[i].cpu);
		char buf[512];

		assert_ptr_equal(
			resolve_suggest(&s, suggestions[i].name, buf, sizeof buf), buf);
		if (strcmp(buf, suggestions[i].text) != 0)
			fail_msg("line %d: %s", suggestions[i].line, buf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds),
		cmocka_unit_test(every_generic_name),
		cmocka_unit_test(walks),
		cmocka_unit_test(suggests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
