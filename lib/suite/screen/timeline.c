#include "suite/screen/timeline.h"

#include <string.h>

void timeline_add(struct timeline *t, unsigned first, unsigned last, uint64_t value)
{
	for (unsigned i = first; i <= last; i++) {
		t->cell[i].sum += (float)value;
		t->cell[i].n++;
	}
	if (t->n == 0 || value < t->minimum)
		t->minimum = value;
	if (t->n == 0 || value > t->maximum)
		t->maximum = value;
	t->n++;
	t->total += (double)value;
	t->now = value;
	t->has_now = 1;
}

void timeline_gap(struct timeline *t)
{
	t->has_now = 0;
}

void timeline_halve(struct timeline *t)
{
	const unsigned half = TIMELINE_CELLS / 2;

	for (unsigned i = 0; i < half; i++) {
		t->cell[i].sum = t->cell[2 * i].sum + t->cell[2 * i + 1].sum;
		t->cell[i].n = t->cell[2 * i].n + t->cell[2 * i + 1].n;
	}
	memset(&t->cell[half], 0, half * sizeof t->cell[0]);
}

int timeline_mean(const struct timeline *t, unsigned begin, unsigned end, double *mean)
{
	double sum = 0;
	uint64_t n = 0;

	for (unsigned i = begin; i < end && i < TIMELINE_CELLS; i++) {
		sum += (double)t->cell[i].sum;
		n += t->cell[i].n;
	}
	*mean = n ? sum / (double)n : 0;
	return n > 0;
}
