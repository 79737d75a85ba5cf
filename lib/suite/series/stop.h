/* When repeated runs end: how many rounds, one run of each command, are enough. */
#ifndef SUITE_SERIES_STOP_H
#define SUITE_SERIES_STOP_H

#include "suite/series/runs.h"

struct stop {
	size_t rounds; /* as many as the user wants, or 0: until enough is known */
	int is_count;  /* the runs are simulated */
	double seconds;
	double width; /* of both sides of the interval of the first event's change */
	double alpha; /* of the interval */
};

/*
 * Returns whether the rounds so far are enough, or -1 with ENOMEM. The last of the n
 * commands is compared with each other one. seconds: since the first round began.
 */
int stop_is_due(const struct stop *s, const struct runs *const *command, unsigned n,
		double seconds);

#endif
