/* The verdict about an event of two series: what changed from A, the reference, to B. */
#ifndef SUITE_SERIES_JUDGE_H
#define SUITE_SERIES_JUDGE_H

#include "suite/series/runs.h"
#include "suite/series/stats.h"

enum judge_verdict {
	JUDGE_SAME,	   /* a count with one value, the same in both */
	JUDGE_LESS,	   /* B has fewer, or is faster */
	JUDGE_MORE,	   /* B has more, or is slower */
	JUDGE_NONE,	   /* no difference is shown */
	JUDGE_NONE_AMONG,  /* not shown because there are several events (Holm) */
	JUDGE_TOO_FEW,	   /* too few runs for any statement */
	JUDGE_UNAVAILABLE, /* the event has no value in some runs */
	JUDGE_MOMENTS	   /* the event varies between moments, and is not judged */
};

/* Returns the verdict as the records spell it, such as "less" or "too few runs". */
const char *judge_name(enum judge_verdict v);

struct judgement {
	enum judge_verdict verdict;
	double a, b;	/* medians, or the most frequent counts */
	int has_change; /* change is known */
	/*
	 * B / A - 1, or, if a value is 0, B - A. The change of a noisy event has an
	 * interval, and a probability that was adjusted for the number of events.
	 */
	struct stats_change change;
	double detectable; /* stats_detectable() of the change; 0: not known */
};

/*
 * Judge all events of two series of pairs: run i of A and run i of B were made next to
 * each other in an order that was drawn. j has room for a->nevents. alpha is the
 * probability of a false alarm. Returns -1 with ENOMEM.
 *
 * Counts of a simulation are judged by their ranges, all else by the statistics of the
 * pairs, with Holm's correction.
 */
int judge_pairs(struct judgement *j, const struct runs *a, const struct runs *b,
		double alpha);

/*
 * Judge all events of now against those of runs that were saved at another moment, which
 * may have them in another order. j has room for now->nevents. Counts of a simulation are
 * judged as judge_pairs() does; all else varies between moments and only has its medians
 * and their change. Returns -1 with ENOMEM.
 */
int judge_saved(struct judgement *j, const struct runs *saved, const struct runs *now,
		double alpha);

/* A comparison of the runs b with the reference a, as judge_pairs() has judged it. */
struct judge_comparison {
	const struct runs *a, *b;
	const struct judgement *judgement; /* of each event */
	double alpha;
	/* The file of a, which judge_saved() has judged; NULL: the runs are pairs. */
	const char *saved;
};

#endif
