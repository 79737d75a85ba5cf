/*
 * Statistics of repeated runs: estimates and intervals that do not assume a distribution
 * of the values, and their exact probabilities. Each was chosen by measuring false alarms
 * and power on runs of real programs; the sources name the methods.
 */
#ifndef SUITE_SERIES_STATS_H
#define SUITE_SERIES_STATS_H

#include <stddef.h>

enum stats_method {
	STATS_SIGNED_RANK, /* Hodges-Lehmann estimate, Wilcoxon's signed rank test */
	STATS_SIGN,	   /* median, sign test */
	STATS_RANK_SUM	   /* Hodges-Lehmann estimate, rank sum test */
};

/* Returns "signed-rank", "sign" or "rank-sum". */
const char *stats_method_name(enum stats_method method);

/* The change of B in relation to A. */
struct stats_change {
	enum stats_method method;
	int relative;	   /* 0.02 is 2 %; else in the unit of values */
	double change;	   /* the estimate */
	int has_interval;  /* there are enough values for an interval */
	double low, high;  /* the interval; it contains 0 exactly if p is above alpha */
	double p;	   /* of the claim that nothing has changed, at most 1 */
	double half_width; /* of the interval; of logarithms if relative */
};

/*
 * Compare n pairs of runs, whose order within a pair was drawn by a coin. The change is
 * relative if all values are positive, and then the test is of the logarithms of the
 * ratios. The method is the signed rank test, or, from 12 pairs on with heavy tails, and
 * above 1000 pairs, the sign test. alpha is the probability of a false alarm, such as
 * 0.05. Returns -1 with ENOMEM.
 */
int stats_pairs(struct stats_change *c, const double *a, const double *b, size_t n,
		double alpha);

/*
 * Compare by one method, from the n differences of the pairs; relative: they are
 * differences of logarithms. Returns -1 with ENOMEM.
 */
int stats_differences(struct stats_change *c, enum stats_method method, const double *d,
		      size_t n, int relative, double alpha);

/*
 * Compare two samples of up to 50 values each that are not paired, by their values, or if
 * all are positive, by their logarithms. Returns -1 with ENOMEM.
 */
int stats_samples(struct stats_change *c, const double *a, size_t m, const double *b,
		  size_t n, double alpha);

/*
 * Returns the smallest change that the comparison would have shown, most of the time, or
 * 0 without an interval: 2 half widths of the interval.
 */
double stats_detectable(const struct stats_change *c);

/*
 * Adjust n probabilities for the number of claims (Holm): claim i stands at level alpha
 * if its adjusted probability is at most alpha. Returns -1 with ENOMEM.
 */
int stats_holm(double *p, size_t n);

/* Sort n values, at least 1, and return their quantile q, from 0 to 1. */
double stats_quantile(double *value, size_t n, double q);

/* How the values of repeated runs are spread. */
struct stats_spread {
	double min, first_quartile, median, third_quartile, max;
	size_t below, above; /* outliers: beyond 3 widths of the quartiles, at least 3 */
};

/* Returns -1 with ENOMEM. n is at least 1. */
int stats_spread(struct stats_spread *s, const double *value, size_t n);

/*
 * Do the values drift, so that they are correlated with the number of the run, and the
 * last third differs from the first by more than 2 %? Returns -1 with ENOMEM.
 */
int stats_drifts(const double *value, size_t n);

/*
 * Do the values come in bursts, so that neighbours are alike? It takes 20 runs to tell.
 * Returns -1 with ENOMEM.
 */
int stats_has_bursts(const double *value, size_t n);

#endif
