#include "suite/explain/registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A processor has registers here, or rules of its own, or is what this machine has. */
static void test_every_table(void **state)
{
	(void)state;
	for (unsigned i = 0; evtabs[i]; i++) {
		const char *name = evtabs[i]->name;
		const int host = strcmp(name, "generic") == 0 ||
				 strcmp(name, "linux") == 0 ||
				 strcmp(name, "software") == 0;

		if (!explain_cpu_find(name) + !evtabs[i]->dispatch + !host != 2)
			fail_msg("%s", name);
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

/* All registers of one event on a counter, as text. */
static void program(const struct evtab *tab, const struct event *row, unsigned pic,
		    char *buf, size_t size)
{
	struct explain_items own = {0}, shared = {0};
	struct explain_use use = {
		.row = row, .pic = pic, .flags = CPC_COUNT_USER, .items = &own};

	if (row->nneeds)
		use.escr = &tab->res[row->needs[0].res];
	explain_regs(tab, explain_cpu_find(tab->name), &use, 1, &shared);
	assert_false(own.failed || shared.failed);
	assert_true(own.n + shared.n > 0);
	write_items(&shared, buf, write_items(&own, buf, 0, size), size);
	explain_items_free(&own);
	explain_items_free(&shared);
}

/* What selects it there. */
static uint64_t select_of(const struct event *row, unsigned pic)
{
	char key[8];

	snprintf(key, sizeof key, "code%u", pic);
	const struct evcol *c = evtab_col(row, key), *hw = evtab_col(row, "hw");
	return c ? c->num : hw ? hw->num : row->num;
}

/* Fields that were too narrow, or not filled, would make events alike. */
static void test_events_differ(void **state)
{
	(void)state;
	for (unsigned t = 0; evtabs[t]; t++) {
		const struct evtab *tab = evtabs[t];

		for (unsigned pic = 0; explain_cpu_find(tab->name) && pic < tab->npic;
		     pic++)
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

/* Every part names a field of its register. */
static void test_parts(void **state)
{
	(void)state;
	for (unsigned t = 0; evtabs[t]; t++) {
		const struct explain_cpu *cpu = explain_cpu_find(evtabs[t]->name);

		for (const struct explain_kind *k = cpu ? cpu->kind : NULL; k && k->name;
		     k++) {
			const struct reg_layout layout = {k->field};

			assert_true(!k->field == !k->part);
			for (const struct explain_part *p = k->part; p && p->field; p++)
				if (!bits_get(&layout, UINT64_MAX, p->field))
					fail_msg("%s: %s has no field %s",
						 evtabs[t]->name, k->name, p->field);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_table),
		cmocka_unit_test(test_events_differ),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests_name("explain_regs", tests, NULL, NULL);
}
