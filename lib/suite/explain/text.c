#include "suite/explain/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Appends "NAME=VALUE (WORD)" of each field, in lines of at most WIDTH columns if
 * possible.
 */
static void put_fields(struct textbuf *b, const struct explain_item *it)
{
	enum { WIDTH = 78, INDENT = 6 };
	size_t len = 0;

	for (unsigned i = 0; i < it->n; i++) {
		const struct engine_field *f = &it->field[i];
		char text[128];
		const int n = snprintf(text, sizeof text,
				       f->value < 10 ? "%s=%" PRIu64 : "%s=0x%" PRIx64,
				       f->name, f->value);

		if (len && len + 1 + (size_t)n > WIDTH)
			len = 0;
		if (len == 0)
			textbuf_format(b, "%s%*s", i ? "\n" : "", INDENT, "");
		textbuf_format(b, "%s%s", len ? " " : "", text);
		len = (len ? len : INDENT) + 1 + (size_t)n;
		if (f->word) {
			textbuf_format(b, " (%s)", f->word);
			len += strlen(f->word) + 3;
		}
	}
	if (it->n)
		textbuf_char(b, '\n');
}

static void put_item(struct textbuf *b, const struct explain_item *it)
{
	textbuf_format(b, "    %s", it->name);
	if (it->space)
		textbuf_format(b, " (%s 0x%" PRIx64 ")", it->space, it->addr);
	if (it->valued)
		textbuf_format(b, " = 0x%" PRIx64, it->value);
	if (it->from) {
		textbuf_str(b, ": ");
		textbuf_clean(b, it->from);
	}
	textbuf_char(b, '\n');
	put_fields(b, it);
}

static const char *modes(unsigned flags)
{
	static const char *const text[] = {"neither mode", "user", "system",
					   "user and system"};

	return text[(flags & CPC_COUNT_USER ? 1 : 0) |
		    (flags & CPC_COUNT_SYSTEM ? 2 : 0)];
}

static void put_line(struct textbuf *b, const char *label, const char *text)
{
	if (!text)
		return;
	textbuf_str(b, label);
	textbuf_clean(b, text);
	textbuf_char(b, '\n');
}

static void put_request(struct textbuf *b, const struct explain_req *r)
{
	if (r->pic >= 0)
		textbuf_format(b, "  pic%d ", r->pic);
	else
		textbuf_str(b, "  ");
	textbuf_clean(b, r->name);
	if (r->native)
		textbuf_format(b, " (%s)", r->native);
	textbuf_format(b, ", %s", modes(r->flags));
	if (r->title) {
		textbuf_str(b, ": ");
		textbuf_clean(b, r->title);
	}
	textbuf_char(b, '\n');
	for (unsigned i = 0; i < r->items.n; i++)
		put_item(b, &r->items.item[i]);
	put_line(b, "    cannot be counted: ", r->refused);
	put_line(b, "    values: ", r->refused ? NULL : r->class);
	put_line(b,
		 r->refused ? "    would be counted "
		 : r->class ? "    counted "
			    : "    note: ",
		 r->note);
}

void explain_text(struct textbuf *b, const struct explain_set *s)
{
	textbuf_format(b, "%sset %u: ", s->number > 0 ? "\n" : "", s->number);
	textbuf_clean(b, s->spec);
	textbuf_char(b, '\n');
	if (s->cpu)
		textbuf_format(b, "  %s (%s)\n", s->title, s->cpu);
	put_line(b, "  register layout: ", s->source);
	if (s->engine)
		textbuf_format(b, "  engine %s\n", s->engine);
	put_line(b, "  cannot be programmed: ", s->refused);
	for (unsigned i = 0; i < s->n; i++)
		put_request(b, &s->req[i]);
	if (s->shared.n)
		textbuf_str(b, "  shared\n");
	for (unsigned i = 0; i < s->shared.n; i++)
		put_item(b, &s->shared.item[i]);
}
