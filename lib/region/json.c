#include "base/quote.h"
#include "region/format.h"

static void put_value(struct textbuf *b, const struct region_process *p, unsigned i,
		      const struct region_values *v)
{
	const struct request *q = &p->events->set->reqs->req[i];
	const cpc_value_t *in = &v->inclusive, *ex = &v->exclusive;
	const int known = in->quality != CPC_UNAVAILABLE;

	textbuf_char(b, '{');
	quote_json_text(b, "name", q->name);
	quote_json_number(b, "inclusive", known, in->value);
	quote_json_number(b, "exclusive", ex->quality != CPC_UNAVAILABLE, ex->value);
	quote_json_number(b, "min", known, v->min);
	quote_json_number(b, "median", known, v->median);
	quote_json_number(b, "max", known, v->max);
	quote_json_number(b, "count", known, in->count);
	quote_json_number(b, "enabled_ns", 1, in->enabled);
	quote_json_number(b, "running_ns", 1, in->running);
	quote_json_text(b, "class", cpc_class_name(in->quality));
	quote_json_text(b, "note",
			cpc_request_note(p->events->cpc, p->events->set, (int)i));
	textbuf_char(b, '}');
}

static void put_region(struct textbuf *b, const struct region_process *p,
		       const struct region_summary *s)
{
	textbuf_char(b, '{');
	quote_json_number(b, "schema", 1, 1);
	quote_json_text(b, "record", "region");
	quote_json_text(b, "command", p->command);
	quote_json_text(b, "host", p->host);
	quote_json_number(b, "pid", 1, (uint64_t)p->pid);
	quote_json_number(b, "unix_ns", 1, (uint64_t)p->unix_ns);
	quote_json_key(b, "provisional");
	textbuf_str(b, p->provisional ? "true" : "false");
	quote_json_text(b, "engine", cpc_engine_name(p->events->cpc));
	quote_json_number(b, "failed", 1, p->failed);
	quote_json_text(b, "region", s->name);
	quote_json_number(b, "threads", 1, s->threads);
	quote_json_number(b, "calls", 1, s->calls);
	quote_json_number(b, "cut", 1, s->cut);
	quote_json_number(b, "open", 1, s->open);
	quote_json_key(b, "values");
	textbuf_char(b, '[');
	for (unsigned i = 0; i < p->events->n; i++) {
		if (i)
			textbuf_char(b, ',');
		put_value(b, p, i, &s->value[i]);
	}
	textbuf_str(b, "]}\n");
}

void region_format_json(struct textbuf *b, const struct region_process *p)
{
	for (unsigned i = 0; i < p->n; i++)
		put_region(b, p, p->summary[i]);
}
