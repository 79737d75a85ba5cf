#include "machines.h"
#include "table/table.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/shared/machine.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

typedef unsigned long long ull;

static int is_name_char(int c)
{
	return isalnum(c) || c == '_' || c == '-' || c == '.';
}

/* Skip a name. Returns the text after the name, or NULL if s begins with none. */
static const char *skip_name(const char *s)
{
	const char *from = s;

	while (is_name_char((unsigned char)*s))
		s++;
	return s > from ? s : NULL;
}

/* Skip an event of libpfm4, such as pmu::EVENT:umask:c=4; returns as skip_name() does. */
static const char *skip_host_event(const char *s)
{
	s = skip_name(s);
	if (s && strncmp(s, "::", 2) == 0)
		s = skip_name(s + 2);
	while (s && *s == ':') {
		s = skip_name(s + 1);
		if (s && *s == '=') {
			const char *num = ++s;

			while (isdigit((unsigned char)*s))
				s++;
			if (s == num)
				return NULL;
		}
	}
	return s;
}

/* Is s a list of candidates "[~][N*]EVENT[+EVENT...]|..."? */
static int good_candidates(const char *s)
{
	for (;;) {
		if (*s == '~')
			s++;
		const char *star = s + strspn(s, "0123456789");

		if (*star == '*' && star > s && *s != '0')
			s = star + 1;
		s = skip_host_event(s);
		while (s && *s == '+')
			s = skip_host_event(s + 1);
		if (!s || (*s && *s != '|'))
			return 0;
		if (!*s)
			return 1;
		s++;
	}
}

static void test_candidate_checker(void **state)
{
	(void)state;
	assert_true(good_candidates("A"));
	assert_true(good_candidates("~4*p::A:B:c=4+32_C|perf::L1-D"));
	assert_false(good_candidates(""));
	assert_false(good_candidates("A|"));
	assert_false(good_candidates("0*A"));
	assert_false(good_candidates("~~A"));
	assert_false(good_candidates("A::"));
	assert_false(good_candidates("A:c="));
	assert_false(good_candidates("A B"));
}

/* The model's counters, from events/sim.vocab. */
struct vocab {
	unsigned n;
	struct {
		char name[32];
		enum simclass class;
	} word[100];
};

static enum simclass class_named(const char *name)
{
	static const char *const names[] = {"", "exact", "modelled", "estimated"};

