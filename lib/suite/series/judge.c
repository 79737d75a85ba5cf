#include "suite/series/judge.h"

#include <stdlib.h>

/* The numbers of runs that a verdict needs, and the most that are compared as samples. */
enum { LEAST_PAIRS = 2, LEAST_COUNTS = 3, LEAST_SAMPLES = 6, MOST_SAMPLES = 50 };

const char *judge_name(enum judge_verdict v)
{
	static const char *const name[] = {
		[JUDGE_SAME] = "same",
		[JUDGE_LESS] = "less",
		[JUDGE_MORE] = "more",
		[JUDGE_NONE] = "no difference shown",
		[JUDGE_NONE_AMONG] = "not shown among so many events",
		[JUDGE_TOO_FEW] = "too few runs",
		[JUDGE_UNAVAILABLE] = "not counted",
		[JUDGE_MOMENTS] = "varies between moments",
	};

	return name[v];
}

/* Returns whether a count differs from run to run: more values than half the runs. */
static int differs(const struct runs_constancy *c, size_t n)
{
	return c->distinct > n / 2;
}

static void set_change(struct judgement *j)
{
	j->has_change = 1;
	j->change = (struct stats_change){.relative = j->a > 0};
	j->change.change = j->a > 0 ? j->b / j->a - 1 : j->b - j->a;
}

/* Both samples differ in each run: compare them as samples that are not paired. */
static int judge_samples(struct judgement *j, const struct runs *a, unsigned a_event,
			 const struct runs *b, unsigned b_event, double alpha)
{
	double *x = runs_values(a, a_event), *y = runs_values(b, b_event);
	const int rc = x && y ? stats_samples(&j->change, x, a->n, y, b->n, alpha) : -1;

	free(x);
	free(y);
	if (rc == -1)
		return -1;
	if (j->change.has_interval && j->change.p <= alpha)
		j->verdict = j->change.change > 0 ? JUDGE_MORE : JUDGE_LESS;
	else
		j->detectable = stats_detectable(&j->change);
	return 0;
}

/*
 * Ranges of k values each that do not overlap are apart by chance with a probability of
 * at most 2 k! k! / (2 k)!, whatever the distribution.
 */
static int judge_counts(struct judgement *j, const struct runs *a, unsigned a_event,
			const struct runs *b, unsigned b_event, double alpha)
{
	struct runs_constancy ca, cb;

	runs_constancy(&ca, a, a_event);
	runs_constancy(&cb, b, b_event);
	j->a = (double)ca.usual;
	j->b = (double)cb.usual;
	j->verdict = JUDGE_NONE;
	set_change(j);
	if (ca.distinct == 1 && cb.distinct == 1 && ca.usual == cb.usual)
		j->verdict = JUDGE_SAME;
	else if (a->n < LEAST_COUNTS || b->n < LEAST_COUNTS)
		j->verdict = JUDGE_TOO_FEW;
	else if (cb.least > ca.most)
		j->verdict = JUDGE_MORE;
	else if (cb.most < ca.least)
		j->verdict = JUDGE_LESS;
	else if (differs(&ca, a->n) && differs(&cb, b->n) && a->n >= LEAST_SAMPLES &&
		 b->n >= LEAST_SAMPLES && a->n <= MOST_SAMPLES && b->n <= MOST_SAMPLES)
		return judge_samples(j, a, a_event, b, b_event, alpha);
	return 0;
}

/* Fills all but the verdict, which depends on the other events. */
static int compare_noisy(struct judgement *j, const struct runs *a, const struct runs *b,
			 unsigned event, double alpha)
{
	double *x = runs_values(a, event), *y = runs_values(b, event);
	struct stats_spread sa, sb;
	int rc = -1;

	if (x && y && stats_spread(&sa, x, a->n) == 0 && stats_spread(&sb, y, b->n) == 0)
		rc = stats_pairs(&j->change, x, y, a->n, alpha);
	free(x);
	free(y);
	if (rc == -1)
		return -1;
	j->a = sa.median;
	j->b = sb.median;
	j->has_change = 1;
	j->detectable = stats_detectable(&j->change);
	return 0;
}

