/* The axes of charts: round numbers that cover a range, and their labels. */
#ifndef SUITE_PAGE_AXIS_H
#define SUITE_PAGE_AXIS_H

#include "base/text.h"

enum axis_unit {
	AXIS_COUNT,
	AXIS_NS,   /* shown as s, ms, us or ns */
	AXIS_RATIO /* shown in percent */
};

struct axis {
	double low, high, step; /* multiples of step */
	double unit;		/* one unit of the labels */
	const char *suffix;	/* " ms" */
	int decimals;
};

/* Make an axis from low to high, or a little longer. */
void axis_fit(struct axis *a, double low, double high, enum axis_unit unit);

/* Returns the place of a value on the axis, from 0 to 1, also if it is beyond an end. */
double axis_place(const struct axis *a, double v);

/* Returns the number of labels, and the value at label i. */
unsigned axis_labels(const struct axis *a);
double axis_value(const struct axis *a, unsigned i);

/* Append a label, without the suffix. */
void axis_put(struct textbuf *b, const struct axis *a, double v);

#endif
