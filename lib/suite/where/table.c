#include "suite/where/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names move the columns of their lines. */
enum { WIDEST_NAME = 48 };

void where_put_name(struct textbuf *b, const struct where_change *c)
{
	const struct where_function *f = c->function;
	const char *source = c->is_shared ? f->source : NULL;

	textbuf_clean(b, f->name);
	if (!source && !f->module)
		return;
	textbuf_str(b, " (");
	textbuf_clean(b, source ? source : f->module);
	if (source && f->module) {
		textbuf_str(b, ", ");
		textbuf_clean(b, f->module);
	}
	textbuf_char(b, ')');
}

static void pad(struct textbuf *b, size_t from, size_t to)
{
	for (; from < to; from++)
		textbuf_char(b, ' ');
}

/* Append a count, rounded, in a cell. Files can have numbers of any size. */
static void put_count(struct textbuf *b, double v, size_t width, int grouped)
{
	const int is_plain = v > -1e18 && v < 1e18;
	char digits[64], text[TEXT_GROUPED];

	snprintf(digits, sizeof digits, is_plain ? "%.0f" : "%.15g", v);
	const char *s = grouped && is_plain && *digits != '-' ? text_grouped(text, digits)
							      : digits;
	textbuf_cell(b, s, strlen(s), width);
}

void where_put_count(struct textbuf *b, double v, int grouped)
{
	put_count(b, v, 0, grouped);
}

static void put_part(struct textbuf *b, double change, double total, size_t width)
{
	char text[64];

	if (total > 0)
		snprintf(text, sizeof text, "%+.2f %%", 100 * change / total);
	else
		snprintf(text, sizeof text, "%+.0f", change);
	textbuf_cell(b, text, strlen(text), width);
}

void where_put_part(struct textbuf *b, double change, double total)
{
	put_part(b, change, total, 0);
}

static void put_parts(struct textbuf *b, double change, const struct where_changes *c)
{
	textbuf_str(b, "  ");
	put_part(b, change, c->a, 8);
	textbuf_str(b, " of ");
	put_part(b, c->b - c->a, c->a, 0);
}

static void put_change(struct textbuf *b, const char *name, size_t width,
		       const struct where_change *f, const struct where_changes *c,
		       int grouped)
{
	textbuf_str(b, "  ");
	textbuf_str(b, name);
	pad(b, text_width(name), width);
	put_parts(b, f->b - f->a, c);
	textbuf_str(b, "   ");
	put_count(b, f->a, 0, grouped);
	textbuf_str(b, " -> ");
	put_count(b, f->b, 0, grouped);
	if (!f->in_a || !f->in_b)
		textbuf_str(b, f->in_b ? "   only in B" : "   only in A");
	textbuf_char(b, '\n');
}

void where_put_others(struct textbuf *b, const struct where_changes *c)
{
	const size_t n = c->n - where_shown(c);

	textbuf_num(b, n, 0);
	textbuf_str(b, n == 1 ? " other" : " others");
}

double where_rest(const struct where_changes *c)
{
	double rest = c->b - c->a;

	for (size_t i = 0; i < where_shown(c); i++)
		rest -= c->change[i].b - c->change[i].a;
	return rest;
}

static void put_others(struct textbuf *b, size_t width, const struct where_changes *c)
{
	const size_t begin = b->len + 2;

	if (where_shown(c) == c->n)
		return;
	textbuf_str(b, "  ");
	where_put_others(b, c);
	if (!b->failed)
		pad(b, b->len - begin, width);
	put_parts(b, where_rest(c), c);
	textbuf_char(b, '\n');
}

static void put_heading(struct textbuf *b, const char *event,
			const struct where_changes *c, int grouped)
{
	textbuf_clean(b, event);
	textbuf_str(b, "  ");
	put_count(b, c->a, 0, grouped);
	textbuf_str(b, " -> ");
	put_count(b, c->b, 0, grouped);
	textbuf_str(b, c->n ? "\n" : ", the same in each function\n");
}

/* The lines of the functions that are shown. */
struct lines {
	size_t n, width;
	char **name; /* [n] */
};

/* Returns -1 with ENOMEM. */
static int begin_lines(struct lines *l, const struct where_changes *c)
{
	*l = (struct lines){.width = strlen("1000 others"),
			    .name = calloc(c->n + 1, sizeof(*l->name))};
	if (!l->name)
		return -1;
	for (const size_t n = where_shown(c); l->n < n; l->n++) {
		struct textbuf name = {0};

		where_put_name(&name, &c->change[l->n]);
		l->name[l->n] = textbuf_end(&name);
		if (!l->name[l->n])
			return -1;
		const size_t own = text_width(l->name[l->n]);

		if (own > l->width && own <= WIDEST_NAME)
			l->width = own;
	}
	return 0;
}

static void end_lines(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
}

int where_put_changes(struct textbuf *b, const char *event, const struct where_changes *c,
		      int grouped)
{
	struct lines l;
	const int rc = begin_lines(&l, c);

	if (rc == 0) {
		put_heading(b, event, c, grouped);
		for (size_t i = 0; i < l.n; i++)
			put_change(b, l.name[i], l.width, &c->change[i], c, grouped);
		put_others(b, l.width, c);
	}
	end_lines(&l);
	return rc;
}

/* Append a share of the total and a count, which the name of a function follows. */
static void put_share(struct textbuf *b, double v, double total, int grouped)
{
	char text[64];

	snprintf(text, sizeof text, "%.2f %%", total > 0 ? 100 * v / total : 0);
	textbuf_cell(b, text, strlen(text), 10);
	put_count(b, v, 16, grouped);
	textbuf_str(b, "   ");
}

void where_put_shares(struct textbuf *b, const char *event, const struct where_changes *c,
		      int grouped)
{
	const size_t shown = where_shown(c);

	textbuf_clean(b, event);
	textbuf_str(b, "  ");
	put_count(b, c->b, 0, grouped);
	textbuf_char(b, '\n');
	for (size_t i = 0; i < shown; i++) {
		put_share(b, c->change[i].b, c->b, grouped);
		where_put_name(b, &c->change[i]);
		textbuf_char(b, '\n');
	}
	if (shown == c->n)
		return;
	put_share(b, where_rest(c), c->b, grouped);
	where_put_others(b, c);
	textbuf_char(b, '\n');
}
