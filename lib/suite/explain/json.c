#include "suite/explain/json.h"

#include <inttypes.h>
#include <stdio.h>

#include "suite/row/json.h"

static void key(struct rowbuf *b, const char *name)
{
	if (b->len && b->s[b->len - 1] != '{')
		rowbuf_char(b, ',');
	row_json_quoted(b, name);
	rowbuf_char(b, ':');
}

static void put_text(struct rowbuf *b, const char *name, const char *text)
{
	key(b, name);
	row_json_quoted(b, text);
}

static void put_bool(struct rowbuf *b, const char *name, int is)
{
	key(b, name);
	rowbuf_str(b, is ? "true" : "false");
}

static void put_hex(struct rowbuf *b, const char *name, int there, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof text, "0x%" PRIx64, v);
	put_text(b, name, there ? text : NULL);
}

/* RFC 8259, 6: others read numbers as doubles. */
static void put_field(struct rowbuf *b, const struct engine_field *f)
{
	if (f->value >> 53) {
		put_hex(b, f->name, 1, f->value);
		return;
	}
	key(b, f->name);
	rowbuf_num(b, f->value, 0);
}

static void put_item(struct rowbuf *b, const struct explain_item *it)
{
	rowbuf_char(b, '{');
	put_text(b, "name", it->name);
	put_text(b, "space", it->space);
	put_hex(b, "address", it->space != NULL, it->addr);
	put_hex(b, "value", it->valued, it->value);
	put_text(b, "from", it->from);
	key(b, "fields");
	rowbuf_char(b, '{');
	for (unsigned i = 0; i < it->n; i++)
		put_field(b, &it->field[i]);
	rowbuf_str(b, "}}");
}

static void put_items(struct rowbuf *b, const char *name,
		      const struct explain_items *items)
{
	key(b, name);
	rowbuf_char(b, '[');
	for (unsigned i = 0; i < items->n; i++) {
		if (i)
			rowbuf_char(b, ',');
		put_item(b, &items->item[i]);
	}
	rowbuf_char(b, ']');
}

static void put_request(struct rowbuf *b, const struct explain_req *r)
{
	rowbuf_char(b, '{');
	put_text(b, "event", r->name);
	put_text(b, "native", r->native);
	put_text(b, "title", r->title);
	key(b, "pic");
	if (r->pic >= 0)
		rowbuf_num(b, (uint64_t)r->pic, 0);
	else
		rowbuf_str(b, "null");
	put_bool(b, "user", (r->flags & CPC_COUNT_USER) != 0);
	put_bool(b, "system", (r->flags & CPC_COUNT_SYSTEM) != 0);
	put_text(b, "class", r->class);
	put_text(b, "note", r->note);
	put_text(b, "reason", r->refused);
	put_items(b, "items", &r->items);
	rowbuf_char(b, '}');
}

void explain_json(struct rowbuf *b, const struct explain_set *s)
{
	rowbuf_str(b, "{\"schema\":1,\"set\":");
	rowbuf_num(b, s->number, 0);
	put_text(b, "spec", s->spec);
	put_text(b, "processor", s->cpu);
	put_text(b, "title", s->title);
	put_text(b, "engine", s->engine);
	put_bool(b, "programmed", explain_set_works(s));
	put_text(b, "reason", s->refused);
	key(b, "requests");
	rowbuf_char(b, '[');
	for (unsigned i = 0; i < s->n; i++) {
		if (i)
			rowbuf_char(b, ',');
		put_request(b, &s->req[i]);
	}
	rowbuf_char(b, ']');
	put_items(b, "shared", &s->shared);
	rowbuf_str(b, "}\n");
}
