#include "lwp/facts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lwp.h>
#include "lwp/arena.h"

#define VERSION_OF_FACTS 1

/*
 * Append a string in which each blank, backslash and control character is an octal escape
 * such as \040, as in /proc/PID/mountinfo.
 */
static void put_word(struct textbuf *b, const char *s)
{
	char escape[8];

	for (; s && *s; s++) {
		const unsigned char c = (unsigned char)*s;

		if (c > ' ' && c != '\\' && c != 0x7f) {
			textbuf_char(b, *s);
			continue;
		}
		snprintf(escape, sizeof escape, "\\%03o", c);
		textbuf_str(b, escape);
	}
}

static void put_string(struct textbuf *b, const char *key, const char *s)
{
	if (!s)
		return;
	textbuf_str(b, key);
	textbuf_char(b, '=');
	put_word(b, s);
	textbuf_char(b, '\n');
}

static void put_mapping(struct textbuf *b, const struct recording_mapping *m)
{
	textbuf_format(b, "mapping=%#" PRIx64 " %#" PRIx64 " %#" PRIx64 " ", m->start,
		       m->end, m->offset);
	for (size_t i = 0; m->build_id && i < m->build_id_size; i++)
		textbuf_format(b, "%02x", m->build_id[i]);
	if (!m->build_id || !m->build_id_size)
		textbuf_char(b, '-');
	if (m->path) {
		textbuf_char(b, ' ');
		put_word(b, m->path);
	}
	textbuf_char(b, '\n');
}

static void put_event(struct textbuf *b, const struct recording_event *e)
{
	textbuf_format(b, "event=%u %" PRIu64 " ", e->id, e->interval);
	if (e->events == UINT64_MAX)
		textbuf_char(b, '-');
	else
		textbuf_format(b, "%" PRIu64, e->events);
	textbuf_char(b, ' ');
	put_word(b, e->name);
	textbuf_char(b, ' ');
	put_word(b, e->source);
	textbuf_char(b, '\n');
}

/* The places have a fixed width: the length of the text does not depend on them. */
static void put_ring(struct textbuf *b, const struct recording_ring *ring,
		     const struct facts_place *place)
{
	textbuf_format(b,
		       "ring=%d %#" PRIx64 " %#" PRIx64 " 0x%016" PRIx64
		       " %zu 0x%016" PRIx64 " %zu\n",
		       (int)ring->tid, ring->cb, ring->base, place->block,
		       ring->block_size, place->bytes, ring->size);
}

void facts_write(struct textbuf *b, const struct recording *r,
		 const struct facts_place *place)
{
	textbuf_format(b, "version=%d\npid=%d\n", VERSION_OF_FACTS, (int)r->pid);
	put_string(b, "command", r->command);
	put_string(b, "program", r->program);
	put_string(b, "clock", r->clock);
	if (r->line_size)
		textbuf_format(b, "line_size=%" PRIu32 "\n", r->line_size);
	textbuf_format(b, "unix_ns=%" PRIu64 "\n", r->unix_ns);
	textbuf_format(b, "event_offset=%u\nevent_size=%u\n", r->event_offset,
		       r->event_size);
	textbuf_format(b, "cpuid=%#x %#x %#x %#x\n", r->cpuid[0], r->cpuid[1],
		       r->cpuid[2], r->cpuid[3]);
	for (size_t i = 0; i < r->nthread; i++) {
		textbuf_format(b, "thread=%d", (int)r->thread[i].tid);
		if (r->thread[i].name) {
			textbuf_char(b, ' ');
			put_word(b, r->thread[i].name);
		}
		textbuf_char(b, '\n');
	}
	for (size_t i = 0; i < r->nevent; i++)
		put_event(b, &r->event[i]);
	for (size_t i = 0; i < r->nring; i++)
		put_ring(b, &r->ring[i], &place[i]);
	for (size_t i = 0; i < r->nmapping; i++)
		put_mapping(b, &r->mapping[i]);
}

/* What a line is read with. */
struct reader {
	struct recording *r;
	const uint8_t *file;
	size_t size;
	char *rest; /* of the line */
	int bad;    /* a field was malformed */
};

