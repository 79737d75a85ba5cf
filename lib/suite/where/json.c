#include "suite/where/json.h"

#include <errno.h>
#include <math.h>

#include "base/quote.h"
#include "suite/row/json.h"
#include "suite/saved/lines.h"

/* Append a number with all its digits. */
static void put_number(struct textbuf *b, double v)
{
	textbuf_format(b, v == floor(v) && fabs(v) < 0x1p63 ? "%.0f" : "%.17g", v);
}

static void put_member(struct textbuf *b, const char *key, double v)
{
	quote_json_key(b, key);
	put_number(b, v);
}

static void put_function(struct textbuf *b, const struct where_function *f)
{
	quote_json_text(b, "function", f->name);
	quote_json_text(b, "module", f->module);
	quote_json_text(b, "source", f->source);
}

static void put_values(struct textbuf *b, const struct where *w,
		       const struct where_function *f)
{
	quote_json_key(b, "counts");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < w->nevents; i++) {
		if (i)
			textbuf_char(b, ',');
		if (w->is_counted[i])
			put_number(b, f->value[i]);
		else
			textbuf_str(b, "null");
	}
	textbuf_char(b, ']');
}

uint64_t where_json_functions(struct textbuf *b, const struct row_run *run,
			      unsigned series, const struct where *w)
{
	for (size_t i = 0; i < w->n; i++) {
		row_json_begin(b, run, "function");
		quote_json_number(b, "series", 1, series);
		put_function(b, w->function[i]);
		put_values(b, w, w->function[i]);
		textbuf_str(b, "}\n");
	}
	return w->n;
}

static void put_change(struct textbuf *b, const struct where_change *c)
{
	textbuf_char(b, '{');
	put_function(b, c->function);
	put_member(b, "a", c->a);
	put_member(b, "b", c->b);
	quote_json_text(b, "only", c->in_a && c->in_b ? NULL : c->in_a ? "A" : "B");
	textbuf_char(b, '}');
}

void where_json_changes(struct textbuf *b, const struct row_run *run,
			const struct where_subject *s, const struct where_changes *c)
{
	const size_t n = where_shown(c);

	row_json_begin(b, run, "where");
	quote_json_number(b, "reference", s->reference >= 0, (uint64_t)s->reference);
	quote_json_number(b, "candidate", 1, s->candidate);
	quote_json_text(b, "name", s->event);
	quote_json_text(b, "mode", s->mode && !*s->mode ? "none" : s->mode);
	put_member(b, "a", c->a);
	put_member(b, "b", c->b);
	quote_json_key(b, "functions");
	textbuf_char(b, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			textbuf_char(b, ',');
		put_change(b, &c->change[i]);
	}
	textbuf_char(b, ']');
	quote_json_number(b, "others", 1, c->n - n);
	textbuf_str(b, "}\n");
}

static int malformed(void)
{
	errno = EINVAL;
	return -1;
}

/* An event without counts by function has null in each record. */
int where_json_read(struct where *w, const struct saved_node *record)
{
	const struct saved_node *counts = saved_member(record, "counts");
	const struct where_function f = {.name = saved_text(record, "function"),
					 .module = saved_text(record, "module"),
					 .source = saved_text(record, "source")};

	if (!f.name || saved_size(counts) != w->nevents)
		return malformed();
	double *value = where_at(w, &f);
	if (!value)
		return -1;
	for (unsigned i = 0; i < w->nevents; i++) {
		const struct saved_node *v = saved_element(counts, i);
		const int is_null = saved_is(v, NODE_NULL);

		if (!saved_is_number(v) && !is_null)
			return malformed();
		value[i] = saved_real(v);
		if (is_null)
			w->is_counted[i] = 0;
	}
	return 0;
}
