#include "suite/series/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Above this number of pairs the averages of all pairs of differences take too long. */
enum { MOST_RANKED = 1000 };

/* From this number of pairs on the tails of the differences can be judged. */
enum { LEAST_TAILED = 12 };

const char *stats_method_name(enum stats_method method)
{
	static const char *const names[] = {[STATS_SIGNED_RANK] = "signed-rank",
					    [STATS_SIGN] = "sign",
					    [STATS_RANK_SUM] = "rank-sum"};

	return names[method];
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns a sorted copy of the values, or NULL with ENOMEM. */
static double *sorted(const double *v, size_t n)
{
	double *s = malloc((n + 1) * sizeof *s);

	if (!s)
		return NULL;
	memcpy(s, v, n * sizeof *s);
	qsort(s, n, sizeof *s, ascending);
	return s;
}

/* Source: Hyndman and Fan 1996, definition 7 */
static double quantile(const double *s, size_t n, double q)
{
	const double at = q * (double)(n - 1);
	const size_t i = (size_t)at;

	return i + 1 < n ? s[i] + (at - (double)i) * (s[i + 1] - s[i]) : s[n - 1];
}

/* Turn the probabilities of 0 to top into those of at most as much. */
static void accumulate(double *p, size_t top)
{
	for (size_t i = 1; i <= top; i++)
		p[i] += p[i - 1];
}

/*
 * Returns the probabilities that the sum of the ranks of the positive ones of n values is
 * at most w, for w from 0 to *top. A value is positive or negative by a fair coin, so
 * that each value halves the numbers: nothing overflows. Source: Wilcoxon 1945
 */
static double *signed_rank(size_t n, size_t *top)
{
	*top = n * (n + 1) / 2;
	double *p = calloc(*top + 1, sizeof *p);

	if (!p)
		return NULL;
	p[0] = 1;
	for (size_t k = 1, w = 0; k <= n; k++) {
		w += k;
		for (size_t i = w + 1; i-- > 0;)
			p[i] = (p[i] + (i >= k ? p[i - k] : 0)) / 2;
	}
	accumulate(p, *top);
	return p;
}

/* Returns the probabilities of at most k heads in n throws of a coin, or NULL. */
static double *binomial(size_t n)
{
	double *p = malloc((n + 1) * sizeof *p);
	const double all = (double)n;

	for (size_t k = 0; p && k <= n; k++)
		p[k] = exp(lgamma(all + 1) - lgamma((double)k + 1) -
			   lgamma(all - (double)k + 1) - all * M_LN2);
	if (p)
		accumulate(p, n);
	return p;
}

/*
 * The number of ways in which k of the smallest values are of the first sample of m, with
 * u pairs in which the value of the second sample is the smaller one: ways[k * (m n + 1)
 * + u]. Takes one value after the other. Source: Mann and Whitney 1947
 */
static void count_ways(double *ways, size_t m, size_t n)
{
	const size_t row = m * n + 1;

	ways[0] = 1;
	for (size_t j = 1; j <= m + n; j++)
		for (size_t k = j < m ? j : m; k >= 1; k--) {
			const size_t below = j - k;

			if (below > n)
				continue;
			for (size_t u = row; u-- > below;)
				ways[k * row + u] += ways[(k - 1) * row + u - below];
		}
}

/* Returns the probabilities of at most u such pairs, u from 0 to m n, or NULL. */
static double *rank_sum(size_t m, size_t n)
{
	const size_t top = m * n;
	double *ways = calloc((m + 1) * (top + 1), sizeof *ways);
	double *p = calloc(top + 1, sizeof *p);
	double all = 0;

	if (!ways || !p) {
		free(ways);
		free(p);
		return NULL;
	}
	count_ways(ways, m, n);
	for (size_t u = 0; u <= top; u++)
		all += ways[m * (top + 1) + u];
	for (size_t u = 0; u <= top; u++)
		p[u] = ways[m * (top + 1) + u] / all;
	accumulate(p, top);
	free(ways);
	return p;
}

/*
 * Make the estimate and the interval of sorted candidates for the change. below[c] is the
 * probability that at most c candidates, of up to top, are below the true change. The
 * interval is from the k-th smallest to the k-th largest candidate, for the largest k
 * that alpha permits. Candidates that are 0 count against the claim of a change.
 */
static void invert(struct stats_change *c, const double *s, size_t n, const double *below,
		   size_t top, double alpha)
{
	size_t k = 0, not_above = 0, not_below = 0;

	while (k <= top && below[k] <= alpha / 2)
		k++;
	c->change = quantile(s, n, 0.5);
	c->has_interval = k > 0;
	c->low = k ? s[k - 1] : -INFINITY;
	c->high = k ? s[n - k] : INFINITY;
	c->half_width = (c->high - c->low) / 2;
	for (size_t i = 0; i < n; i++) {
		not_above += s[i] <= 0;
		not_below += s[i] >= 0;
	}
	const size_t least = not_above < not_below ? not_above : not_below;
	c->p = least > top ? 1 : fmin(1, 2 * below[least]);
}

/* The candidates were logarithms of ratios. */
static void make_relative(struct stats_change *c)
{
	c->change = expm1(c->change);
	c->low = expm1(c->low);
	c->high = expm1(c->high);
}

/* Returns the averages of all pairs of values and of each value with itself, sorted. */
static double *averages(const double *d, size_t n)
{
	double *w = malloc((n * (n + 1) / 2 + 1) * sizeof *w);
	size_t m = 0;

	for (size_t i = 0; w && i < n; i++)
		for (size_t j = i; j < n; j++)
			w[m++] = (d[i] + d[j]) / 2;
	if (w)
		qsort(w, m, sizeof *w, ascending);
	return w;
}

int stats_differences(struct stats_change *c, enum stats_method method, const double *d,
		      size_t n, int relative, double alpha)
{
	const int ranked = method == STATS_SIGNED_RANK;
	const size_t ncandidates = ranked ? n * (n + 1) / 2 : n;
	size_t top = n;
	double *below = ranked ? signed_rank(n, &top) : binomial(n);
	double *candidates = ranked ? averages(d, n) : sorted(d, n);
	const int rc = below && candidates ? 0 : -1;

	*c = (struct stats_change){.method = method, .relative = relative};
	if (rc == 0)
		invert(c, candidates, ncandidates, below, top, alpha);
	if (rc == 0 && relative)
		make_relative(c);
	free(candidates);
	free(below);
	return rc;
}

/*
 * Returns 1 if the tails of the differences are heavy: the 90 % quantile of the distances
 * from the median is more than 3 times the median distance. Normal values have a factor
 * of 2.4. Returns -1 with ENOMEM.
 */
static int has_heavy_tails(const double *d, size_t n)
{
	double *s = sorted(d, n);

	if (!s)
		return -1;
	const double median = quantile(s, n, 0.5);
	for (size_t i = 0; i < n; i++)
		s[i] = fabs(s[i] - median);
	qsort(s, n, sizeof *s, ascending);
	const int heavy = quantile(s, n, 0.9) > 3 * quantile(s, n, 0.5);
	free(s);
	return heavy;
}

static int choose_method(const double *d, size_t n, enum stats_method *method)
{
	const int heavy = n < LEAST_TAILED ? 0 : has_heavy_tails(d, n);

	*method = heavy || n > MOST_RANKED ? STATS_SIGN : STATS_SIGNED_RANK;
	return heavy == -1 ? -1 : 0;
}

static int are_positive(const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] <= 0)
			return 0;
	return 1;
}