/* Replace the octal escapes in place. */
static char *unescape(char *s)
{
	char *to = s;

	for (const char *from = s; *from; from++) {
		unsigned c;

		if (*from == '\\' && sscanf(from + 1, "%3o", &c) == 1 && c && c < 256 &&
		    strspn(from + 1, "01234567") >= 3) {
			*to++ = (char)c;
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
	return s;
}

/* Return the next word of the line, or NULL at its end. */
static char *next_word(struct reader *l)
{
	if (!l->rest)
		return NULL;
	char *word = strsep(&l->rest, " ");
	return unescape(word);
}

static uint64_t number(struct reader *l, uint64_t max)
{
	const char *word = next_word(l);
	char *end;

	errno = 0;
	const uint64_t v = word ? strtoull(word, &end, 0) : 0;
	if (!word || *word < '0' || *word > '9' || *end || errno || v > max) {
		l->bad = 1;
		return 0;
	}
	return v;
}

static void read_version(struct reader *l)
{
	l->bad = number(l, UINT64_MAX) != VERSION_OF_FACTS || l->bad;
}

static void read_pid(struct reader *l)
{
	l->r->pid = (pid_t)number(l, INT32_MAX);
}

static void read_command(struct reader *l)
{
	l->r->command = next_word(l);
}

static void read_program(struct reader *l)
{
	l->r->program = next_word(l);
}

static void read_clock(struct reader *l)
{
	l->r->clock = next_word(l);
}

static void read_line_size(struct reader *l)
{
	l->r->line_size = (uint32_t)number(l, UINT32_MAX);
	l->bad |= !l->r->line_size || (l->r->line_size & (l->r->line_size - 1));
}

static void read_unix_ns(struct reader *l)
{
	l->r->unix_ns = number(l, UINT64_MAX);
}

/* The ranges of the fields of CPUID 8000_001C: EBX bits 31-24 and 15-8. */
static void read_event_offset(struct reader *l)
{
	l->r->event_offset = (uint32_t)number(l, 255);
}

static void read_event_size(struct reader *l)
{
	l->r->event_size = (uint32_t)number(l, 255);
	l->bad |= l->r->event_size < 32;
}

static void read_cpuid(struct reader *l)
{
	for (int i = 0; i < 4; i++)
		l->r->cpuid[i] = (uint32_t)number(l, UINT32_MAX);
}

static void read_thread(struct reader *l)
{
	struct recording_thread *t = &l->r->thread[l->r->nthread++];

	t->tid = (pid_t)number(l, INT32_MAX);
	t->name = next_word(l);
}

static void read_event(struct reader *l)
{
	struct recording_event *e = &l->r->event[l->r->nevent++];

	e->id = (uint8_t)number(l, UINT8_MAX);
	e->interval = number(l, UINT64_MAX);
	if (l->rest && strncmp(l->rest, "- ", 2) == 0) {
		e->events = UINT64_MAX;
		next_word(l);
	} else {
		e->events = number(l, UINT64_MAX);
	}
	e->name = next_word(l);
	e->source = next_word(l);
	l->bad |= !e->name || !e->source;
}

/* Return the bytes at an offset of the file and how many of *n bytes are in the file. */
static const uint8_t *place(const struct reader *l, uint64_t offset, size_t *n)
{
	if (offset > l->size)
		offset = l->size;
	if (*n > l->size - offset)
		*n = l->size - offset;
	return *n ? l->file + offset : NULL;
}

static void read_ring(struct reader *l)
{
	struct recording_ring *ring = &l->r->ring[l->r->nring++];

	ring->tid = (pid_t)number(l, INT32_MAX);
	ring->cb = number(l, UINT64_MAX);
	ring->base = number(l, UINT64_MAX);
	const uint64_t block = number(l, UINT64_MAX);
	ring->block_size = number(l, SIZE_MAX);
	const uint64_t bytes = number(l, UINT64_MAX);
	ring->size = number(l, SIZE_MAX);
	ring->block = place(l, block, &ring->block_size);
	ring->bytes = place(l, bytes, &ring->size);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Replace the hexadecimal digits of a build id by its bytes. */
static void read_build_id(struct reader *l, struct recording_mapping *m)
{
	char *word = next_word(l);

	if (!word || strcmp(word, "-") == 0) {
		l->bad |= !word;
		return;
	}
	size_t n = strlen(word) / 2;
	l->bad |= n == 0 || n > 64 || strlen(word) % 2;
	for (size_t i = 0; i < n; i++) {
		const int high = hex_digit(word[2 * i]), low = hex_digit(word[2 * i + 1]);

		if (high < 0 || low < 0)
			l->bad = 1;
		else
			word[i] = (char)(high << 4 | low);
	}
	m->build_id = (const uint8_t *)word;
	m->build_id_size = n;
}

static void read_mapping(struct reader *l)
{
	struct recording_mapping *m = &l->r->mapping[l->r->nmapping++];

	m->start = number(l, UINT64_MAX);
	m->end = number(l, UINT64_MAX);
	m->offset = number(l, UINT64_MAX);
	read_build_id(l, m);
	m->path = next_word(l);
	l->bad |= m->end <= m->start;
}

/* The keys; those with an array have a line for each of its elements. */
enum { ARRAY_NONE, ARRAY_THREAD, ARRAY_EVENT, ARRAY_RING, ARRAY_MAPPING, ARRAYS };

static const struct {
	const char *key;
	void (*read)(struct reader *l);
	int array;
} keys[] = {
	{"version", read_version, 0},
	{"pid", read_pid, 0},
	{"command", read_command, 0},
	{"program", read_program, 0},
	{"clock", read_clock, 0},
	{"line_size", read_line_size, 0},
	{"unix_ns", read_unix_ns, 0},
	{"event_offset", read_event_offset, 0},
	{"event_size", read_event_size, 0},
	{"cpuid", read_cpuid, 0},
	{"thread", read_thread, ARRAY_THREAD},
	{"event", read_event, ARRAY_EVENT},
	{"ring", read_ring, ARRAY_RING},
	{"mapping", read_mapping, ARRAY_MAPPING},
};

/* Return the index of a line's key, or -1 if this version does not know the key. */
static int find_key(const char *line)
{
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const size_t n = strlen(keys[i].key);

		if (strncmp(line, keys[i].key, n) == 0 && line[n] == '=')
			return (int)i;
	}
	return -1;
}

/* Allocate the arrays for the lines of text. */
static int allocate(struct recording *r, const char *text)
{
	size_t n[ARRAYS] = {0};

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const int key = find_key(line);
		if (key >= 0)
			n[keys[key].array]++;
	}
	r->thread = arena_alloc(&r->owner, n[ARRAY_THREAD], sizeof *r->thread);
	r->event = arena_alloc(&r->owner, n[ARRAY_EVENT], sizeof *r->event);
	r->ring = arena_alloc(&r->owner, n[ARRAY_RING], sizeof *r->ring);
	r->mapping = arena_alloc(&r->owner, n[ARRAY_MAPPING], sizeof *r->mapping);
	return r->thread && r->event && r->ring && r->mapping ? 0 : -1;
}

static int read_line(struct reader *l, char *line)
{
	const int key = find_key(line);

	if (key < 0)
		return 0;
	l->rest = line + strlen(keys[key].key) + 1;
	keys[key].read(l);
	return l->bad ? -1 : 0;
}

static int by_start(const void *a, const void *b)
{
	const struct recording_mapping *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

int facts_read(struct recording *r, const uint8_t *text, size_t n, const uint8_t *file,
	       size_t size, char *why, size_t room)
{
	struct reader l = {.r = r, .file = file, .size = size};
	char shown[64];

	char *copy = arena_alloc(&r->owner, n + 1, 1);
	if (!copy || allocate(r, memcpy(copy, text, n)) == -1) {
		snprintf(why, room, "%s", strerror(ENOMEM));
		return -1;
	}
	r->event_offset = LWP_EVENT_OFFSET;
	r->event_size = LWP_EVENT_SIZE;
	for (char *line = copy; line;) {
		char *next = strchrnul(line, '\n');
		next = *next ? (*next = '\0', next + 1) : NULL;
		snprintf(shown, sizeof shown, "%s", line);
		if (read_line(&l, line) == -1) {
			snprintf(why, room, "its note has the malformed line '%s'",
				 shown);
			errno = EINVAL;
			return -1;
		}
		line = next;
	}
	qsort(r->mapping, r->nmapping, sizeof *r->mapping, by_start);
	return 0;
}
