/* Reports of perfex as text, in the layout of perfex(1) of IRIX. */
#ifndef IRIX_TEXT_H
#define IRIX_TEXT_H

#include "base/text.h"
#include "irix/report.h"
#include "irix/stats.h"

/* A row, and the seconds that its events take; negative: not known. */
struct irix_line {
	const struct irix_row *row;
	double typical, minimum, maximum;
};

/* line: r->n of them. */
void irix_text(struct textbuf *b, const struct irix_report *r,
	       const struct irix_line *line, const struct irix_stat *stat,
	       unsigned nstats);

/* The title above lines of periods. */
void irix_text_periods(struct textbuf *b, const struct irix_report *r);

/* v, below 1e10 (or 1e13 with 6 decimals), in a cell. */
void irix_text_decimal(struct textbuf *b, double v, unsigned decimals, size_t width);

#endif