int stats_pairs(struct stats_change *c, const double *a, const double *b, size_t n,
		double alpha)
{
	const int relative = are_positive(a, n) && are_positive(b, n);
	double *d = malloc((n + 1) * sizeof *d);
	enum stats_method method;
	int rc = -1;

	if (!d)
		return -1;
	for (size_t i = 0; i < n; i++)
		d[i] = relative ? log(b[i] / a[i]) : b[i] - a[i];
	if (choose_method(d, n, &method) == 0)
		rc = stats_differences(c, method, d, n, relative, alpha);
	free(d);
	return rc;
}

int stats_samples(struct stats_change *c, const double *a, size_t m, const double *b,
		  size_t n, double alpha)
{
	const int relative = are_positive(a, m) && are_positive(b, n);
	double *d = malloc((m * n + 1) * sizeof *d), *below = rank_sum(m, n);
	const int rc = d && below ? 0 : -1;
	size_t k = 0;

	*c = (struct stats_change){.method = STATS_RANK_SUM, .relative = relative};
	for (size_t i = 0; d && i < m; i++)
		for (size_t j = 0; j < n; j++)
			d[k++] = relative ? log(b[j] / a[i]) : b[j] - a[i];
	if (rc == 0) {
		qsort(d, k, sizeof *d, ascending);
		invert(c, d, k, below, k, alpha);
	}
	if (rc == 0 && relative)
		make_relative(c);
	free(d);
	free(below);
	return rc;
}

