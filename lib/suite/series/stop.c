#include "suite/series/stop.h"

#include <stdlib.h>

#include "suite/series/stats.h"

/*
 * The numbers of rounds after which the interval is looked at, and not after each round,
 * and never at the verdict, which would make false alarms frequent. Simulated counts need
 * so many runs that ranges which are apart mean something.
 */
static const size_t looks[] = {10, 15, 22, 33, 50, 75, 112};
enum { NLOOKS = sizeof looks / sizeof looks[0], ROUNDS_OF_COUNTS = 5, LEAST_ROUNDS = 6 };

static int is_look(size_t n)
{
	for (unsigned i = 0; i < NLOOKS; i++)
		if (looks[i] == n)
			return 1;
	return 0;
}

static int is_precise(const struct stop *s, const struct runs *a, const struct runs *b)
{
	double *x = runs_values(a, 0), *y = runs_values(b, 0);
	struct stats_change c;
	const int rc = x && y ? stats_pairs(&c, x, y, b->n, s->alpha) : -1;

	free(x);
	free(y);
	if (rc == -1)
		return -1;
	return c.has_interval && c.change - c.low <= s->width &&
	       c.high - c.change <= s->width;
}

/* The changes from all references must be known. */
static int are_precise(const struct stop *s, const struct runs *const *command,
		       unsigned n)
{
	int precise = n > 1;

	for (unsigned i = 0; precise == 1 && i + 1 < n; i++)
		precise = is_precise(s, command[i], command[n - 1]);
	return precise;
}

int stop_is_due(const struct stop *s, const struct runs *const *command, unsigned n,
		double seconds)
{
	const size_t rounds = command[n - 1]->n;

	if (s->rounds)
		return rounds >= s->rounds;
	if (s->is_count)
		return rounds >= ROUNDS_OF_COUNTS;
	if (rounds >= LEAST_ROUNDS && seconds >= s->seconds)
		return 1;
	if (rounds >= looks[NLOOKS - 1])
		return 1;
	return is_look(rounds) ? are_precise(s, command, n) : 0;
}
