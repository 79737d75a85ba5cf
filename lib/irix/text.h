/* Reports of perfex as text, in the layout of perfex(1) of IRIX. */
#ifndef IRIX_TEXT_H
#define IRIX_TEXT_H

#include "base/text.h"
#include "irix/perfex.h"
#include "irix/stats.h"

/* A row and the time that its events took. */
struct irix_line {
	const struct irix_row *row;
	struct irix_times time;
};

/* Append a report of r->n lines. */
void irix_text(struct textbuf *b, const struct irix_report *r,
	       const struct irix_line *line, const struct irix_stat *stat,
	       unsigned nstats);

/* Append the title of reports whose scope is IRIX_PERIOD. */
void irix_text_periods(struct textbuf *b, const struct irix_report *r);

#endif
