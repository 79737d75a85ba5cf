#include <string.h>

#include "region/format.h"

enum { NUMBER = 13, THREADS = 8, CALLS = 10, LEAST = 8 };

static const char *event_of(const struct region_process *p, unsigned event)
{
	return p->events->set->reqs->req[event].name;
}

static size_t longer(size_t width, const char *text)
{
	const size_t own = text_width(text);

	return own > width ? own : width;
}

/* Append text and the blanks that make it width characters wide, and one more. */
static void put_name(struct textbuf *b, const char *text, size_t width)
{
	textbuf_clean(b, text);
	textbuf_cell(b, "", 0, width + 1 - text_width(text));
}

static void put_title(struct textbuf *b, const char *title, size_t width)
{
	textbuf_char(b, ' ');
	textbuf_cell(b, title, strlen(title), width);
}

static void put_number(struct textbuf *b, int known, uint64_t v, size_t width)
{
	textbuf_char(b, ' ');
	if (known)
		textbuf_num(b, v, width);
	else
		textbuf_cell(b, "-", 1, width);
}

static void put_values(struct textbuf *b, const struct region_values *v)
{
	const int known = v->inclusive.quality != CPC_UNAVAILABLE;

	put_number(b, known, v->inclusive.value, NUMBER);
	put_number(b, v->exclusive.quality != CPC_UNAVAILABLE, v->exclusive.value,
		   NUMBER);
	put_number(b, known, v->min, NUMBER);
	put_number(b, known, v->median, NUMBER);
	put_number(b, known, v->max, NUMBER);
	textbuf_str(b, "  ");
	textbuf_str(b, cpc_class_name(v->inclusive.quality));
	textbuf_char(b, '\n');
}

static void put_region(struct textbuf *b, const struct region_process *p,
		       const struct region_summary *s, size_t name, size_t event)
{
	for (unsigned i = 0; i < p->events->n; i++) {
		put_name(b, i ? "" : s->name, name);
		if (i) {
			textbuf_cell(b, "", 0, THREADS + CALLS + 2);
		} else {
			put_number(b, 1, s->threads, THREADS);
			put_number(b, 1, s->calls, CALLS);
		}
		textbuf_str(b, "  ");
		put_name(b, event_of(p, i), event);
		put_values(b, &s->value[i]);
	}
}

static void put_head(struct textbuf *b, const struct region_process *p, size_t name,
		     size_t event)
{
	textbuf_str(b, "regions of ");
	textbuf_clean(b, p->command);
	textbuf_str(b, ", process ");
	textbuf_num(b, (uint64_t)p->pid, 0);
	textbuf_str(b, ", counted by ");
	textbuf_str(b, cpc_engine_name(p->events->cpc));
	textbuf_str(b, p->provisional ? ", which goes on\n" : "\n");
	put_name(b, "region", name);
	put_title(b, "threads", THREADS);
	put_title(b, "calls", CALLS);
	textbuf_str(b, "  ");
	put_name(b, "event", event);
	put_title(b, "inclusive", NUMBER);
	put_title(b, "exclusive", NUMBER);
	put_title(b, "min/thread", NUMBER);
	put_title(b, "median", NUMBER);
	put_title(b, "max", NUMBER);
	textbuf_str(b, "  class\n");
}

/* Append "note: NAME: TEXT: N", or nothing if n is 0. */
static void put_note(struct textbuf *b, const char *name, const char *text, uint64_t n)
{
	if (n == 0)
		return;
	textbuf_str(b, "note: ");
	textbuf_clean(b, name);
	textbuf_str(b, *name ? ": " : "");
	textbuf_str(b, text);
	textbuf_str(b, ": ");
	textbuf_num(b, n, 0);
	textbuf_char(b, '\n');
}

static void put_notes(struct textbuf *b, const struct region_process *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct region_summary *s = p->summary[i];

		put_note(b, s->name,
			 "calls that ended with their thread or process, not by "
			 "cpc_region_end()",
			 s->cut);
		put_note(b, s->name, "calls that have not ended, which are left out",
			 s->open);
	}
	put_note(b, "", "threads without counters, whose regions are left out",
		 p->failed);
}

void region_format_table(struct textbuf *b, const struct region_process *p)
{
	size_t name = LEAST, event = LEAST;

	for (unsigned i = 0; i < p->n; i++)
		name = longer(name, p->summary[i]->name);
	for (unsigned i = 0; i < p->events->n; i++)
		event = longer(event, event_of(p, i));
	put_head(b, p, name, event);
	for (unsigned i = 0; i < p->n; i++)
		put_region(b, p, p->summary[i], name, event);
	put_notes(b, p);
}
