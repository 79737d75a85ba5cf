#include "printer.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/status.h"

/* Lines are written when this much text waits. */
enum { BUFFER_SIZE = 1 << 18 };

static void no_memory(void) __attribute__((noreturn));

static void no_memory(void)
{
	err(EXIT_TOOL, "cannot decode the records");
}

static int needs_names(const struct printer *p)
{
	const uint64_t names = FIELD_BIT(FIELD_SYMBOL) | FIELD_BIT(FIELD_OFFSET) |
			       FIELD_BIT(FIELD_MODULE) | FIELD_BIT(FIELD_FILE) |
			       FIELD_BIT(FIELD_LINE);

	return (p->fields.chosen & names) || p->options->filters.symbol ||
	       p->options->filters.module;
}

static void open_places(struct printer *p)
{
	const uint64_t lines = FIELD_BIT(FIELD_FILE) | FIELD_BIT(FIELD_LINE);
	const struct symbols_options o = {
		.lines = p->fields.chosen & lines ? symbols_lines : NULL,
		.mangled = p->options->mangled,
		.pid = p->options->pid ? p->options->pid : p->recording->pid,
	};

	p->places = places_new(p->recording, &o, p->fields.format);
	if (!p->places)
		no_memory();
}

/* Return whether the fields are those of columns.h, with or without symbol. */
static int has_columns(const struct fields *f)
{
	struct fields usual;

	fields_choose(&usual, COLUMNS_FIELDS);
	return f->n >= usual.n && memcmp(f->id, usual.id, usual.n) == 0 &&
	       (f->n == usual.n ||
		(f->n == usual.n + 1 && f->id[usual.n] == FIELD_SYMBOL));
}

void printer_begin(struct printer *p, const struct decode_options *o,
		   const struct recording *r, struct out *out)
{
	static const char *const states[PRINTER_STATES] = {"unread", "missed", "old",
							   "pending"};
	const struct fields fields = p->fields;

	*p = (struct printer){.options = o, .recording = r, .fields = fields, .out = out};
	if (fields_begin(&p->fields, o->shared.format) == -1)
		no_memory();
	for (unsigned i = 0; i < PRINTER_STATES; i++) {
		p->state[i] = fields_word(o->shared.format, states[i]);
		if (!p->state[i].s)
			no_memory();
	}
	columns_begin(&p->columns, &p->fields);
	p->has_columns = o->shared.format == TEXT_PLAIN && has_columns(&p->fields);
	p->size = BUFFER_SIZE;
	p->buffer = malloc(p->size);
	if (!p->buffer)
		no_memory();
	if (needs_names(p))
		open_places(p);
}

void printer_end(struct printer *p)
{
	printer_flush(p);
	for (unsigned i = 0; i < PRINTER_STATES; i++)
		free((char *)p->state[i].s);
	free((char *)p->thread.s);
	free(p->buffer);
	places_free(p->places);
	fields_free(&p->fields);
}

void printer_flush(struct printer *p)
{
	if (p->len)
		out_write(p->out, p->buffer, p->len);
	p->len = 0;
}

/* Return room for n bytes at the end of the buffer. */
static char *room(struct printer *p, size_t n)
{
	if (n <= p->size - p->len)
		return p->buffer + p->len;
	printer_flush(p);
	if (n > p->size) {
		char *grown = realloc(p->buffer, n);

		if (!grown)
			no_memory();
		p->buffer = grown;
		p->size = n;
	}
	return p->buffer;
}

void printer_text(struct printer *p, char *text)
{
	if (!text)
		no_memory();
	const size_t n = strlen(text);
	memcpy(room(p, n), text, n);
	p->len += n;
	free(text);
}

static const char *thread_name(const struct recording *r, pid_t tid)
{
	for (size_t i = 0; i < r->nthread; i++)
		if (r->thread[i].tid == tid)
			return r->thread[i].name;
	return NULL;
}

void printer_ring(struct printer *p, size_t ring)
{
	struct field_values *v = &p->values;
	const char *name;

	p->tid = p->recording->ring[ring].tid;
	free((char *)p->thread.s);
	p->thread = (struct field_word){0};
	*v = (struct field_values){.ring = ring + 1,
				   .known = FIELD_BIT(FIELD_RING) |
					    FIELD_BIT(FIELD_STATE)};
	p->is_plain =
		p->has_columns && columns_set_tid(&p->columns, (uint64_t)p->tid) == 0;
	if (!p->tid)
		return;
	v->tid = (uint64_t)p->tid;
	v->known |= FIELD_BIT(FIELD_TID);
	name = thread_name(p->recording, p->tid);
	if (!name)
		return;
	p->thread = fields_word(p->fields.format, name);
	if (!p->thread.s)
		no_memory();
	v->thread = p->thread;
	v->known |= FIELD_BIT(FIELD_THREAD);
}