double stats_detectable(const struct stats_change *c)
{
	if (!c->has_interval)
		return 0;
	return c->relative ? expm1(2 * c->half_width) : 2 * c->half_width;
}

int stats_holm(double *p, size_t n)
{
	double *s = sorted(p, n), *adjusted = malloc((n + 1) * sizeof *adjusted);

	if (!s || !adjusted) {
		free(s);
		free(adjusted);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		const double own = fmin(1, (double)(n - i) * s[i]);

		adjusted[i] = i ? fmax(adjusted[i - 1], own) : own;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (p[i] == s[k]) {
				p[i] = adjusted[k];
				break;
			}
	free(s);
	free(adjusted);
	return 0;
}

double stats_quantile(double *value, size_t n, double q)
{
	qsort(value, n, sizeof *value, ascending);
	return quantile(value, n, q);
}

int stats_spread(struct stats_spread *spread, const double *value, size_t n)
{
	double *s = sorted(value, n);

	if (!s)
		return -1;
	const double first = quantile(s, n, 0.25), third = quantile(s, n, 0.75);
	*spread = (struct stats_spread){.min = s[0],
					.first_quartile = first,
					.median = quantile(s, n, 0.5),
					.third_quartile = third,
					.max = s[n - 1]};
	/* Values are counts, and quartiles are often equal: 1 is the least difference. */
	const double far = 3 * fmax(third - first, 1);
	for (size_t i = 0; i < n; i++) {
		spread->below += s[i] < first - far;
		spread->above += s[i] > third + far;
	}
	free(s);
	return 0;
}

/*
 * Returns the ranks of the values, from which the mean was subtracted: equal values have
 * the mean of their ranks. NULL with ENOMEM.
 */
static double *centred_ranks(const double *value, size_t n)
{
	double *r = malloc((n + 1) * sizeof *r);

	for (size_t i = 0; r && i < n; i++) {
		size_t below = 0, equal = 0;

		for (size_t k = 0; k < n; k++) {
			below += value[k] < value[i];
			equal += value[k] == value[i];
		}
		r[i] = (double)below + ((double)equal - 1) / 2 - ((double)n - 1) / 2;
	}
	return r;
}

/* Returns the sum of products of two rows of n numbers. */
static double product(const double *x, const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/*
 * Returns 1 if the median of the last third of the runs differs from that of the first by
 * more than 2 %, or -1 with ENOMEM.
 */
static int thirds_differ(const double *value, size_t n)
{
	const size_t third = n / 3;
	struct stats_spread first, last;

	if (stats_spread(&first, value, third) == -1 ||
	    stats_spread(&last, value + n - third, third) == -1)
		return -1;
	return fabs(last.median - first.median) > 0.02 * fabs(first.median);
}

int stats_drifts(const double *value, size_t n)
{
	double *rank = n < 6 ? NULL : centred_ranks(value, n);
	double both = 0, of_time = 0;

	if (!rank)
		return n < 6 ? 0 : -1;
	for (size_t i = 0; i < n; i++) {
		const double t = (double)i - ((double)n - 1) / 2;

		both += rank[i] * t;
		of_time += t * t;
	}
	const double size = sqrt(product(rank, rank, n) * of_time);
	free(rank);
	/* 2.576 is the two-sided 1 % point of the normal distribution. */
	if (size == 0 || fabs(both / size) <= 2.576 / sqrt((double)n - 1))
		return 0;
	return thirds_differ(value, n);
}

int stats_has_bursts(const double *value, size_t n)
{
	double *rank = n < 20 ? NULL : centred_ranks(value, n);

	if (!rank)
		return n < 20 ? 0 : -1;
	const double size = product(rank, rank, n);
	const double neighbours = product(rank, rank + 1, n - 1);
	free(rank);
	/* 2.326 is the one-sided 1 % point of the normal distribution. */
	return size > 0 && neighbours / size > 2.326 / sqrt((double)n);
}
