/*
 * The statistics of repeated runs, against values of R 4.2: wilcox.test(exact = TRUE,
 * conf.int = TRUE), binom.test and quantile.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "suite/series/stats.h"

enum { MOST = 16 };

static void close_to(int line, const char *what, double got, double want)
{
	if (!(fabs(got - want) <= 1e-8 * fmax(1, fabs(want))))
		fail_msg("line %d: %s is %.12g, not %.12g", line, what, got, want);
}

/* Pairs of runs, and by each method the change in percent, its interval, and p. */
static const struct pairs {
	int line;
	size_t n;
	double a[MOST], b[MOST];
	enum stats_method chosen;
	int relative;
	double ranked[4], sign[4]; /* 0: not known */
} pairs[] = {
	{__LINE__,
	 8,
	 {100, 102, 99, 101, 98, 103, 100.5, 97},
	 {103, 104.5, 100.4, 105, 99.1, 104, 106, 99.3},
	 STATS_SIGNED_RANK,
	 1,
	 {2.452855979, 1.192264887, 3.96039604, 0.0078125},
	 {2.411049425, 0.9708737864, 5.472636816, 0.0078125}},
	{__LINE__,
	 12,
	 {10.12, 10.31, 10.05, 10.44, 10.9, 10.22, 10.18, 10.6, 10.27, 10.35, 10.07,
	  10.5},
	 {10.3, 10.42, 10.33, 10.4, 11.31, 10.51, 10.26, 10.71, 10.62, 10.5, 10.3, 10.83},
	 STATS_SIGNED_RANK,
	 1,
	 {2.057942197, 1.11702091, 2.844462713, 0.0009765625},
	 {2.031021146, 1.037735849, 3.142857143, 0.00634765625}},
	{__LINE__,
	 14,
	 {50, 51, 50.5, 80, 50.2, 49.9, 50.7, 51.2, 50.1, 49.8, 50.9, 50.3, 95, 50.6},
	 {51.1, 52.2, 51.4, 51, 51.6, 50.8, 51.9, 90, 51.3, 50.7, 51.8, 51.5, 52, 51.25},
	 STATS_SIGN,
	 1,
	 {2.067079433, -19.21703413, 2.385685885, 0.1040039063},
	 {2.003425409, 1.28458498, 2.395209581, 0.01293945313}},
	{__LINE__,
	 8,
	 {0, 0, 3, 2, 1, 0, 5, 1},
	 {1, 0, 0, 2, 3, 2, 6, 1},
	 STATS_SIGNED_RANK,
	 0,
	 {0.5, -1.5, 1.5, 0.640625},
	 {0}},
};

static void check(int line, const struct stats_change *c, const double want[4])
{
	const double unit = c->relative ? 100 : 1;

	close_to(line, "the change", unit * c->change, want[0]);
	close_to(line, "the low end", unit * c->low, want[1]);
	close_to(line, "the high end", unit * c->high, want[2]);
	close_to(line, "p", c->p, want[3]);
	assert_true(c->has_interval);
}

static void test_pairs(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		const struct pairs *t = &pairs[i];
		struct stats_change c;
		double d[MOST];

		for (size_t k = 0; k < t->n; k++)
			d[k] = t->relative ? log(t->b[k] / t->a[k]) : t->b[k] - t->a[k];
		assert_int_equal(stats_differences(&c, STATS_SIGNED_RANK, d, t->n,
						   t->relative, 0.05),
				 0);
		check(t->line, &c, t->ranked);
		if (t->sign[3] > 0) {
			assert_int_equal(stats_differences(&c, STATS_SIGN, d, t->n,
							   t->relative, 0.05),
					 0);
			check(t->line, &c, t->sign);
		}
		assert_int_equal(stats_pairs(&c, t->a, t->b, t->n, 0.05), 0);
		assert_int_equal(c.method, t->chosen);
		assert_int_equal(c.relative, t->relative);
		check(t->line, &c, t->chosen == STATS_SIGN ? t->sign : t->ranked);
	}
}

/* At 1 % the interval is wider. */
static void test_alpha(void **state)
{
	struct stats_change c;

	(void)state;
	assert_int_equal(stats_pairs(&c, pairs[1].a, pairs[1].b, pairs[1].n, 0.01), 0);
	close_to(__LINE__, "the low end", 100 * c.low, 0.9117166443);
	close_to(__LINE__, "the high end", 100 * c.high, 3.142857143);
	close_to(__LINE__, "what would be seen", stats_detectable(&c),
		 (1 + c.high) / (1 + c.low) - 1);
}

