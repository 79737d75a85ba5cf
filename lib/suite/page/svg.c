#include "suite/page/svg.h"

#include <stdint.h>
#include <stdlib.h>

#include "suite/profile/markup.h"

void svg_begin(struct textbuf *b, const char *class, struct textbuf *words)
{
	char *text = textbuf_end(words);

	textbuf_str(b, "<svg class=\"");
	textbuf_str(b, class);
	textbuf_str(b, "\" viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" "
		       "role=\"img\" aria-label=\"");
	if (text)
		markup_text(b, text, SIZE_MAX);
	else
		b->failed = 1;
	free(text);
	*words = (struct textbuf){0};
	textbuf_str(b, "\">\n");
}

void svg_end(struct textbuf *b)
{
	textbuf_str(b, "</svg>\n");
}

void svg_number(struct textbuf *b, double v)
{
	textbuf_decimal(b, v, 1, 0);
}

void svg_line(struct textbuf *b, const char *class, double x1, double y1, double x2,
	      double y2)
{
	textbuf_str(b, "<path class=\"");
	textbuf_str(b, class);
	textbuf_str(b, "\" d=\"M");
	svg_number(b, x1);
	textbuf_char(b, ' ');
	svg_number(b, y1);
	textbuf_char(b, 'L');
	svg_number(b, x2);
	textbuf_char(b, ' ');
	svg_number(b, y2);
	textbuf_str(b, "\"/>\n");
}

double svg_y(const struct axis *a, double v)
{
	return SVG_SIZE * (1 - axis_place(a, v));
}

double svg_x(const struct axis *a, double v)
{
	return SVG_SIZE * axis_place(a, v);
}

void svg_grid(struct textbuf *b, const struct axis *a, int vertical)
{
	for (unsigned i = 0; i < axis_labels(a); i++) {
		const double v = axis_value(a, i);

		if (vertical)
			svg_line(b, "grid", svg_x(a, v), 0, svg_x(a, v), SVG_SIZE);
		else
			svg_line(b, "grid", 0, svg_y(a, v), SVG_SIZE, svg_y(a, v));
	}
}

void svg_labels(struct textbuf *b, const struct axis *a, int below)
{
	const unsigned n = axis_labels(a);

	textbuf_str(b, below ? "<div class=\"xs\">" : "<div class=\"ys\">");
	for (unsigned i = 0; i < n; i++) {
		const double v = axis_value(a, i);

		textbuf_str(b, below ? "<span style=\"left:" : "<span style=\"bottom:");
		textbuf_decimal(b, 100 * axis_place(a, v), 2, 0);
		textbuf_str(b, "%\">");
		axis_put(b, a, v);
		textbuf_str(b, i + 1 == n ? a->suffix : "");
		textbuf_str(b, "</span>");
	}
	textbuf_str(b, "</div>\n");
}
