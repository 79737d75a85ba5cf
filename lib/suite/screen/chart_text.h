/* A chart as text that fits into a window. */
#ifndef SUITE_SCREEN_CHART_TEXT_H
#define SUITE_SCREEN_CHART_TEXT_H

#include "base/text.h"
#include "suite/screen/chart.h"
#include "suite/screen/frame.h"

/*
 * Append a chart as a block of lines (frame.h) for the room of a frame. A strip has block
 * characters, or with utf8 0 ASCII characters; '_' stands for the value 0 and a blank for
 * no value. If there are more lines than rows, those with the largest sums are shown. A
 * chart that has failed makes b fail.
 */
void chart_text(struct textbuf *b, const struct chart *c, const struct frame *f,
		int utf8);

#endif
