#include "columns.h"

#include <stdio.h>
#include <string.h>

#include "digits.h"

enum { BRANCH, MISS, OTHER };
enum { KNOWN_DATA1 = 1, KNOWN_DATA2 = 2, KNOWN_FLAGS = 4 };

#define BLANKS UINT64_C(0x2020202020202020)

static void make_details(struct columns *c, const struct fields *f)
{
	for (unsigned kind = 0; kind < 3; kind++) {
		for (unsigned i = 0; i < 16; i++) {
			struct field_word none = {"-", 1};
			const struct field_word *w =
				kind == OTHER ? &none : &f->detail[kind][i];

			memset(c->detail[kind][i], ' ', sizeof c->detail[kind][i]);
			memcpy(c->detail[kind][i], w->s, w->n < 28 ? w->n : 28);
			c->detail_size[kind][i] = (uint8_t)w->n;
		}
	}
}

void columns_begin(struct columns *c, const struct fields *f)
{
	char text[16];

	for (unsigned i = 0; i < 256; i++) {
		snprintf(text, sizeof text, "%4u    ", i);
		memcpy(c->core[i], text, 8);
		snprintf(text, sizeof text, "%-8s", f->event[i].s);
		memcpy(c->event[i], text, 8);
		c->kind[i] = OTHER;
		c->known[i] = 0;
	}
	make_details(c, f);
	c->kind[LWP_EVENT_BRE] = BRANCH;
	c->kind[LWP_EVENT_DME] = MISS;
	c->known[LWP_EVENT_BRE] = KNOWN_DATA2 | KNOWN_FLAGS;
	c->known[LWP_EVENT_DME] = KNOWN_DATA1 | KNOWN_FLAGS;
	c->known[LWP_EVENT_VAL] = KNOWN_DATA1 | KNOWN_DATA2 | KNOWN_FLAGS;
	c->known[LWP_EVENT_INS] = c->known[LWP_EVENT_VAL];
	columns_set_tid(c, 0);
}

int columns_set_tid(struct columns *c, uint64_t tid)
{
	char text[16];

	if (tid > 9999999)
		return -1;
	if (tid)
		snprintf(text, sizeof text, "%7u ", (unsigned)tid);
	else
		snprintf(text, sizeof text, "%7s ", "-");
	memcpy(c->tid, text, 8);
	return 0;
}

/* Return the digits in the bytes of text, the first n of which become blanks. */
static inline uint64_t blank_zeros(uint64_t text, unsigned n)
{
	const uint64_t blanks = (UINT64_C(1) << 8 * n) - 1;

	return (text & ~blanks) | (BLANKS & blanks);
}

static inline void store(char *p, uint64_t text)
{
	text = htole64(text);
	memcpy(p, &text, sizeof text);
}

/* A value that is not known is 0: its last digit becomes '-', and 0x before it blanks. */
static inline void mark_unknown(char *prefix, char *last, int known)
{
	memcpy(prefix, known ? "0x" : "  ", 2);
	*last = (char)(*last - (known ? 0 : '0' - '-'));
}

/* 16 bytes that are computed at once. */
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

/* Write a hexadecimal number, 18 columns wide. */
static inline void put_hex(char *p, uint64_t v, int known)
{
	/* From byte n on, 16 bytes of which the first 16 - n are set. */
	static const uint8_t masks[32] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};
	const unsigned n = digits_of_hex(v);
	bytes16 x = (bytes16)(words2){htobe64(v), 0}, mask;

	const bytes16 high = x >> 4, low = x & 15;
	x = __builtin_shufflevector(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
				    6, 22, 7, 23);
	x += '0' + ((bytes16)(x > 9) & ('a' - '0' - 10));
	memcpy(&mask, masks + n, 16);
	x = (x & ~mask) | (mask & ' ');
	memcpy(p, "  ", 2);
	memcpy(p + 2, &x, 16);
	mark_unknown(p + 16 - n, p + 17, known);
}

/* Write the flags, 6 columns wide: the last 4 digits of 8. */
static inline void put_flags(char *p, uint32_t v, int known)
{
	const unsigned n = digits_of_hex(v);
	char text[8];

	store(text, blank_zeros(digits_spread(v), 8 - n));
	memcpy(p, "  ", 2);
	memcpy(p + 2, text + 4, 4);
	mark_unknown(p + 4 - n, p + 5, known);
}

/* Return the 8 digits of v, which is below 10^8, the first one in the lowest byte. */
static inline uint64_t spread_decimal(uint32_t v)
{
	uint64_t x = v / 10000 | (uint64_t)(v % 10000) << 32;
	uint64_t high = (x * 10486 >> 20) & UINT64_C(0x0000007f0000007f);

	/* x / 100 and x / 10, by multiplication, in each group of digits. */
	x = high | (x - 100 * high) << 16;
	high = (x * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return high | (x - 10 * high) << 8;
}

/* Write a decimal number, 10 columns wide. */
static inline void put_decimal(char *p, uint32_t v, int known)
{
	if (v >= 100000000) {
		const unsigned n = digits_of_decimal(v);

		memcpy(p, "  ", 2);
		digits_put(p + 10 - n, v, n);
		return;
	}
	const uint64_t digits = spread_decimal(v);
	const unsigned zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;

	memcpy(p, "  ", 2);
	store(p + 2, blank_zeros(digits | UINT64_C(0x3030303030303030), zeros));
	p[9] = (char)(p[9] - (known ? 0 : '0' - '-'));
}

char *columns_line(const struct columns *c, const lwp_record_t *r, int padded, char *p)
{
	const unsigned known = c->known[r->id], kind = c->kind[r->id];
	const unsigned bits = r->flags >> 12;

	memset(p + 32, ' ', 64);
	memcpy(p, c->tid, 8);
	memcpy(p + 8, c->core[r->core], 8);
	memcpy(p + 13, c->event[r->id], 8);
	put_hex(p + 19, r->ip, 1);
	const int has_address = r->id == LWP_EVENT_DME && r->flags & LWP_DME_DAV;
	put_hex(p + 38, r->data2, (known & KNOWN_DATA2) || r->data2 || has_address);
	put_decimal(p + 57, r->data1, (known & KNOWN_DATA1) || r->data1);
	put_flags(p + 68, r->flags, (known & KNOWN_FLAGS) || r->flags);
	p[COLUMNS_DETAIL - 1] = ' ';
	memcpy(p + COLUMNS_DETAIL, c->detail[kind][bits], 32);
	if (padded)
		return p + COLUMNS_SYMBOL;
	char *end = p + COLUMNS_DETAIL + c->detail_size[kind][bits];
	*end = '\n';
	return end + 1;
}