/* The interval is from the k-th smallest to the k-th largest candidate. */
static void test_candidates(void **state)
{
	static const struct {
		double alpha;
		size_t n, k; /* k of the signed rank test; 0: no interval */
	} t[] = {
		{0.05, 2, 0},	{0.05, 5, 0},	 {0.05, 6, 1},	 {0.05, 8, 4},
		{0.05, 10, 9},	{0.05, 12, 14},	 {0.05, 20, 53}, {0.05, 50, 435},
		{0.01, 7, 0},	{0.01, 8, 1},	 {0.01, 10, 4},	 {0.01, 12, 8},
		{0.01, 20, 38}, {0.01, 50, 374},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct stats_change c;
		double d[50], averages[1275];
		size_t m = 0;

		/* Powers of 2 have averages that all differ. */
		for (size_t k = 0; k < t[i].n; k++)
			d[k] = ldexp(1, (int)k);
		assert_int_equal(stats_differences(&c, STATS_SIGNED_RANK, d, t[i].n, 0,
						   t[i].alpha),
				 0);
		assert_int_equal(c.has_interval, t[i].k > 0);
		for (size_t j = 0; j < t[i].n; j++)
			for (size_t k = j; k < t[i].n; k++)
				averages[m++] = (d[j] + d[k]) / 2;
		size_t below = 0;
		for (size_t k = 0; k < m; k++)
			below += averages[k] < c.low;
		if (t[i].k)
			assert_int_equal(below, t[i].k - 1);
		else
			assert_true(stats_detectable(&c) == 0);
	}
	/* Two pairs prove nothing. */
	struct stats_change c;
	assert_int_equal(stats_pairs(&c, (double[]){1, 1}, (double[]){2, 2}, 2, 0.05), 0);
	close_to(__LINE__, "p", c.p, 0.5);
}

static void test_samples(void **state)
{
	static const double a[] = {21179358, 21125962, 21224149, 21156300, 21201521};
	static const double b[] = {21301000, 21262000, 21352000, 21290500, 21215000};
	double shifted[2][5];
	struct stats_change c;

	(void)state;
	assert_int_equal(stats_samples(&c, a, 5, b, 5, 0.05), 0);
	assert_true(c.relative && c.has_interval && c.low > 0);
	close_to(__LINE__, "p", c.p, 0.01587301587);
	assert_true(fabs(c.change - 105700 / 21200000.0) < 1e-4);
	/* Values that are not positive are compared by their differences. */
	for (unsigned i = 0; i < 5; i++) {
		shifted[0][i] = a[i] - 21200000;
		shifted[1][i] = b[i] - 21200000;
	}
	assert_int_equal(stats_samples(&c, shifted[0], 5, shifted[1], 5, 0.05), 0);
	assert_false(c.relative);
	check(__LINE__, &c, (double[]){105700, 35642, 175038, 0.01587301587});
}

static void test_holm(void **state)
{
	double p[] = {0.01, 0.04, 0.03, 0.005, 0.9};
	static const double want[] = {0.04, 0.09, 0.09, 0.025, 0.9};

	(void)state;
	assert_int_equal(stats_holm(p, 5), 0);
	for (unsigned i = 0; i < 5; i++)
		close_to(__LINE__, "an adjusted p", p[i], want[i]);
}

static void test_spread(void **state)
{
	static const double v[] = {4, 1, 3, 2, 100, 3.5};
	struct stats_spread s;

	(void)state;
	assert_int_equal(stats_spread(&s, v, 6), 0);
	close_to(__LINE__, "the minimum", s.min, 1);
	close_to(__LINE__, "the first quartile", s.first_quartile, 2.25);
	close_to(__LINE__, "the median", s.median, 3.25);
	close_to(__LINE__, "the third quartile", s.third_quartile, 3.875);
	close_to(__LINE__, "the maximum", s.max, 100);
	assert_int_equal(s.above, 1);
	assert_int_equal(s.below, 0);
	assert_int_equal(stats_spread(&s, v, 1), 0);
	close_to(__LINE__, "a median", s.median, 4);
	assert_int_equal(s.above + s.below, 0);
}

/* Most runs have as many page faults as each other: a run with 1 more is no outlier. */
static void test_equal_quartiles(void **state)
{
	static const double v[] = {49, 48, 49, 49, 49, 49, 49, 50, 49, 49, 53, 45};
	struct stats_spread s;

	(void)state;
	assert_int_equal(stats_spread(&s, v, 12), 0);
	close_to(__LINE__, "the first quartile", s.first_quartile, 49);
	close_to(__LINE__, "the third quartile", s.third_quartile, 49);
	assert_int_equal(s.above, 1);
	assert_int_equal(s.below, 1);
}

static void test_warnings(void **state)
{
	double rising[30], bursts[30], calm[30];
	uint32_t x = 1;

	(void)state;
	for (unsigned i = 0; i < 30; i++) {
		x = x * 1664525 + 1013904223;
		calm[i] = 100 + (x >> 16) % 10;
		rising[i] = 100 + i;
		bursts[i] = i % 12 < 6 ? 100 : 120;
	}
	assert_int_equal(stats_drifts(rising, 30), 1);
	assert_int_equal(stats_drifts(calm, 30), 0);
	assert_int_equal(stats_drifts(rising, 5), 0);
	/* A drift of less than 2 % is none. */
	for (unsigned i = 0; i < 30; i++)
		rising[i] = 1000 + i / 2.0;
	assert_int_equal(stats_drifts(rising, 30), 0);
	assert_int_equal(stats_has_bursts(bursts, 30), 1);
	assert_int_equal(stats_has_bursts(bursts, 19), 0);
	assert_int_equal(stats_has_bursts(calm, 30), 0);
	for (unsigned i = 0; i < 30; i++)
		calm[i] = 7;
	assert_int_equal(stats_has_bursts(calm, 30), 0);
	assert_int_equal(stats_drifts(calm, 30), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_alpha),
		cmocka_unit_test(test_candidates),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_equal_quartiles),
		cmocka_unit_test(test_warnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
