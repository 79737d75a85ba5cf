#include "suite/explain/registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * Each table has registers, or rules of its own, or is one of the tables of this machine.
 */
static void test_every_table(void **state)
{
	(void)state;
	for (unsigned i = 0; evtabs[i]; i++) {
		const char *name = evtabs[i]->name;
		const int host = strcmp(name, "generic") == 0 ||
				 strcmp(name, "linux") == 0 ||
				 strcmp(name, "software") == 0;

		if (!evtabs[i]->nregs + !evtabs[i]->dispatch + !host != 2)
			fail_msg("%s", name);
		if ((evtabs[i]->regref == NULL) != host)
			fail_msg("%s: regref %s", name, evtabs[i]->regref);
	}
}

static size_t write_items(const struct explain_items *items, char *buf, size_t len,
			  size_t size)
{
	for (unsigned i = 0; i < items->n; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s=%llx ",
					items->item[i].name,
					(unsigned long long)items->item[i].value);
	return len;
}

/* Writes all registers of one event on a counter as text. */
static void program(const struct evtab *tab, const struct event *row, unsigned pic,
		    char *buf, size_t size)
{
	struct explain_items own = {0}, shared = {0};
	struct explain_assigned use = {
		.row = row, .pic = pic, .flags = CPC_COUNT_USER, .items = &own};

	if (row->nneeds)
		use.escr = &tab->res[row->needs[0].res];
	explain_registers(tab, &use, 1, &shared);
	assert_false(own.failed || shared.failed);
	assert_true(own.n + shared.n > 0);
	write_items(&shared, buf, write_items(&own, buf, 0, size), size);
	explain_items_free(&own);
	explain_items_free(&shared);
}

/* Returns the event select of an event on a counter. */
static uint64_t select_of(const struct event *row, unsigned pic)
{
	char key[8];

	snprintf(key, sizeof key, "code%u", pic);
	const struct evcol *c = evtab_col(row, key), *hw = evtab_col(row, "hw");
	return c ? c->num : hw ? hw->num : row->num;
}

/* If fields were too narrow or not filled, registers of two events would be equal. */
static void test_events_differ(void **state)
{
	(void)state;
	for (unsigned t = 0; evtabs[t]; t++) {
		const struct evtab *tab = evtabs[t];

		for (unsigned pic = 0; tab->nregs && pic < tab->npic; pic++)
			for (unsigned i = 1; i < tab->n; i++) {
				const struct event *a = &tab->ev[i - 1], *b = &tab->ev[i];
				char of_a[512], of_b[512];

				if (!((a->pics & b->pics) >> pic & 1) ||
				    select_of(a, pic) == select_of(b, pic))
					continue;
				program(tab, a, pic, of_a, sizeof of_a);
				program(tab, b, pic, of_b, sizeof of_b);
				if (strcmp(of_a, of_b) == 0)
					fail_msg("%s: %s and %s: %s", tab->name, a->name,
						 b->name, of_a);
			}
	}
}

static void put_shared(const struct evtab *tab, const struct explain_assigned *use,
		       unsigned n, char *buf, size_t size)
{
	struct explain_items shared = {0};

	explain_registers(tab, use, n, &shared);
	assert_false(shared.failed);
	buf[0] = '\0';
	write_items(&shared, buf, 0, size);
	explain_items_free(&shared);
}

/*
 * A table with a field that requests share, a field of some counters, and a parked field.
 */
static void test_table(void **state)
{
	static const struct evvalue user = {FROM_USER, NULL, 0},
				    num[] = {{FROM_NUM, NULL, 4}, {FROM_NUMBER, NULL, 8}};
	static const struct evfield field[] = {
		{{"user", 0, 1}, .pics = 7, .nvalues = 1, .value = &user},
		{{"num", 4, 4}, .pics = 1, .nvalues = 2, .value = num},
		{{"parked", 8, 4}, .pics = 2, .has_parked = 1, .parked = 5},
	};
	static const struct evreg reg = {
		.name = "r", .pics = 7, .shared = 1, .nfields = 3, .field = field};
	static const struct evtab tab = {.npic = 4, .nregs = 1, .reg = &reg};
	static const struct event event = {.num = 0x39};
	const struct explain_assigned use[] = {
		{.row = &event, .pic = 3, .flags = CPC_COUNT_USER},
		{.row = &event, .pic = 0, .flags = CPC_COUNT_SYSTEM},
		{.row = &event, .pic = 2, .flags = CPC_COUNT_USER},
		{.row = &event, .pic = 1, .flags = CPC_COUNT_SYSTEM},
	};
	char buf[64];

	(void)state;
	put_shared(&tab, use, 1, buf, sizeof buf);
	assert_string_equal(buf, "");
	put_shared(&tab, use, 2, buf, sizeof buf);
	assert_string_equal(buf, "r=5b0 ");
	put_shared(&tab, use, 3, buf, sizeof buf);
	assert_string_equal(buf, "r=5b1 ");
	put_shared(&tab, use, 4, buf, sizeof buf);
	assert_string_equal(buf, "r=b1 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_table),
		cmocka_unit_test(test_events_differ),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests_name("explain_registers", tests, NULL, NULL);
}
