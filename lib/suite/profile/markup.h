/* Text and shapes in HTML and SVG. */
#ifndef SUITE_PROFILE_MARKUP_H
#define SUITE_PROFILE_MARKUP_H

#include "base/text.h"
#include "suite/profile/sheet.h"

/* A rectangle, in the units of the drawing. */
struct box {
	double x, y, w, h;
};

/* Append text from outside, of at most max characters ("..." stands for the rest). */
void markup_text(struct textbuf *b, const char *s, size_t max);

/* Append a rectangle; class is a word of the page's style, opacity from 0 to 1. */
void markup_rect(struct textbuf *b, struct box box, const char *class, double opacity,
		 const char *tooltip);

/* Append a text at a place; anchor is "start", "middle" or "end". */
void markup_label(struct textbuf *b, double x, double y, const char *class,
		  const char *anchor, const char *s, size_t max);

/* Append <svg> with a title for readers who do not see it, and </svg>. */
void markup_begin(struct textbuf *b, double width, double height, const char *title);
void markup_end(struct textbuf *b);

/* Append a sheet as a table; its title and remark are left out. */
void markup_sheet(struct textbuf *b, const struct sheet *t);

/*
 * Divide box into n boxes whose areas are to each other as the values, which are in
 * descending order and not 0, and which are as square as can be.
 */
void markup_treemap(struct box box, const uint64_t *value, size_t n, struct box *out);

#endif
