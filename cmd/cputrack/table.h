/* The table of --threads: a sink that shows what each thread has counted. */
#ifndef CPUTRACK_TABLE_H
#define CPUTRACK_TABLE_H

#include "common/screen.h"
#include "options.h"
#include "suite/record/sink.h"

/*
 * Return a sink for the rows of a run. On a terminal table_draw() shows an interval; at
 * the end the totals are written, as text or, by lines, as rows: lines is NULL or a sink
 * for rows of CSV or JSON, which the result owns. screen must outlive the result. Returns
 * NULL with ENOMEM, and frees lines then.
 */
struct sink *table_new(const struct options *o, struct screen *screen,
		       struct sink *lines);

/*
 * Return whether the interval of a row is over, so that the table must be drawn when all
 * rows of the same time have come. The sink is one of table_new().
 */
int table_is_due(const struct sink *s);

/*
 * Draw what each thread counted since the last time, in the place of the table before.
 * Returns -1 with errno if the output has failed.
 */
int table_draw(struct sink *s);

/*
 * Draw the table again if it is on the screen and complete, because the window of the
 * terminal has another size.
 */
void table_redraw(void *sink);

#endif
