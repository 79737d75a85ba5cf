#include "fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "digits.h"

enum kind { DECIMAL, HEX, WORD };

struct field {
	const char *name;
	uint8_t kind;
	uint8_t width; /* of the column of text; its word begins at the left */
	uint16_t at;   /* offset in struct field_values */
};

#define AT(member) offsetof(struct field_values, member)

static const struct field table[FIELDS] = {
	[FIELD_RING] = {"ring", DECIMAL, 4, AT(ring)},
	[FIELD_INDEX] = {"index", DECIMAL, 9, AT(index)},
	[FIELD_SLOT] = {"slot", DECIMAL, 7, AT(slot)},
	[FIELD_STATE] = {"state", WORD, 7, AT(state)},
	[FIELD_TID] = {"tid", DECIMAL, 7, AT(tid)},
	[FIELD_THREAD] = {"thread", WORD, 15, AT(thread)},
	[FIELD_CORE] = {"core", DECIMAL, 4, AT(core)},
	[FIELD_EVENT] = {"event", WORD, 5, AT(event)},
	[FIELD_ID] = {"id", DECIMAL, 3, AT(id)},
	[FIELD_IP] = {"ip", HEX, 18, AT(ip)},
	[FIELD_DATA2] = {"data2", HEX, 18, AT(data2)},
	[FIELD_DATA1] = {"data1", DECIMAL, 10, AT(data1)},
	[FIELD_FLAGS] = {"flags", HEX, 6, AT(flags)},
	[FIELD_DETAIL] = {"detail", WORD, 28, AT(detail)},
	[FIELD_TIMESTAMP] = {"timestamp", DECIMAL, 20, AT(timestamp)},
	[FIELD_TARGET] = {"target", HEX, 18, AT(target)},
	[FIELD_ADDRESS] = {"address", HEX, 18, AT(address)},
	[FIELD_LATENCY] = {"latency", DECIMAL, 10, AT(latency)},
	[FIELD_SOURCE] = {"source", WORD, 6, AT(source)},
	[FIELD_SYMBOL] = {"symbol", WORD, 24, AT(symbol)},
	[FIELD_OFFSET] = {"offset", HEX, 10, AT(offset)},
	[FIELD_MODULE] = {"module", WORD, 24, AT(module)},
	[FIELD_FILE] = {"file", WORD, 24, AT(file)},
	[FIELD_LINE] = {"line", DECIMAL, 6, AT(line)},
};

const char *fields_name(unsigned id)
{
	return id < FIELDS ? table[id].name : NULL;
}

static int find(const char *name, size_t n)
{
	for (int i = 0; i < FIELDS; i++)
		if (strlen(table[i].name) == n && strncmp(table[i].name, name, n) == 0)
			return i;
	return -1;
}

const char *fields_choose(struct fields *f, const char *list)
{
	static char bad[64];

	f->n = 0;
	f->chosen = 0;
	for (;;) {
		const size_t n = strcspn(list, ",");
		const int id = find(list, n);

		if (id < 0 || f->chosen & FIELD_BIT(id)) {
			snprintf(bad, sizeof bad, "%.*s", (int)(n < 63 ? n : 63), list);
			return bad;
		}
		f->id[f->n++] = (uint8_t)id;
		f->chosen |= FIELD_BIT(id);
		if (!list[n])
			return NULL;
		list += n + 1;
	}
}

struct field_word fields_word(enum text_format format, const char *s)
{
	struct textbuf b = {0};

	if (format == TEXT_CSV)
		quote_csv(&b, s);
	else if (format == TEXT_JSON)
		quote_json(&b, s);
	else
		textbuf_clean(&b, s);
	const size_t n = b.len;
	return (struct field_word){textbuf_end(&b), n};
}

/* Bits 15 to 12 of a branch's flags: taken, predicted right, this is known, fused. */
static void branch_words(char *text, size_t n, unsigned bits)
{
	const unsigned flags = bits << 12;
	const char *prediction = flags & LWP_BRE_PRD ? ",predicted" : ",mispredicted";

	snprintf(text, n, "%s%s%s", flags & LWP_BRE_TKN ? "taken" : "not-taken",
		 flags & LWP_BRE_PRV ? prediction : "",
		 flags & LWP_BRE_FUS ? ",fused" : "");
}

/* Bits 15 to 13 of a miss's flags are the source; bit 12: the address is known. */
static void miss_words(char *text, size_t n, unsigned bits)
{
	const char *name = lwp_source_name(bits >> 1);

	if (name)
		snprintf(text, n, "%s", name);
	else
		snprintf(text, n, "source%u", bits >> 1);
}

