#include "suite/screen/series.h"

#include <string.h>

void series_add(struct series *s, unsigned first, unsigned last, uint64_t value)
{
	for (unsigned i = first; i <= last; i++) {
		s->cell[i].sum += (float)value;
		s->cell[i].n++;
	}
	if (s->n == 0 || value < s->minimum)
		s->minimum = value;
	if (s->n == 0 || value > s->maximum)
		s->maximum = value;
	s->n++;
	s->total += (double)value;
	s->now = value;
	s->has_now = 1;
}

void series_gap(struct series *s)
{
	s->has_now = 0;
}

void series_halve(struct series *s)
{
	const unsigned half = SERIES_CELLS / 2;

	for (unsigned i = 0; i < half; i++) {
		s->cell[i].sum = s->cell[2 * i].sum + s->cell[2 * i + 1].sum;
		s->cell[i].n = s->cell[2 * i].n + s->cell[2 * i + 1].n;
	}
	memset(&s->cell[half], 0, half * sizeof s->cell[0]);
}

int series_mean(const struct series *s, unsigned begin, unsigned end, double *mean)
{
	double sum = 0;
	uint64_t n = 0;

	for (unsigned i = begin; i < end && i < SERIES_CELLS; i++) {
		sum += (double)s->cell[i].sum;
		n += s->cell[i].n;
	}
	*mean = n ? sum / (double)n : 0;
	return n > 0;
}
