/* Reports of perfex as text, in the layout of perfex(1) of IRIX. */
#ifndef IRIX_TEXT_H
#define IRIX_TEXT_H

#include "base/text.h"
#include "irix/perfex.h"
#include "irix/stats.h"

/* A row, and the seconds that its events take; negative: not known. */
struct perfex_line {
	const struct perfex_row *row;
	double typical, minimum, maximum;
};

/* line: r->n of them. */
void perfex_text(struct textbuf *b, const struct perfex_report *r,
		 const struct perfex_line *line, const struct perfex_stat *stat,
		 unsigned nstats);

/* The title above lines of periods. */
void perfex_text_periods(struct textbuf *b, const struct perfex_report *r);

/* v, below 1e10 (or 1e13 with 6 decimals), in a cell. */
void perfex_decimal(struct textbuf *b, double v, unsigned decimals, size_t width);

#endif