	for (size_t i = 1; i < COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return (enum simclass)i;
	return strcmp(name, "scheduled") == 0 ? SIM_ESTIMATED : SIM_NONE;
}

static void read_vocab(struct vocab *v)
{
	FILE *f = fopen("events/sim.vocab", "r");
	char line[1000], class[32];

	assert_non_null(f);
	v->n = 0;
	while (fgets(line, sizeof(line), f)) {
		if (*line == '#' || *line == '\n')
			continue;
		assert_true(v->n < COUNT(v->word));
		assert_int_equal(sscanf(line, "%31s %31s", v->word[v->n].name, class), 2);
		v->word[v->n].class = class_named(class);
		assert_int_not_equal(v->word[v->n].class, SIM_NONE);
		v->n++;
	}
	fclose(f);
	assert_int_equal(v->n, 68);
}

static enum simclass vocab_class(const struct vocab *v, const char *name, size_t len)
{
	for (unsigned i = 0; i < v->n; i++)
		if (strlen(v->word[i].name) == len &&
		    strncmp(v->word[i].name, name, len) == 0)
			return v->word[i].class;
	return SIM_NONE;
}

/* Is sim= made of counters of the vocabulary, of no worse class than the row? */
static int good_sim(const struct vocab *v, const struct event *ev)
{
	if (!ev->sim)
		return ev->simclass == SIM_NONE;
	if (strcmp(ev->sim, "0") == 0)
		return ev->simclass == SIM_ZERO;
	if (ev->simclass == SIM_ZERO)
		return 0;
	for (const char *s = ev->sim;; s++) {
		const size_t len = strcspn(s, "+-");
		const enum simclass class = vocab_class(v, s, len);

		if (class == SIM_NONE || class > ev->simclass)
			return 0;
		s += len;
		if (!*s)
			return 1;
	}
}

static void check_row(const struct vocab *v, const struct evtab *t,
		      const struct event *ev)
{
	if (evtab_name(t, ev->name) != ev)
		fail_msg("%s: %s twice", t->name, ev->name);
	if (!ev->pics || ev->pics >> t->npic)
		fail_msg("%s: %s: counters %#llx", t->name, ev->name, (ull)ev->pics);
	if (ev->host && (!ev->hostkey || !good_candidates(ev->host)))
		fail_msg("%s: %s: host \"%s\"", t->name, ev->name, ev->host);
	if (!good_sim(v, ev))
		fail_msg("%s: %s: sim %s, class %d", t->name, ev->name, ev->sim,
			 ev->simclass);
	if (ev->title && !*ev->title)
		fail_msg("%s: %s: empty title", t->name, ev->name);
	for (unsigned i = 0; i < ev->ncols; i++)
		if (evtab_col(ev, ev->cols[i].key) != &ev->cols[i])
			fail_msg("%s: %s: %s twice", t->name, ev->name, ev->cols[i].key);
}

static void test_rows(void **state)
{
	struct vocab v;

	(void)state;
	read_vocab(&v);
	for (unsigned i = 0; evtabs[i]; i++)
		for (unsigned k = 0; k < evtabs[i]->n; k++)
			check_row(&v, evtabs[i], &evtabs[i]->ev[k]);
}

static const char *machine_of(const char *table)
{
	return evtab_find(table)->machine;
}

/* A table has a machine if and only if it has sim=, and that machine exists. */
static void test_machines(void **state)
{
	(void)state;
	for (unsigned i = 0; evtabs[i]; i++) {
		const struct evtab *t = evtabs[i];
		const int found = t->machine && machines_find(t->machine);
		int sims = 0;

		for (unsigned k = 0; k < t->n; k++)
			sims |= t->ev[k].sim != NULL;
		if (sims != (t->machine != NULL) || sims != found)
			fail_msg("%s: machine %s", t->name, t->machine);
	}
	assert_string_equal(machine_of("us12"), "ultrasparc2");
	assert_string_equal(machine_of("us4plus"), "ultrasparc3");
	assert_string_equal(machine_of("r12000"), "r12000");
	assert_string_equal(machine_of("linux"), "generic");
	assert_null(machine_of("ultrasparc_t1"));
}

static void check_generic(const struct evtab *t, const struct evgeneric *g)
{
	char *end;
	const struct event *ev = evtab_name(t, g->native);
	const unsigned long num = strtoul(g->native, &end, 0);

	if (!ev && *end == '\0')
		ev = evtab_num(t, (unsigned)num);
	if (!ev)
		fail_msg("%s: %s: no event %s", t->name, g->name, g->native);
	if (evtab_generic(t, g->name) != g)
		fail_msg("%s: %s twice", t->name, g->name);
	if (!evtab_name(evtab_find("generic"), g->name))
		fail_msg("%s: %s is not in the generic table", t->name, g->name);
	if (!g->attr)
		return;

	const struct evattr *attr = evtab_attr(t, g->attr);
	char key[64];
	snprintf(key, sizeof(key), "%s_valid", g->attr);
	const struct evcol *valid = evtab_col(ev, key);

	if (!attr || g->val > attr->max || (valid && g->val & ~valid->num))
		fail_msg("%s: %s: %s=%#llx", t->name, g->name, g->attr, (ull)g->val);
}

static void test_generics(void **state)
{
	(void)state;
	for (unsigned i = 0; evtabs[i]; i++)
		for (unsigned k = 0; k < evtabs[i]->ngeneric; k++)
			check_generic(evtabs[i], &evtabs[i]->generic[k]);
}

static const struct evres *find_resource(const struct evtab *t, const char *kind,
					 const char *name)
{
	for (unsigned i = 0; i < t->nres; i++)
		if (strcmp(t->res[i].kind, kind) == 0 &&
		    strcmp(t->res[i].name, name) == 0)
			return &t->res[i];
	return NULL;
}

/* The counters that the ESCRs of a list ("CRU2,CRU3") drive. */
static uint64_t driven(const struct evtab *t, const char *list)
{
	uint64_t pics = 0;

	while (*list) {
		char name[16];
		const size_t len = strcspn(list, ",");

		snprintf(name, sizeof(name), "%.*s", (int)len, list);
		const struct evres *escr = find_resource(t, "escr", name);
		if (!escr)
			fail_msg("no escr %s", name);
		pics |= evtab_rescol(escr, "pic")->num;
		list += len + (list[len] == ',');
	}
	return pics;
}

static void test_pentium4(void **state)
{
	const struct evtab *t = evtab_find("p4");
	unsigned escrs = 0, counters = 0;

	(void)state;
	for (unsigned i = 0; i < t->nres; i++) {
		const struct evres *r = &t->res[i];
		const uint64_t pics = evtab_rescol(r, "pic")->num;

		escrs += strcmp(r->kind, "escr") == 0;
		if (strcmp(r->kind, "counter"))
			continue;
		assert_int_equal(pics, UINT64_C(1) << counters++);
		if (~driven(t, evtab_rescol(r, "escr")->text) & pics)
			fail_msg("%s: an ESCR does not drive it", r->name);
	}
	assert_int_equal(escrs, 45);
	assert_int_equal(counters, 18);
	for (unsigned i = 0; i < t->n; i++)
		if (t->ev[i].pics & ~driven(t, evtab_col(&t->ev[i], "escr")->text))
			fail_msg("%s: no ESCR drives a counter", t->ev[i].name);

	const struct evres *r = find_resource(t, "escr", "CRU2");
	assert_int_equal(evtab_rescol(r, "msr")->num, 0x3cc);
	assert_int_equal(evtab_rescol(r, "select")->num, 5);
	assert_int_equal(evtab_rescol(r, "pic")->num, 0x13000);
	r = find_resource(t, "counter", "IQ_COUNTER4");
	assert_int_equal(evtab_rescol(r, "msr")->num, 0x310);
	assert_int_equal(evtab_rescol(r, "cccr")->num, 0x370);
	assert_null(evtab_rescol(r, "select"));
	assert_null(find_resource(t, "counter", "CRU2"));
}

static ull num_of(const struct event *ev, const char *key)
{
	const struct evcol *col = evtab_col(ev, key);

	return col ? col->num : 0;
}

static const char *word_of(const struct event *ev, const char *key)
{
	const struct evcol *col = evtab_col(ev, key);

	return col ? col->text : "-";
}

/* All rows are compared with a list that was made from the reference implementation. */
static void test_itanium2(void **state)
{
	FILE *f = fopen("test/data/itanium2_events.tsv", "r");
	const struct evtab *t = evtab_find("itanium2");
	char line[200], want[200], got[200];
	unsigned n = 0;

	(void)state;
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	for (; fgets(want, sizeof(want), f); n++) {
		if (n == t->n)
			fail_msg("the table ends before %s", want);
		const struct event *ev = &t->ev[n];
		const int set = evtab_col(ev, "set") ? (int)num_of(ev, "set") : -1;

		snprintf(got, sizeof(got),
			 "%s\t0x%x\t0x%llx\t0x%llx\t%llu\t%llu\t%d\t%llu\t%llu\t%llu\t"
			 "%s\t%s\t%llu\t%llu\t%llu\t%llu\n",
			 ev->name, ev->num, (ull)ev->pics, num_of(ev, "umask"),
			 num_of(ev, "maxincr"), num_of(ev, "group"), set,
			 num_of(ev, "iarr"), num_of(ev, "darr"), num_of(ev, "opcm"),
			 word_of(ev, "dear"), word_of(ev, "iear"), num_of(ev, "btb"),
			 num_of(ev, "irange_prefetch"), num_of(ev, "irange_inst_retired"),
			 num_of(ev, "cancel_excl"));
		assert_string_equal(got, want);
	}
	fclose(f);
	assert_int_equal(n, t->n);
}

/* The number of rows of a table that have a column. */
static unsigned count_col(const struct evtab *t, const char *key)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->n; i++)
		n += evtab_col(&t->ev[i], key) != NULL;
	return n;
}

static void test_itanium2_counts(void **state)
{
	const struct evtab *t = evtab_find("itanium2");
	unsigned titles = 0;

	(void)state;
	assert_int_equal(count_col(t, "dear"), 19);
	assert_int_equal(count_col(t, "iear"), 17);
	assert_int_equal(count_col(t, "btb"), 1);
	assert_int_equal(count_col(t, "cancel_excl"), 33);
	assert_int_equal(count_col(t, "irange_prefetch"), 3);
	assert_int_equal(count_col(t, "irange_inst_retired"), 6);
	for (unsigned i = 0; i < t->n; i++)
		titles += t->ev[i].title != NULL;
	assert_true(titles >= 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_candidate_checker), cmocka_unit_test(test_rows),
		cmocka_unit_test(test_machines),	  cmocka_unit_test(test_generics),
		cmocka_unit_test(test_pentium4),	  cmocka_unit_test(test_itanium2),
		cmocka_unit_test(test_itanium2_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
