#include "suite/profile/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/profile/drawings.h"
#include "suite/profile/markup.h"
#include "suite/profile/names.h"

/* Colours follow the reader's choice of a light or a dark page. */
static const char style[] =
	":root{color-scheme:light dark;--back:#fff;--text:#1c2430;--dim:#5b6675;"
	"--line:#d5dbe3;--bar:#2f6db5;--c0:#8fb8e8;--c1:#a9d39e;--c2:#f0c27b;"
	"--c3:#d9a6d6;--c4:#93d1cc;--c5:#e8a59a;--c6:#c5c98a;--c7:#b7b9e3;"
	"--on:#14202e}\n"
	"@media(prefers-color-scheme:dark){:root{--back:#14181e;--text:#e4e8ee;"
	"--dim:#9aa6b5;--line:#343d49;--bar:#6aa5ea;--c0:#2f5c8f;--c1:#3d6b34;"
	"--c2:#80591b;--c3:#6f3f6c;--c4:#2b6864;--c5:#82443a;--c6:#5d6127;"
	"--c7:#4a4d87;--on:#f2f5f9}}\n"
	"body{margin:2rem auto;max-width:70rem;padding:0 1rem;"
	"background:var(--back);color:var(--text);"
	"font:15px/1.5 system-ui,sans-serif}\n"
	"h1{font-size:1.5rem;margin:0}h2{font-size:1.2rem;margin:2.5rem 0 .3rem;"
	"border-top:1px solid var(--line);padding-top:1rem}h3{font-size:1rem;"
	"margin:1.5rem 0 .4rem}p{margin:.3rem 0;color:var(--dim)}"
	"pre{white-space:pre-wrap;color:var(--dim);"
	"font:13px/1.5 ui-monospace,monospace}\n"
	"svg{width:100%;height:auto;display:block}"
	"svg text{font:12px ui-monospace,monospace;fill:var(--text)}"
	"svg text.on{fill:var(--on)}svg text.dim{fill:var(--dim)}"
	"rect.bar,rect.heat{fill:var(--bar)}rect.frame{fill:none;"
	"stroke:var(--line)}"
	"rect.c0,rect.c1,rect.c2,rect.c3,rect.c4,rect.c5,rect.c6,"
	"rect.c7{stroke:var(--back);"
	"stroke-width:1}rect.c0{fill:var(--c0)}rect.c1{fill:var(--c1)}"
	"rect.c2{fill:var(--c2)}rect.c3{fill:var(--c3)}rect.c4{fill:var(--c4)}"
	"rect.c5{fill:var(--c5)}rect.c6{fill:var(--c6)}rect.c7{fill:var(--c7)}\n"
	".wide{overflow-x:auto}table{border-collapse:collapse;"
	"font:13px/1.6 ui-monospace,monospace}th,td{text-align:left;"
	"padding:0 .8rem 0 0;white-space:nowrap}th{color:var(--dim);"
	"font-weight:normal;border-bottom:1px solid var(--line)}"
	".n{text-align:right}\n";

static const char *title_of(const struct profile *p)
{
	const struct recording *r = p->ninput ? p->input[0].recording : NULL;

	if (r && r->command)
		return r->command;
	return r && r->program ? r->program : "lwprec report";
}

/* Append what text says, which may have several lines; text is freed. */
static void put_text(struct textbuf *b, struct textbuf *text)
{
	char *s = textbuf_end(text);

	for (char *line = s; line && *line;) {
		const size_t n = strcspn(line, "\n");
		const char end = line[n];

		line[n] = '\0';
		markup_text(b, line, SIZE_MAX);
		textbuf_char(b, '\n');
		line += n + (end != '\0');
	}
	b->failed |= !s;
	free(s);
}

static void put_head(struct textbuf *b, const struct profile *p)
{
	struct textbuf text = {0};

	textbuf_str(
		b,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	markup_text(b, title_of(p), 80);
	textbuf_str(b, "</title>\n<style>\n");
	textbuf_str(b, style);
	textbuf_str(b, "</style>\n</head>\n<body>\n<h1>");
	markup_text(b, title_of(p), 200);
	textbuf_str(b, "</h1>\n<pre>");
	report_put_head(&text, p);
	put_text(b, &text);
	textbuf_str(b, "</pre>\n");
}

static void put_heading(struct textbuf *b, const char *level, const char *s)
{
	textbuf_char(b, '<');
	textbuf_str(b, level);
	textbuf_char(b, '>');
	markup_text(b, s, SIZE_MAX);
	textbuf_str(b, "</");
	textbuf_str(b, level);
	textbuf_str(b, ">\n");
}

static void put_metric_head(struct textbuf *b, const struct profile_metric *m)
{
	struct textbuf text = {0};

	put_heading(b, "h2", m->event);
	textbuf_str(b, "<p>");
	report_put_metric(&text, m);
	textbuf_str(&text, ", ");
	textbuf_num(&text, m->total, 0);
	textbuf_str(&text, " in all");
	put_text(b, &text);
	textbuf_str(b, "</p>\n");
}

static int put_tables(struct textbuf *b, const struct profile *p, unsigned metric,
		      const struct report *r)
{
	for (unsigned i = 0; i < r->nview; i++) {
		struct textbuf text = {0};
		struct sheet t;

		if (report_sheet(&t, p, metric, r->view[i], &r->options) == -1) {
			sheet_free(&t);
			return -1;
		}
		if (t.nrow) {
			put_heading(b, "h3", r->view[i]->title);
			markup_sheet(b, &t);
		}
		if (t.remark) {
			textbuf_str(b, "<p>");
			textbuf_str(&text, t.remark);
			put_text(b, &text);
			textbuf_str(b, "</p>\n");
		}
		sheet_free(&t);
	}
	return 0;
}

static int put_metric(struct textbuf *b, const struct profile *p, unsigned metric,
		      const struct report *r)
{
	const struct profile_metric *m = &p->metric[metric];

	put_metric_head(b, m);
	if (!m->covered && drawings_functions(b, p, metric) == -1)
		return -1;
	if (drawings_heat(b, p, metric) == -1)
		return -1;
	return put_tables(b, p, metric, r);
}

int html_put(struct textbuf *b, const struct profile *p, const struct report *r)
{
	put_head(b, p);
	for (unsigned m = 0; m < p->nmetric; m++)
		if (p->metric[m].total && put_metric(b, p, m, r) == -1)
			return -1;
	textbuf_str(b, "</body>\n</html>\n");
	if (b->failed)
		errno = ENOMEM;
	return b->failed ? -1 : 0;
}
