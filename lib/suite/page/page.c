#include "suite/page/page.h"

#include <stdint.h>
#include <string.h>

#include "suite/page/arm.h"
#include "suite/page/style.h"
#include "suite/profile/markup.h"

static void put_text(struct textbuf *b, const char *text)
{
	markup_text(b, text, SIZE_MAX);
}

void page_begin(struct textbuf *b, const char *title)
{
	textbuf_str(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		       "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
		       "content=\"width=device-width,initial-scale=1\">\n"
		       "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	markup_text(b, title, 80);
	textbuf_str(b, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n");
	textbuf_str(b, page_style);
	textbuf_str(b, "</style>\n</head>\n<body>\n<h1>Measurements of OpenCPC</h1>\n"
		       "<main>\n");
}

void page_end(struct textbuf *b)
{
	textbuf_str(b, "</main>\n<footer>Made by cpcreport of OpenCPC " VERSION
		       "</footer>\n</body>\n</html>\n");
}

void page_section(struct textbuf *b, const char *title)
{
	textbuf_str(b, "<section>\n<h2>");
	put_text(b, title);
	textbuf_str(b, "</h2>\n");
}

void page_section_end(struct textbuf *b)
{
	textbuf_str(b, "</section>\n");
}

void page_heading(struct textbuf *b, const char *text)
{
	textbuf_str(b, "<h3>");
	put_text(b, text);
	textbuf_str(b, "</h3>\n");
}

void page_subheading(struct textbuf *b, const char *text)
{
	textbuf_str(b, "<h4>");
	put_text(b, text);
	textbuf_str(b, "</h4>\n");
}

void page_words(struct textbuf *b, const char *text)
{
	textbuf_str(b, "<p>");
	put_text(b, text);
	textbuf_str(b, "</p>\n");
}

void page_facts(struct textbuf *b)
{
	textbuf_str(b, "<dl>\n");
}

void page_fact(struct textbuf *b, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	textbuf_str(b, "<dt>");
	put_text(b, name);
	textbuf_str(b, "</dt><dd>");
	put_text(b, value);
	textbuf_str(b, "</dd>\n");
}

void page_facts_end(struct textbuf *b)
{
	textbuf_str(b, "</dl>\n");
}

void page_arms(struct textbuf *b, const char *const *command, unsigned n)
{
	textbuf_str(b, "<ul class=\"legend\">\n");
	for (unsigned i = 0; i < n; i++) {
		textbuf_str(b, "<li><span class=\"mark ");
		textbuf_str(b, arm_class(i));
		textbuf_str(b, "\"></span>");
		if (n > 1) {
			textbuf_str(b, "<b>");
			textbuf_str(b, arm_letter(i, n));
			textbuf_str(b, "</b>");
		}
		textbuf_str(b, "<code>");
		put_text(b, command[i]);
		textbuf_str(b, "</code></li>\n");
	}
	textbuf_str(b, "</ul>\n");
}

void page_reference(struct textbuf *b, unsigned arm, unsigned n, const char *command)
{
	textbuf_str(b, "<p>A is ");
	textbuf_str(b, arm_letter(arm, n));
	textbuf_str(b, ", <code>");
	put_text(b, command);
	textbuf_str(b, "</code></p>\n");
}

void page_against(struct textbuf *b, const char *name)
{
	textbuf_str(b, "<p>Against <code>");
	put_text(b, name);
	textbuf_str(b, "</code></p>\n");
}

void page_result(struct textbuf *b, const char *words, int is_bad)
{
	textbuf_str(b, is_bad ? "<p class=\"result bad\">" : "<p class=\"result\">");
	put_text(b, words);
	textbuf_str(b, "</p>\n");
}

static void put_titles(struct textbuf *b, const struct cells *c)
{
	textbuf_str(b, "<thead><tr>");
	for (unsigned i = 0; i < c->ncolumn; i++) {
		if (c->column[i].kind == CELLS_REMARK)
			continue;
		textbuf_str(b, c->column[i].kind == CELLS_NUMBER
				       ? "<th scope=\"col\" class=\"n\">"
				       : "<th scope=\"col\">");
		put_text(b, c->column[i].title);
		textbuf_str(b, "</th>");
	}
	textbuf_str(b, "</tr></thead>\n");
}

/* Append the text of a verdict, with the remark of the next column. */
static void put_verdict(struct textbuf *b, const struct cells *c, size_t row,
			unsigned column)
{
	textbuf_str(b, "<td><strong>");
	put_text(b, cells_text(c, row, column));
	textbuf_str(b, "</strong>");
	if (++column < c->ncolumn && c->column[column].kind == CELLS_REMARK &&
	    *cells_text(c, row, column)) {
		textbuf_str(b, " <small>");
		put_text(b, cells_text(c, row, column));
		textbuf_str(b, "</small>");
	}
	textbuf_str(b, "</td>");
}

static void put_cell(struct textbuf *b, const struct cells *c, size_t row,
		     unsigned column)
{
	const int is_name = c->column[column].kind == CELLS_NAME;

	if (c->column[column].kind == CELLS_REMARK)
		return;
	if (c->column[column].kind == CELLS_VERDICT) {
		put_verdict(b, c, row, column);
		return;
	}
	textbuf_str(b, is_name					? "<th scope=\"row\">"
		       : c->column[column].kind == CELLS_NUMBER ? "<td class=\"n\">"
								: "<td>");
	put_text(b, cells_text(c, row, column));
	textbuf_str(b, is_name ? "</th>" : "</td>");
}

static void put_table(struct textbuf *b, const struct cells *c, const char *caption,
		      const char *class)
{
	textbuf_str(b,
		    "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
	put_text(b, caption);
	textbuf_str(b, "\"><table class=\"");
	textbuf_str(b, class);
	textbuf_str(b, "\"><caption>");
	put_text(b, caption);
	textbuf_str(b, "</caption>");
	put_titles(b, c);
	textbuf_str(b, "<tbody>\n");
	for (size_t row = 0; row < c->nrow; row++) {
		textbuf_str(b, "<tr>");
		for (unsigned i = 0; i < c->ncolumn; i++)
			put_cell(b, c, row, i);
		textbuf_str(b, "</tr>\n");
	}
	textbuf_str(b, "</tbody></table></div>\n");
}

void page_table(struct textbuf *b, const struct cells *c, const char *caption)
{
	put_table(b, c, caption, "words");
}

void page_closed_table(struct textbuf *b, const struct cells *c, const char *summary)
{
	textbuf_str(b, "<details><summary>");
	put_text(b, summary);
	textbuf_str(b, "</summary>\n");
	put_table(b, c, summary, "numbers");
	textbuf_str(b, "</details>\n");
}
