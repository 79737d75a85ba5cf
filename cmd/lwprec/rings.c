#include "rings.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/quote.h"
#include "common/message.h"

static void put_bits(struct textbuf *b, lwp_word_t word, uint32_t value)
{
	char text[256];

	lwp_word_format(text, sizeof text, word, value);
	textbuf_str(b, text);
}

static void event_comment(struct textbuf *b, const struct recording_event *e)
{
	textbuf_str(b, "# event ");
	textbuf_clean(b, e->name);
	textbuf_str(b, ": ");
	textbuf_clean(b, e->source);
	if (e->id && e->interval > 1)
		textbuf_format(b, ", a record for each %" PRIu64 " events", e->interval);
	if (!e->id)
		textbuf_str(b, ", counted exactly, without records");
	if (e->events != UINT64_MAX)
		textbuf_format(b, ", %" PRIu64 " events", e->events);
	textbuf_char(b, '\n');
}

static void recording_comment(struct textbuf *b, const struct recording *r)
{
	if (r->pid)
		textbuf_format(b, "# process %d", (int)r->pid);
	if (r->pid && r->command) {
		textbuf_str(b, ": ");
		textbuf_clean(b, r->command);
	}
	if (r->pid)
		textbuf_char(b, '\n');
	if (r->clock) {
		textbuf_str(b, "# timestamps: ");
		textbuf_clean(b, r->clock);
		textbuf_char(b, '\n');
	}
	for (size_t i = 0; i < r->nevent; i++)
		event_comment(b, &r->event[i]);
}

static void event_json(struct textbuf *b, const struct recording_event *e)
{
	textbuf_char(b, '{');
	quote_json_text(b, "event", e->name);
	quote_json_number(b, "id", e->id != 0, e->id);
	quote_json_text(b, "source", e->source);
	quote_json_number(b, "interval", e->interval != 0, e->interval);
	quote_json_number(b, "events", e->events != UINT64_MAX, e->events);
	textbuf_char(b, '}');
}

static void recording_json(struct textbuf *b, const struct recording *r)
{
	textbuf_char(b, '{');
	quote_json_text(b, "record", "recording");
	quote_json_number(b, "pid", r->pid != 0, (uint64_t)r->pid);
	quote_json_text(b, "command", r->command);
	quote_json_text(b, "program", r->program);
	quote_json_text(b, "clock", r->clock);
	quote_json_number(b, "unix_ns", r->unix_ns != 0, r->unix_ns);
	quote_json_number(b, "event_size", 1, r->event_size);
	quote_json_number(b, "event_offset", 1, r->event_offset);
	quote_json_key(b, "sources");
	textbuf_char(b, '[');
	for (size_t i = 0; i < r->nevent; i++) {
		if (i)
			textbuf_char(b, ',');
		event_json(b, &r->event[i]);
	}
	textbuf_str(b, "]}\n");
}

char *rings_recording(const struct recording *r, enum text_format format)
{
	struct textbuf b = {0};

	if (format == TEXT_JSON)
		recording_json(&b, r);
	else
		recording_comment(&b, r);
	return textbuf_end(&b);
}

/* Append an address. It is 0 if the object is not in the memory of the process. */
static void put_address(struct textbuf *b, const char *what, uint64_t address)
{
	if (address)
		textbuf_format(b, "%s at %#" PRIx64, what, address);
}

/* Append the interval of each enabled event. */
static void intervals_comment(struct textbuf *b, const lwp_block_t *block)
{
	for (unsigned id = 1; id <= block->events; id++) {
		const char *name = lwp_event_name(id);

		if (name && block->flags & LWP_FLAG(id))
			textbuf_format(b, ", %s each %d", name, block->interval[id] + 1);
	}
}

static void block_comment(struct textbuf *b, const struct recording_view *v)
{
	textbuf_str(b, "#   flags ");
	put_bits(b, LWP_WORD_FLAGS, v->block.flags);
	intervals_comment(b, &v->block);
	if (v->block.random)
		textbuf_format(b, ", %u bits random", v->block.random);
	if (v->block.filters) {
		textbuf_str(b, "; filters ");
		put_bits(b, LWP_WORD_FILTERS, v->block.filters);
	}
	if (v->block.filters & LWP_FILTER_IPF)
		textbuf_format(b, ", %#" PRIx64 " to %#" PRIx64, v->block.base_ip,
			       v->block.limit_ip);
	textbuf_char(b, '\n');
}

static void ring_comment(struct textbuf *b, const struct recording *r, size_t i,
			 const struct recording_view *v)
{
	const struct recording_ring *ring = &r->ring[i];
	const uint32_t records = v->ring.bytes ? lwp_ring_count(&v->ring) : 0;
	const uint32_t slots = v->ring.bytes ? lwp_ring_slots(&v->ring) : 0;

	textbuf_format(b, "# ring %zu: ", i + 1);
	if (ring->tid)
		textbuf_format(b, "thread %d, ", (int)ring->tid);
	textbuf_format(b, "%u records in %u slots, %" PRIu64 " events missed", records,
		       slots, v->ring.missed);
	put_address(b, "; LWPCB", ring->cb);
	put_address(b, ", ring", ring->base);
	textbuf_char(b, '\n');
	if (v->block.events)
		block_comment(b, v);
}