static int make_events(struct fields *f)
{
	char number[8];
	int failed = 0;

	for (unsigned id = 0; id < 256; id++) {
		const char *name = lwp_event_name(id);

		snprintf(number, sizeof number, "%u", id);
		f->event[id] = fields_word(f->format, name ? name : number);
		failed |= !f->event[id].s;
	}
	return failed;
}

int fields_begin(struct fields *f, enum text_format format)
{
	char text[64];

	f->format = format;
	/* Each field: its name, a number and 16 bytes more, and what is around them. */
	f->room = 64 + f->n * 80;
	int failed = make_events(f);
	for (unsigned i = 0; i < 16; i++) {
		branch_words(text, sizeof text, i);
		f->detail[0][i] = fields_word(format, text);
		miss_words(text, sizeof text, i);
		f->detail[1][i] = fields_word(format, text);
		failed |= !f->detail[0][i].s || !f->detail[1][i].s;
	}
	return failed ? -1 : 0;
}

void fields_free(struct fields *f)
{
	for (unsigned i = 0; i < 256; i++)
		free((char *)f->event[i].s);
	for (unsigned i = 0; i < 16; i++) {
		free((char *)f->detail[0][i].s);
		free((char *)f->detail[1][i].s);
	}
}

/* The values of each record, and others that are not 0: LWP sets unused ones to 0. */
static uint64_t known_always(const lwp_record_t *r)
{
	uint64_t known = FIELD_BIT(FIELD_CORE) | FIELD_BIT(FIELD_EVENT) |
			 FIELD_BIT(FIELD_ID) | FIELD_BIT(FIELD_IP);

	known |= (uint64_t)(r->flags != 0) << FIELD_FLAGS;
	known |= (uint64_t)(r->data1 != 0) << FIELD_DATA1;
	known |= (uint64_t)(r->data2 != 0) << FIELD_DATA2;
	known |= (uint64_t)(r->timestamp != 0) << FIELD_TIMESTAMP;
	return known;
}

static void set_branch(const struct fields *f, struct field_values *v)
{
	v->known |= FIELD_BIT(FIELD_DATA2) | FIELD_BIT(FIELD_TARGET) |
		    FIELD_BIT(FIELD_FLAGS) | FIELD_BIT(FIELD_DETAIL);
	v->target = v->data2;
	v->detail = f->detail[0][v->flags >> 12];
}

static void set_miss(const struct fields *f, struct field_values *v)
{
	v->known |= FIELD_BIT(FIELD_DATA1) | FIELD_BIT(FIELD_LATENCY) |
		    FIELD_BIT(FIELD_FLAGS) | FIELD_BIT(FIELD_SOURCE) |
		    FIELD_BIT(FIELD_DETAIL);
	v->latency = v->data1;
	v->detail = v->source = f->detail[1][v->flags >> 12];
	if (!(v->flags & LWP_DME_DAV))
		return;
	v->known |= FIELD_BIT(FIELD_DATA2) | FIELD_BIT(FIELD_ADDRESS);
	v->address = v->data2;
}

void fields_record(const struct fields *f, struct field_values *v, const lwp_record_t *r)
{
	const uint64_t of_line = FIELD_BIT(FIELD_RING) | FIELD_BIT(FIELD_INDEX) |
				 FIELD_BIT(FIELD_SLOT) | FIELD_BIT(FIELD_STATE) |
				 FIELD_BIT(FIELD_TID) | FIELD_BIT(FIELD_THREAD);

	v->known = (v->known & of_line) | known_always(r);
	v->core = r->core;
	v->id = r->id;
	v->ip = r->ip;
	v->data1 = r->data1;
	v->data2 = r->data2;
	v->flags = r->flags;
	v->timestamp = r->timestamp;
	v->event = f->event[r->id];
	if (r->id == LWP_EVENT_BRE)
		set_branch(f, v);
	else if (r->id == LWP_EVENT_DME)
		set_miss(f, v);
	else if (r->id == LWP_EVENT_VAL || r->id == LWP_EVENT_INS)
		v->known |= FIELD_BIT(FIELD_DATA1) | FIELD_BIT(FIELD_DATA2) |
			    FIELD_BIT(FIELD_FLAGS);
}

static const struct field_word *word_of(const struct field_values *v,
					const struct field *field)
{
	return (const void *)((const char *)v + field->at);
}

static uint64_t number_of(const struct field_values *v, const struct field *field)
{
	return *(const uint64_t *)(const void *)((const char *)v + field->at);
}

