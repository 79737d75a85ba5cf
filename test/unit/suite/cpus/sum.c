/* Sums of samples that follow one another are those of samples that are added. */
#include "suite/cpus/sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 5, VALUES = 3, ROUNDS = 5000 };

/* xorshift64: the same numbers on every machine. */
static uint64_t random64(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

/* Most values are exact, as in practice; each other class comes too. */
static cpc_class_t draw_class(void)
{
	const uint64_t r = random64() % 12;

	return r <= CPC_UNAVAILABLE ? (cpc_class_t)r : CPC_EXACT;
}

static void draw(cpc_value_t value[SAMPLES][VALUES], struct cpu_sample *sample)
{
	for (unsigned k = 0; k < SAMPLES; k++) {
		for (unsigned i = 0; i < VALUES; i++)
			value[k][i] =
				(cpc_value_t){random64(), random64(), random64() % 100,
					      random64() % 100, draw_class()};
		sample[k] = (struct cpu_sample){.ns = (int64_t)(random64() % 100),
						.tick = random64(),
						.value = value[k]};
	}
}

struct numbers {
	cpc_value_t value[VALUES];
	uint64_t have[VALUES], missed[VALUES];
};

static struct cpu_view_sum sum_in(struct numbers *n)
{
	memset(n, 0x55, sizeof *n);
	return (struct cpu_view_sum){
		.value = n->value, .have = n->have, .missed = n->missed};
}

static void check(const struct cpu_view_sum *a, const struct cpu_view_sum *b)
{
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->ns, b->ns);
	assert_int_equal(a->cpus, b->cpus);
	assert_int_equal(a->tick, b->tick);
	for (unsigned i = 0; i < a->n; i++) {
		assert_int_equal(a->have[i], b->have[i]);
		assert_int_equal(a->missed[i], b->missed[i]);
		assert_int_equal(a->value[i].value, b->value[i].value);
		assert_int_equal(a->value[i].count, b->value[i].count);
		assert_int_equal(a->value[i].enabled, b->value[i].enabled);
		assert_int_equal(a->value[i].running, b->value[i].running);
		assert_int_equal(a->value[i].quality, b->value[i].quality);
	}
}

static void sums_all_as_one_by_one(void **state)
{
	cpc_value_t value[SAMPLES][VALUES];
	struct cpu_sample sample[SAMPLES];
	struct numbers of_all, of_each;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct cpu_view_sum all = sum_in(&of_all), each = sum_in(&of_each);
		const unsigned n = (unsigned)(random64() % (SAMPLES + 1));

		draw(value, sample);
		cpu_view_sum_all(&all, VALUES, sample, n);
		cpu_view_sum_begin(&each, VALUES);
		for (unsigned k = 0; k < n; k++)
			cpu_view_sum_add(&each, &sample[k]);
		check(&all, &each);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_all_as_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