static void put_hex(struct textbuf *b, const char *key, int known, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof text, "%#" PRIx64, v);
	quote_json_text(b, key, known ? text : NULL);
}

static void put_word(struct textbuf *b, const char *key, lwp_word_t word, uint32_t value)
{
	char text[256];

	lwp_word_format(text, sizeof text, word, value);
	quote_json_text(b, key, text);
}

static void ring_json(struct textbuf *b, const struct recording *r, size_t i,
		      const struct recording_view *v)
{
	const struct recording_ring *ring = &r->ring[i];
	const int known = v->ring.bytes != NULL;

	textbuf_char(b, '{');
	quote_json_text(b, "record", "ring");
	quote_json_number(b, "ring", 1, i + 1);
	quote_json_number(b, "tid", ring->tid != 0, (uint64_t)ring->tid);
	put_hex(b, "lwpcb", ring->cb != 0, ring->cb);
	put_hex(b, "base", ring->base != 0, ring->base);
	quote_json_number(b, "slots", known, known ? lwp_ring_slots(&v->ring) : 0);
	quote_json_number(b, "records", known, known ? lwp_ring_count(&v->ring) : 0);
	quote_json_number(b, "head", known, v->ring.head);
	quote_json_number(b, "tail", known, v->ring.tail);
	quote_json_number(b, "missed", known, v->ring.missed);
	put_word(b, "flags", LWP_WORD_FLAGS, v->block.flags);
	put_word(b, "filters", LWP_WORD_FILTERS, v->block.filters);
	quote_json_number(b, "random", 1, v->block.random);
	quote_json_key(b, "intervals");
	textbuf_char(b, '{');
	for (unsigned id = 1; id <= v->block.events; id++)
		if (lwp_event_name(id) && v->block.flags & LWP_FLAG(id))
			textbuf_format(b, "%s\"%s\":%d",
				       b->s[b->len - 1] == '{' ? "" : ",",
				       lwp_event_name(id), v->block.interval[id] + 1);
	textbuf_str(b, "}}\n");
}

char *rings_ring(const struct recording *r, size_t ring, const struct recording_view *v,
		 enum text_format format)
{
	struct textbuf b = {0};

	if (format == TEXT_JSON)
		ring_json(&b, r, ring, v);
	else
		ring_comment(&b, r, ring, v);
	return textbuf_end(&b);
}

/*
 * Problems that can make records missing or wrong. The other problems change no record.
 */
#define SERIOUS (LWP_BAD_HEAD | LWP_BAD_HEAD_STEP | LWP_BAD_TAIL | LWP_BAD_TAIL_STEP)

static unsigned warn_problems(const char *name, size_t ring, unsigned problems)
{
	unsigned serious = 0;

	for (unsigned bit = 1; bit && bit <= problems; bit <<= 1) {
		if (!(problems & bit) || !lwp_problem(bit))
			continue;
		if (bit & SERIOUS)
			warnx("%s: ring %zu: %s", name, ring + 1, lwp_problem(bit));
		else
			message_notef("%s: ring %zu: %s", name, ring + 1,
				      lwp_problem(bit));
		serious += (bit & SERIOUS) != 0;
	}
	return serious;
}

/* Return how many unread records of a ring are missing from the file. */
static uint32_t missing_records(const lwp_ring_t *ring)
{
	const uint32_t count = lwp_ring_count(ring);
	const uint32_t wrap = (ring->size - ring->tail) / ring->event_size;
	uint32_t missing = 0;

	for (uint32_t i = 0, n; i < count; i += n) {
		if (lwp_ring_slot(ring, i, &n))
			continue;
		n = (i < wrap && wrap < count ? wrap : count) - i;
		missing += n;
	}
	return missing;
}

/*
 * Print a message if bytes of the LWPCB or of unread records are missing. Missing bytes
 * of other slots do not matter.
 */
static unsigned warn_short(const char *name, const struct recording *r, size_t ring,
			   const struct recording_view *v)
{
	const uint32_t missing = missing_records(&v->ring);

	if (missing)
		warnx("%s: ring %zu: %u of its %u records are not in the file", name,
		      ring + 1, missing, lwp_ring_count(&v->ring));
	if (r->ring[ring].block_size < LWP_BLOCK_FIXED)
		message_notef("%s: ring %zu: its LWPCB is not in the file", name,
			      ring + 1);
	return missing != 0;
}

unsigned rings_warn(const char *name, const struct recording *r, size_t ring,
		    const struct recording_view *v, int found)
{
	unsigned n = warn_problems(name, ring, v->problems & ~LWP_BAD_SHORT);

	if (found == -1) {
		warnx("%s: ring %zu: it cannot hold a record: neither its LWPCB nor the "
		      "state of its thread has a size of at least %u bytes",
		      name, ring + 1, r->event_size);
		return n + 1;
	}
	n += warn_short(name, r, ring, v);
	if (v->ring.missed) {
		message_notef("%s: ring %zu: %" PRIu64
			      " events were missed because the ring was full",
			      name, ring + 1, v->ring.missed);
		n++;
	}
	return n;
}