/* Set the values that are known of the place of an instruction. */
static void set_place(struct printer *p, const struct place *place)
{
	struct field_values *v = &p->values;
	const int symbol = place->function || p->fields.format == TEXT_PLAIN;

	v->symbol = place->symbol;
	v->offset = place->offset;
	v->module = place->module_word;
	v->file = place->file;
	v->line = place->line;
	v->known |= (uint64_t)symbol << FIELD_SYMBOL;
	v->known |= (uint64_t)(place->module != NULL) << FIELD_OFFSET;
	v->known |= (uint64_t)(place->module != NULL) << FIELD_MODULE;
	v->known |= (uint64_t)(place->file.s != NULL) << FIELD_FILE;
	v->known |= (uint64_t)(place->line != 0) << FIELD_LINE;
}

/* Look up the names of an instruction. Returns NULL if the filters for names differ. */
static const struct place *look_up(struct printer *p, uint64_t ip)
{
	struct place *place = places_find(p->places, ip);

	if (!place)
		no_memory();
	if (place->matches < 0)
		place->matches = filters_match_names(&p->options->filters,
						     place->function, place->module);
	return place->matches ? place : NULL;
}

/* Print a record in the usual columns; symbol: s is NULL if there is no such column. */
static void print_columns(struct printer *p, const lwp_record_t *r,
			  struct field_word symbol)
{
	char *const start = room(p, COLUMNS_MAX + symbol.n + 1);
	char *end = columns_line(&p->columns, r, symbol.s != NULL, start);

	if (symbol.s) {
		memcpy(end, symbol.s, symbol.n);
		end += symbol.n;
		*end++ = '\n';
	}
	p->len += (size_t)(end - start);
}

static void print_fields(struct printer *p, const lwp_record_t *r,
			 const struct place *place)
{
	fields_record(&p->fields, &p->values, r);
	if (place)
		set_place(p, place);
	char *const start = room(p, fields_room(&p->fields, &p->values));
	p->len += (size_t)(fields_line(&p->fields, &p->values, start) - start);
}

void printer_record(struct printer *p, const lwp_record_t *r, enum printer_state state)
{
	const struct place *place = NULL;

	if (!filters_match(&p->options->filters, r, p->tid))
		return;
	if (p->places && !(place = look_up(p, r->ip)))
		return;
	p->matched++;
	p->values.state = p->state[state];
	if (p->is_plain)
		print_columns(p, r,
			      p->fields.chosen & FIELD_BIT(FIELD_SYMBOL)
				      ? place->symbol
				      : (struct field_word){0});
	else
		print_fields(p, r, place);
}

/* Print n slots that follow one another in memory. */
static void print_span(struct printer *p, const lwp_ring_t *ring, const uint8_t *bytes,
		       uint32_t n, enum printer_state state)
{
	struct field_values *v = &p->values;
	lwp_record_t r;

	for (; n; n--, bytes += ring->event_size, v->index++, v->slot++) {
		lwp_record_decode(&r, bytes);
		if (r.id == 0) {
			p->empty += state == PRINTER_UNREAD;
			if (state != PRINTER_UNREAD)
				continue;
		}
		printer_record(p, &r, state);
	}
}

/*
 * Return the number of the next slot whose bytes are present, or UINT32_MAX, for a slot
 * from whose bytes are missing. The end of a ring may be missing, and its start follows.
 */
static uint32_t after_missing(const lwp_ring_t *ring, uint32_t from)
{
	const uint32_t wrap = (ring->size - ring->tail) / ring->event_size;

	return from < wrap ? wrap : UINT32_MAX;
}

void printer_slots(struct printer *p, const lwp_ring_t *ring, uint32_t from, uint32_t to,
		   enum printer_state state)
{
	p->values.known |= FIELD_BIT(FIELD_INDEX) | FIELD_BIT(FIELD_SLOT);
	while (from < to) {
		uint32_t n;
		const uint8_t *bytes = lwp_ring_slot(ring, from, &n);

		if (!bytes) {
			from = after_missing(ring, from);
			continue;
		}
		n = n < to - from ? n : to - from;
		p->values.index = p->first + from;
		p->values.slot = (uint64_t)(bytes - ring->bytes) / ring->event_size;
		print_span(p, ring, bytes, n, state);
		from += n;
	}
	p->values.known &= ~(FIELD_BIT(FIELD_INDEX) | FIELD_BIT(FIELD_SLOT));
}
