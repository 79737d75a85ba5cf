#include "engine/bpf/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
	PARTS = 2,
	SIZE = offsetof(struct bpf_life, val) + PARTS * sizeof(struct bpf_value)
};

static void take(struct bpf_order *o, uint64_t seq)
{
	struct bpf_life life = {.seq = seq, .tid = (uint32_t)seq + 100};

	life.val[PARTS - 1].count = seq;
	bpf_order_take(o, &life, SIZE);
}

static void note(void *text, const struct bpf_life *life)
{
	char *end = (char *)text + strlen(text);

	assert_int_equal(life->tid, life->seq + 100);
	assert_int_equal(life->val[PARTS - 1].count, life->seq);
	sprintf(end, "%llu ", (unsigned long long)life->seq);
}

/* Emit, and compare the numbers of the records. */
static void expect(struct bpf_order *o, enum bpf_order_gaps gaps, const char *numbers)
{
	char text[200] = "";

	bpf_order_emit(o, gaps, text, note);
	assert_string_equal(text, numbers);
}

static void emits_in_order(void **state)
{
	struct bpf_order o = {.size = SIZE};

	(void)state;
	take(&o, 1);
	expect(&o, BPF_ORDER_WAIT, "");
	take(&o, 2);
	take(&o, 0);
	expect(&o, BPF_ORDER_WAIT, "0 1 2 ");
	expect(&o, BPF_ORDER_SKIP_ALL, "");
	take(&o, 3);
	expect(&o, BPF_ORDER_WAIT, "3 ");
	assert_int_equal(o.lost, 0);
	bpf_order_free(&o);
}

/* A number that never comes holds up the records behind it for one call. */
static void skips_numbers_that_are_lost(void **state)
{
	struct bpf_order o = {.size = SIZE};

	(void)state;
	take(&o, 0);
	take(&o, 2);
	expect(&o, BPF_ORDER_SKIP_OLD, "0 ");
	take(&o, 3);
	take(&o, 5);
	expect(&o, BPF_ORDER_SKIP_OLD, "2 3 ");
	take(&o, 4);
	expect(&o, BPF_ORDER_SKIP_OLD, "4 5 ");
	take(&o, 9);
	take(&o, 7);
	expect(&o, BPF_ORDER_WAIT, "");
	expect(&o, BPF_ORDER_WAIT, "");
	expect(&o, BPF_ORDER_SKIP_ALL, "7 9 ");
	bpf_order_free(&o);
}

/* The record of a birth has no values, and those of others have them. */
static void takes_records_of_each_size(void **state)
{
	const struct bpf_life life = {.seq = 0, .tid = 100};
	struct bpf_order o = {.size = SIZE};

	(void)state;
	bpf_order_take(&o, &life, offsetof(struct bpf_life, val));
	expect(&o, BPF_ORDER_WAIT, "0 ");
	bpf_order_take(&o, &life, offsetof(struct bpf_life, val) - 1);
	bpf_order_take(&o, &life, SIZE + 1);
	assert_int_equal(o.lost, 2);
	for (uint64_t i = 1; i < 3000; i++)
		take(&o, 3000 - i);
	assert_int_equal(o.n, 2999);
	bpf_order_free(&o);
	assert_int_equal(o.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(emits_in_order),
		cmocka_unit_test(skips_numbers_that_are_lost),
		cmocka_unit_test(takes_records_of_each_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
