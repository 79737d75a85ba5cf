#include "counts.h"

#include <stdio.h>

#include "base/quote.h"

/* Only the id of a record is read if there is no filter. */
static void count_ids(struct counts *c, const uint8_t *bytes, uint32_t n, uint32_t size)
{
	/* Several tables, as a count that was just stored is slow to load again. */
	uint64_t part[4][256] = {{0}};
	uint32_t i = 0;

	for (; i + 4 <= n; i += 4, bytes += (size_t)4 * size) {
		part[0][bytes[0]]++;
		part[1][bytes[size]]++;
		part[2][bytes[2 * (size_t)size]]++;
		part[3][bytes[3 * (size_t)size]]++;
	}
	for (; i < n; i++, bytes += size)
		part[0][bytes[0]]++;
	for (unsigned id = 0; id < 256; id++)
		c->n[id] += part[0][id] + part[1][id] + part[2][id] + part[3][id];
}

static void count_matching(struct counts *c, const uint8_t *bytes, uint32_t n,
			   uint32_t size, const struct filters *f, pid_t tid)
{
	lwp_record_t r;

	for (; n; n--, bytes += size) {
		lwp_record_decode(&r, bytes);
		c->n[r.id] += (uint64_t)filters_match(f, &r, tid);
	}
}

void counts_add(struct counts *c, const lwp_ring_t *ring, const struct filters *f,
		pid_t tid)
{
	const uint32_t count = lwp_ring_count(ring);
	const uint32_t wrap = (ring->size - ring->tail) / ring->event_size;

	for (uint32_t i = 0, n; i < count; i += n) {
		const uint8_t *bytes = lwp_ring_slot(ring, i, &n);

		if (!bytes && i >= wrap)
			break;
		if (!bytes)
			n = wrap - i;
		else if (f->active)
			count_matching(c, bytes, n, ring->event_size, f, tid);
		else
			count_ids(c, bytes, n, ring->event_size);
	}
}

void counts_title(struct textbuf *b, enum text_format format)
{
	if (format == TEXT_CSV)
		textbuf_str(b, "ring,tid,event,records\n");
	else if (format == TEXT_PLAIN)
		textbuf_str(b, "RING     TID EVENT      RECORDS\n");
}

static void text_line(struct textbuf *b, size_t ring, pid_t tid, const char *event,
		      uint64_t n)
{
	textbuf_num(b, ring + 1, 4);
	textbuf_char(b, ' ');
	if (tid)
		textbuf_num(b, (uint64_t)tid, 7);
	else
		textbuf_cell(b, "-", 1, 7);
	textbuf_char(b, ' ');
	textbuf_str(b, event);
	textbuf_num(b, n, 18 - __builtin_strlen(event));
	textbuf_char(b, '\n');
}

static void csv_line(struct textbuf *b, size_t ring, pid_t tid, const char *event,
		     uint64_t n)
{
	quote_csv_number(b, 1, ring + 1);
	quote_csv_number(b, tid != 0, (uint64_t)tid);
	quote_csv_text(b, event);
	textbuf_num(b, n, 0);
	textbuf_char(b, '\n');
}

static void json_line(struct textbuf *b, size_t ring, pid_t tid, const char *event,
		      uint64_t n)
{
	textbuf_char(b, '{');
	quote_json_text(b, "record", "count");
	quote_json_number(b, "ring", 1, ring + 1);
	quote_json_number(b, "tid", tid != 0, (uint64_t)tid);
	quote_json_text(b, "event", event);
	quote_json_number(b, "records", 1, n);
	textbuf_str(b, "}\n");
}

void counts_lines(struct textbuf *b, const struct counts *c, size_t ring, pid_t tid,
		  enum text_format format)
{
	char number[8];

	for (unsigned id = 0; id < 256; id++) {
		const char *event = lwp_event_name(id);

		if (!c->n[id])
			continue;
		snprintf(number, sizeof number, "%u", id);
		event = event ? event : number;
		if (format == TEXT_CSV)
			csv_line(b, ring, tid, event, c->n[id]);
		else if (format == TEXT_JSON)
			json_line(b, ring, tid, event, c->n[id]);
		else
			text_line(b, ring, tid, event, c->n[id]);
	}
}