void fields_titles(const struct fields *f, struct textbuf *b)
{
	char title[32];

	for (unsigned i = 0; i < f->n; i++) {
		const struct field *field = &table[f->id[i]];
		const size_t n = strlen(field->name), width = field->width;
		const int last = i + 1 == f->n;

		for (size_t k = 0; k <= n; k++)
			title[k] = field->name[k] >= 'a' && f->format == TEXT_PLAIN
					   ? (char)(field->name[k] - 'a' + 'A')
					   : field->name[k];
		if (f->format == TEXT_CSV || (last && field->kind == WORD))
			textbuf_str(b, title);
		else if (field->kind == WORD)
			for (size_t k = 0; k < n || k < width; k++)
				textbuf_char(b, k < n ? title[k] : ' ');
		else
			textbuf_cell(b, title, n, width);
		textbuf_char(b, last ? '\n' : f->format == TEXT_CSV ? ',' : ' ');
	}
}

size_t fields_room(const struct fields *f, const struct field_values *v)
{
	const uint64_t words = v->known & f->chosen;
	size_t n = f->room;

	if (words & FIELD_BIT(FIELD_THREAD))
		n += v->thread.n;
	if (words & FIELD_BIT(FIELD_SYMBOL))
		n += v->symbol.n;
	if (words & FIELD_BIT(FIELD_MODULE))
		n += v->module.n;
	if (words & FIELD_BIT(FIELD_FILE))
		n += v->file.n;
	return n;
}

static char *put_word(char *p, const struct field_word *w)
{
	memcpy(p, w->s, w->n);
	return p + w->n;
}

/* Write more blanks than any column has: a fixed number is written faster. */
static void put_blanks(char *p)
{
	memcpy(p, "                                ", 32);
}

/* Write a column of text, which is as wide as the table says or wider. */
static char *put_column(char *p, const struct field *field, const struct field_values *v)
{
	const uint64_t n = number_of(v, field);
	unsigned digits;

	put_blanks(p);
	switch (field->kind) {
	case HEX:
		digits = 2 + digits_of_hex(n);
		return digits_hex(p + (digits < field->width ? field->width - digits : 0),
				  n);
	case DECIMAL:
		digits = digits_of_decimal(n);
		return digits_decimal(
			p + (digits < field->width ? field->width - digits : 0), n);
	default:
		return put_word(p, word_of(v, field));
	}
}

static char *text_line(const struct fields *f, const struct field_values *v, char *p)
{
	for (unsigned i = 0; i < f->n; i++) {
		const struct field *field = &table[f->id[i]];
		char *const start = p;

		if (v->known & FIELD_BIT(f->id[i])) {
			p = put_column(p, field, v);
		} else {
			put_blanks(p);
			p += field->kind == WORD ? 0 : field->width - 1;
			*p++ = '-';
		}
		/* The blanks after a word are there already. */
		if (i + 1 < f->n && p < start + field->width)
			p = start + field->width;
		*p++ = i + 1 < f->n ? ' ' : '\n';
	}
	return p;
}

/* Write a value without blanks around. */
static char *put_value(char *p, const struct field *field, const struct field_values *v)
{
	if (field->kind == WORD)
		return put_word(p, word_of(v, field));
	if (field->kind == HEX)
		return digits_hex(p, number_of(v, field));
	return digits_decimal(p, number_of(v, field));
}

static char *csv_line(const struct fields *f, const struct field_values *v, char *p)
{
	for (unsigned i = 0; i < f->n; i++) {
		if (v->known & FIELD_BIT(f->id[i]))
			p = put_value(p, &table[f->id[i]], v);
		*p++ = i + 1 < f->n ? ',' : '\n';
	}
	return p;
}

static char *put_string(char *p, const char *s)
{
	const size_t n = strlen(s);

	memcpy(p, s, n);
	return p + n;
}

/* JSON has no hexadecimal numbers, so they are strings. Unknown values are left out. */
static char *json_line(const struct fields *f, const struct field_values *v, char *p)
{
	p = put_string(p, "{\"record\":\"event\"");
	for (unsigned i = 0; i < f->n; i++) {
		const struct field *field = &table[f->id[i]];

		if (!(v->known & FIELD_BIT(f->id[i])))
			continue;
		p = put_string(p, ",\"");
		p = put_string(p, field->name);
		p = put_string(p, "\":");
		if (field->kind == HEX)
			*p++ = '"';
		p = put_value(p, field, v);
		if (field->kind == HEX)
			*p++ = '"';
	}
	return put_string(p, "}\n");
}

char *fields_line(const struct fields *f, const struct field_values *v, char *p)
{
	if (f->format == TEXT_CSV)
		return csv_line(f, v, p);
	if (f->format == TEXT_JSON)
		return json_line(f, v, p);
	return text_line(f, v, p);
}
