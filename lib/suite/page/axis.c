#include "suite/page/axis.h"

#include <math.h>
#include <stddef.h>

/* How many steps an axis has, about. */
enum { STEPS = 4 };

static const struct scale {
	double from, size; /* the unit of values from this one on */
	const char *suffix;
} counts[] = {{1e10, 1e9, " G"}, {1e7, 1e6, " M"}, {1e4, 1e3, " k"}, {0, 1, ""}},
  times[] = {{1e9, 1e9, " s"}, {1e6, 1e6, " ms"}, {1e3, 1e3, " us"}, {0, 1, " ns"}},
  ratios[] = {{0, 0.01, " %"}};

/* Returns a step of 1, 2 or 5 times a power of 10. */
static double round_step(double step)
{
	const double power = pow(10, floor(log10(step)));
	const double digit = step / power;

	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static const struct scale *find_scale(const struct scale *s, double most)
{
	while (s->from > most)
		s++;
	return s;
}

void axis_fit(struct axis *a, double low, double high, enum axis_unit unit)
{
	static const struct scale *const scales[] = {
		[AXIS_COUNT] = counts, [AXIS_NS] = times, [AXIS_RATIO] = ratios};

	if (!(high > low)) {
		const double width = low != 0 ? fabs(low) / 50 : 1;

		low -= width;
		high += width;
	}
	a->step = round_step((high - low) / STEPS);
	if (unit != AXIS_RATIO && a->step < 1)
		a->step = 1;
	a->low = floor(low / a->step) * a->step;
	a->high = ceil(high / a->step) * a->step;
	const struct scale *s = find_scale(scales[unit], fmax(fabs(a->low), a->high));
	a->unit = s->size;
	a->suffix = s->suffix;
	const double shown = a->step / a->unit;
	a->decimals = shown >= 1 ? 0 : (int)ceil(-log10(shown) - 1e-9);
}

double axis_place(const struct axis *a, double v)
{
	const double place = (v - a->low) / (a->high - a->low);

	return place < 0 ? 0 : place > 1 ? 1 : place;
}

unsigned axis_labels(const struct axis *a)
{
	return (unsigned)((a->high - a->low) / a->step + 1.5);
}

double axis_value(const struct axis *a, unsigned i)
{
	return a->low + i * a->step;
}

void axis_put(struct textbuf *b, const struct axis *a, double v)
{
	/* A sum of steps can miss 0 by a rounding error. */
	if (fabs(v) < a->step / 1000)
		v = 0;
	textbuf_format(b, "%.*f", a->decimals, v / a->unit);
}
