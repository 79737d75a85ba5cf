/* Reports of perfex as text, in the layout of perfex(1) of IRIX. */
#ifndef IRIX_TEXT_H
#define IRIX_TEXT_H

#include <stddef.h>

#include "base/text.h"
#include "irix/perfex.h"
#include "irix/stats.h"

/* A row and the seconds that its events take, which are negative if not known. */
struct irix_line {
	const struct irix_row *row;
	double typical, minimum, maximum;
};

/* Append a report of r->n lines. */
void irix_text(struct textbuf *b, const struct irix_report *r,
	       const struct irix_line *line, const struct irix_stat *stat,
	       unsigned nstats);

/* Append the title of reports whose scope is IRIX_PERIOD. */
void irix_text_periods(struct textbuf *b, const struct irix_report *r);

/*
 * Append v, rounded, right-justified to width. v is below 1e10, or below 1e13 with 6
 * decimals.
 */
void irix_text_decimal(struct textbuf *b, double v, unsigned decimals, size_t width);

#endif