static int is_noisy(const struct judgement *j, const struct runs *a, unsigned event)
{
	return a->event[event].kind == RUNS_NOISY && j->verdict != JUDGE_UNAVAILABLE;
}

/* own_p is the probability of this event without regard to the others. */
static void decide(struct judgement *j, double own_p, double alpha)
{
	if (!j->change.has_interval)
		j->verdict = JUDGE_TOO_FEW;
	else if (j->change.p <= alpha)
		j->verdict = j->change.change > 0 ? JUDGE_MORE : JUDGE_LESS;
	else
		j->verdict = own_p <= alpha ? JUDGE_NONE_AMONG : JUDGE_NONE;
}

static int judge_noisy(struct judgement *j, const struct runs *a, const struct runs *b,
		       double alpha)
{
	double p[a->nevents + 1];
	unsigned n = 0;

	for (unsigned i = 0; i < a->nevents; i++)
		if (is_noisy(&j[i], a, i)) {
			if (compare_noisy(&j[i], a, b, i, alpha) == -1)
				return -1;
			p[n++] = j[i].change.p;
		}
	if (stats_holm(p, n) == -1)
		return -1;
	n = 0;
	for (unsigned i = 0; i < a->nevents; i++)
		if (is_noisy(&j[i], a, i)) {
			const double own_p = j[i].change.p;

			j[i].change.p = p[n++];
			decide(&j[i], own_p, alpha);
		}
	return 0;
}

int judge_pairs(struct judgement *j, const struct runs *a, const struct runs *b,
		double alpha)
{
	for (unsigned i = 0; i < a->nevents; i++) {
		j[i] = (struct judgement){.verdict = JUDGE_TOO_FEW};
		if (runs_missing(a, i) || runs_missing(b, i))
			j[i].verdict = JUDGE_UNAVAILABLE;
		else if (a->event[i].kind == RUNS_COUNT && a->n && b->n &&
			 judge_counts(&j[i], a, i, b, i, alpha) == -1)
			return -1;
	}
	return a->n < LEAST_PAIRS ? 0 : judge_noisy(j, a, b, alpha);
}

/* The medians of an event that varies between moments, side by side. */
static int judge_moments(struct judgement *j, const struct runs *a, unsigned a_event,
			 const struct runs *b, unsigned b_event)
{
	double *x = runs_values(a, a_event), *y = runs_values(b, b_event);
	struct stats_spread sa, sb;
	const int rc = x && y && stats_spread(&sa, x, a->n) == 0
			       ? stats_spread(&sb, y, b->n)
			       : -1;

	free(x);
	free(y);
	if (rc == -1)
		return -1;
	j->a = sa.median;
	j->b = sb.median;
	j->verdict = JUDGE_MOMENTS;
	set_change(j);
	return 0;
}

/* Judge event number event of now. */
static int judge_event(struct judgement *j, const struct runs *saved,
		       const struct runs *now, unsigned event, double alpha)
{
	const struct runs_event *e = &now->event[event];
	const int was = runs_find(saved, e->name, e->mode);

	*j = (struct judgement){.verdict = JUDGE_UNAVAILABLE};
	if (was < 0 || !saved->n || !now->n || runs_missing(saved, (unsigned)was) ||
	    runs_missing(now, event))
		return 0;
	if (e->kind == RUNS_COUNT && saved->event[was].kind == RUNS_COUNT)
		return judge_counts(j, saved, (unsigned)was, now, event, alpha);
	return judge_moments(j, saved, (unsigned)was, now, event);
}

int judge_saved(struct judgement *j, const struct runs *saved, const struct runs *now,
		double alpha)
{
	for (unsigned i = 0; i < now->nevents; i++)
		if (judge_event(&j[i], saved, now, i, alpha) == -1)
			return -1;
	return 0;
}
