#include "suite/profile/markup.h"

#include <stdlib.h>
#include <string.h>

static void put_character(struct textbuf *b, const char **s)
{
	static const struct {
		char c;
		const char *entity;
	} entities[] = {{'&', "&amp;"},
			{'<', "&lt;"},
			{'>', "&gt;"},
			{'"', "&quot;"},
			{'\'', "&#39;"}};

	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
		if (**s == entities[i].c) {
			textbuf_str(b, entities[i].entity);
			++*s;
			return;
		}
	*s += textbuf_utf8(b, *s);
}

void markup_text(struct textbuf *b, const char *s, size_t max)
{
	const size_t width = text_width(s);

	for (size_t n = 0; *s; n++) {
		if (width > max && n + 3 >= max) {
			textbuf_str(b, "...");
			return;
		}
		put_character(b, &s);
	}
}

static void put_attribute(struct textbuf *b, const char *name, double v,
			  unsigned decimals)
{
	textbuf_char(b, ' ');
	textbuf_str(b, name);
	textbuf_str(b, "=\"");
	textbuf_decimal(b, v, decimals, 0);
	textbuf_char(b, '"');
}

static void put_class(struct textbuf *b, const char *class)
{
	textbuf_str(b, " class=\"");
	textbuf_str(b, class);
	textbuf_char(b, '"');
}

void markup_rect(struct textbuf *b, struct box box, const char *class, double opacity,
		 const char *tooltip)
{
	textbuf_str(b, "<rect");
	put_class(b, class);
	put_attribute(b, "x", box.x, 1);
	put_attribute(b, "y", box.y, 1);
	put_attribute(b, "width", box.w, 1);
	put_attribute(b, "height", box.h, 1);
	if (opacity < 1)
		put_attribute(b, "fill-opacity", opacity, 2);
	textbuf_str(b, "><title>");
	markup_text(b, tooltip, SIZE_MAX);
	textbuf_str(b, "</title></rect>\n");
}

void markup_label(struct textbuf *b, double x, double y, const char *class,
		  const char *anchor, const char *s, size_t max)
{
	textbuf_str(b, "<text");
	put_class(b, class);
	put_attribute(b, "x", x, 1);
	put_attribute(b, "y", y, 1);
	textbuf_str(b, " text-anchor=\"");
	textbuf_str(b, anchor);
	textbuf_str(b, "\">");
	markup_text(b, s, max);
	textbuf_str(b, "</text>\n");
}

void markup_begin(struct textbuf *b, double width, double height, const char *title)
{
	textbuf_str(
		b,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ");
	textbuf_decimal(b, width, 1, 0);
	textbuf_char(b, ' ');
	textbuf_decimal(b, height, 1, 0);
	textbuf_str(b, "\"><title>");
	markup_text(b, title, SIZE_MAX);
	textbuf_str(b, "</title>\n");
}

void markup_end(struct textbuf *b)
{
	textbuf_str(b, "</svg>\n");
}

static void put_cell(struct textbuf *b, const struct sheet_column *c,
		     const struct sheet_cell *cell)
{
	struct textbuf text = {0};

	textbuf_str(b, c->type == SHEET_TEXT ? "<td>" : "<td class=\"n\">");
	sheet_put_cell(&text, c->type, cell);
	char *s = textbuf_end(&text);

	if (s)
		markup_text(b, s, SIZE_MAX);
	else
		b->failed = 1;
	free(s);
	textbuf_str(b, "</td>");
}

void markup_sheet(struct textbuf *b, const struct sheet *t)
{
	textbuf_str(b, "<div class=\"wide\"><table><thead><tr>");
	for (unsigned i = 0; i < t->ncolumn; i++) {
		if (!t->column[i].title)
			continue;
		textbuf_str(b, t->column[i].type == SHEET_TEXT ? "<th>"
							       : "<th class=\"n\">");
		markup_text(b, t->column[i].title, SIZE_MAX);
		textbuf_str(b, "</th>");
	}
	textbuf_str(b, "</tr></thead><tbody>\n");
	for (size_t row = 0; row < t->nrow; row++) {
		textbuf_str(b, "<tr>");
		for (unsigned i = 0; i < t->ncolumn; i++)
			if (t->column[i].title)
				put_cell(b, &t->column[i],
					 &t->cell[row * t->ncolumn + i]);
		textbuf_str(b, "</tr>\n");
	}
	textbuf_str(b, "</tbody></table></div>\n");
	b->failed |= t->failed;
}

/* Return the worst ratio of the sides of boxes of these areas along a side. */
static double worst(double side, double largest, double smallest, double sum)
{
	const double wide = side * side * largest / (sum * sum);
	const double high = sum * sum / (side * side * smallest);

	return wide > high ? wide : high;
}

/* Put n areas, whose sum is given, along the shorter side of *box; take it off *box. */
static void put_strip(struct box *box, const double *area, size_t n, double sum,
		      struct box *out)
{
	const int across = box->w < box->h;
	const double side = across ? box->w : box->h, depth = sum / side;
	double at = 0;

	for (size_t i = 0; i < n; i++) {
		const double length = area[i] / depth;

		out[i] = across ? (struct box){box->x + at, box->y, length, depth}
				: (struct box){box->x, box->y + at, depth, length};
		at += length;
	}
	if (across) {
		box->y += depth;
		box->h = box->h > depth ? box->h - depth : 0;
	} else {
		box->x += depth;
		box->w = box->w > depth ? box->w - depth : 0;
	}
}

/* Return how many of n areas make the squarest strip, and their sum. */
static size_t strip_length(const struct box *box, const double *area, size_t n,
			   double *sum)
{
	const double side = box->w < box->h ? box->w : box->h;
	size_t k = 1;

	*sum = area[0];
	while (k < n && worst(side, area[0], area[k], *sum + area[k]) <=
				worst(side, area[0], area[k - 1], *sum))
		*sum += area[k++];
	return k;
}

/* Source: Bruls, Huizing, van Wijk: Squarified Treemaps (2000) */
void markup_treemap(struct box box, const uint64_t *value, size_t n, struct box *out)
{
	double *area = calloc(n + 1, sizeof *area), total = 0, sum;

	for (size_t i = 0; i < n; i++) {
		total += (double)value[i];
		out[i] = (struct box){box.x, box.y, 0, 0};
	}
	for (size_t i = 0; area && i < n; i++)
		area[i] = (double)value[i] / total * box.w * box.h;
	for (size_t i = 0, k; area && i < n && box.w > 0.01 && box.h > 0.01; i += k) {
		k = strip_length(&box, area + i, n - i, &sum);
		put_strip(&box, area + i, k, sum, out + i);
	}
	free(area);
}
