#include "suite/explain/json.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/quote.h"

static void put_bool(struct textbuf *b, const char *name, int value)
{
	quote_json_key(b, name);
	textbuf_str(b, value ? "true" : "false");
}

static void put_hex(struct textbuf *b, const char *name, int present, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof text, "0x%" PRIx64, v);
	quote_json_text(b, name, present ? text : NULL);
}

/* Many readers of JSON read numbers as doubles (RFC 8259, 6), exact only below 2^53. */
static void put_field(struct textbuf *b, const struct engine_field *f)
{
	if (f->value >> 53) {
		put_hex(b, f->name, 1, f->value);
		return;
	}
	quote_json_number(b, f->name, 1, f->value);
}

static void put_item(struct textbuf *b, const struct explain_item *it)
{
	textbuf_char(b, '{');
	quote_json_text(b, "name", it->name);
	quote_json_text(b, "space", it->space);
	put_hex(b, "address", it->space != NULL, it->addr);
	put_hex(b, "value", it->valued, it->value);
	quote_json_text(b, "from", it->from);
	quote_json_key(b, "fields");
	textbuf_char(b, '{');
	for (unsigned i = 0; i < it->n; i++)
		put_field(b, &it->field[i]);
	textbuf_str(b, "}}");
}

static void put_items(struct textbuf *b, const char *name,
		      const struct explain_items *items)
{
	quote_json_key(b, name);
	textbuf_char(b, '[');
	for (unsigned i = 0; i < items->n; i++) {
		if (i)
			textbuf_char(b, ',');
		put_item(b, &items->item[i]);
	}
	textbuf_char(b, ']');
}

static void put_request(struct textbuf *b, const struct explain_req *r)
{
	textbuf_char(b, '{');
	quote_json_text(b, "event", r->name);
	quote_json_text(b, "native", r->native);
	quote_json_text(b, "title", r->title);
	quote_json_number(b, "pic", r->pic >= 0, (uint64_t)r->pic);
	put_bool(b, "user", (r->flags & CPC_COUNT_USER) != 0);
	put_bool(b, "system", (r->flags & CPC_COUNT_SYSTEM) != 0);
	quote_json_text(b, "class", r->class);
	quote_json_text(b, "note", r->note);
	quote_json_text(b, "reason", r->refused);
	put_items(b, "items", &r->items);
	textbuf_char(b, '}');
}

void explain_json(struct textbuf *b, const struct explain_set *s)
{
	textbuf_str(b, "{\"schema\":1,\"set\":");
	textbuf_num(b, s->number, 0);
	quote_json_text(b, "spec", s->spec);
	quote_json_text(b, "processor", s->cpu);
	quote_json_text(b, "title", s->title);
	quote_json_text(b, "source", s->source);
	quote_json_text(b, "engine", s->engine);
	put_bool(b, "programmed", explain_set_programmable(s));
	quote_json_text(b, "reason", s->refused);
	quote_json_key(b, "requests");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < s->n; i++) {
		if (i)
			textbuf_char(b, ',');
		put_request(b, &s->req[i]);
	}
	textbuf_char(b, ']');
	put_items(b, "shared", &s->shared);
	textbuf_str(b, "}\n");
}
