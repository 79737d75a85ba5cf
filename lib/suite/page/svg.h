/*
 * Parts of charts. A chart is a drawing of 1000 by 1000 units that is stretched to the
 * place it has, beside labels that are text of the page, so that letters, lines and
 * points have their usual size on each screen.
 */
#ifndef SUITE_PAGE_SVG_H
#define SUITE_PAGE_SVG_H

#include "base/text.h"
#include "suite/page/axis.h"

enum { SVG_SIZE = 1000 };

/* Begin a drawing, with the text that stands for it, and end it. */
void svg_begin(struct textbuf *b, const char *class, struct textbuf *words);
void svg_end(struct textbuf *b);

/* Append a line, or a point if both ends are the same. */
void svg_line(struct textbuf *b, const char *class, double x1, double y1, double x2,
	      double y2);

/* Append horizontal lines at the labels of an axis, or vertical ones. */
void svg_grid(struct textbuf *b, const struct axis *a, int vertical);

/* Append a number of the coordinates. */
void svg_number(struct textbuf *b, double v);

/* Append the labels of an axis at the left side, or below. */
void svg_labels(struct textbuf *b, const struct axis *a, int below);

/* Returns the coordinate of a value: from the bottom up, or from the left. */
double svg_y(const struct axis *a, double v);
double svg_x(const struct axis *a, double v);

#endif
