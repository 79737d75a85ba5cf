#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *textbuf_grow(struct textbuf *b, size_t n)
{
	if (b->failed)
		return NULL;
	if (b->len + n >= b->size) {
		/* 256 holds the usual row at once; doubling keeps long ones linear. */
		const size_t size = 2 * (b->len + n) + 256;
		char *s = realloc(b->s, size);
		if (!s) {
			b->failed = 1;
			return NULL;
		}
		b->s = s;
		b->size = size;
	}
	char *room = b->s + b->len;
	b->len += n;
	return room;
}

char *textbuf_end(struct textbuf *b)
{
	char *end = textbuf_room(b, 0);
	if (!end) {
		free(b->s);
		errno = ENOMEM;
		return NULL;
	}
	*end = '\0';
	return b->s;
}

void textbuf_put(struct textbuf *b, const char *s, size_t n)
{
	char *p = textbuf_room(b, n);
	if (p)
		memcpy(p, s, n);
}

void textbuf_str(struct textbuf *b, const char *s)
{
	textbuf_put(b, s, strlen(s));
}

/*
 * Append n bytes that the caller is to write, after as many blanks as the cell needs to
 * be width bytes wide. Most cells need few blanks, so that 16 are written at once: the
 * text has room for those that are too many. Returns NULL if memory ran out.
 */
static inline char *cell_room(struct textbuf *b, size_t n, size_t width)
{
	enum { BLANKS = 16 };
	const size_t pad = n < width ? width - n : 0;
	char *p = textbuf_room(b, pad + n + BLANKS);

	if (!p)
		return NULL;
	b->len -= BLANKS;
	for (size_t at = 0; at < pad; at += BLANKS)
		memset(p + at, ' ', BLANKS);
	return p + pad;
}

void textbuf_format(struct textbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *room = n < 0 ? NULL : textbuf_room(b, (size_t)n);
	if (!room)
		return;
	va_start(ap, fmt);
	vsnprintf(room, (size_t)n + 1, fmt, ap);
	va_end(ap);
}

void textbuf_cell(struct textbuf *b, const char *s, size_t n, size_t width)
{
	char *p = cell_room(b, n, width);
	if (p)
		memcpy(p, s, n);
}

static inline unsigned count_digits(uint64_t v)
{
	unsigned n = 1;

	/* 10^19 is the largest power of 10 in 64 bits. */
	for (uint64_t limit = 10; n < 20 && v >= limit; limit *= 10)
		n++;
	return n;
}

/* Write the last n digits of v before end. Returns the number that is before them. */
static inline uint64_t put_digits(char *end, uint64_t v, unsigned n)
{
	for (; n > 0; n--, v /= 10)
		*--end = (char)('0' + v % 10);
	return v;
}

/* printf(3) is slower, and depends on the locale. */
void textbuf_num(struct textbuf *b, uint64_t v, size_t width)
{
	const unsigned n = count_digits(v);
	char *p = cell_room(b, n, width);
	if (p)
		put_digits(p + n, v, n);
}

void textbuf_signal(struct textbuf *b, int signal)
{
	const char *name = sigabbrev_np(signal);

	textbuf_str(b, "signal ");
	textbuf_num(b, (uint64_t)signal, 0);
	if (!name)
		return;
	textbuf_str(b, " (SIG");
	textbuf_str(b, name);
	textbuf_char(b, ')');
}

void textbuf_fixed(struct textbuf *b, uint64_t v, unsigned decimals, size_t width)
{
	const unsigned digits = count_digits(v);
	const unsigned n = digits > decimals ? digits : decimals + 1;
	char *p = cell_room(b, n + 1, width);

	if (!p)
		return;
	const uint64_t whole = put_digits(p + n + 1, v, decimals);
	p[n - decimals] = '.';
	put_digits(p + n - decimals, whole, n - decimals);
}

void textbuf_decimal(struct textbuf *b, double v, unsigned decimals, size_t width)
{
	char text[64];
	struct textbuf number = {.s = text, .size = sizeof text};
	double scaled = v < 0 ? -v : v;

	for (unsigned i = 0; i < decimals; i++)
		scaled *= 10;
	const uint64_t n = (uint64_t)(scaled + 0.5);
	if (v < 0 && n > 0)
		textbuf_char(&number, '-');
	textbuf_fixed(&number, n, decimals, 0);
	textbuf_cell(b, text, number.len, width);
}

void textbuf_real(struct textbuf *b, double v)
{
	char text[48];

	if (!isfinite(v))
		return;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	textbuf_str(b, text);
}

const char *text_grouped(char text[TEXT_GROUPED], const char *digits)
{
	size_t left = strlen(digits);
	char *to = text;

	while (left > 0) {
		*to++ = *digits++;
		if (--left > 0 && left % 3 == 0)
			*to++ = ',';
	}
	*to = '\0';
	return text;
}

/* Source: The Unicode Standard, table 3-7, well-formed UTF-8 byte sequences */
unsigned text_utf8_len(const char *s)
{
	static const struct {
		unsigned char first, last; /* first byte */
		unsigned char low, high;   /* second byte */
		unsigned len;
	} forms[] = {
		{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};
	const unsigned char *b = (const unsigned char *)s;

	if (b[0] < 0x80)
		return 1;
	for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
		if (b[0] < forms[f].first || b[0] > forms[f].last)
			continue;
		if (b[1] < forms[f].low || b[1] > forms[f].high)
			return 0;
		unsigned len = 2;
		while (len < forms[f].len && (b[len] & 0xc0) == 0x80)
			len++;
		return len == forms[f].len ? len : 0;
	}
	return 0;
}

/*
 * Source: The Unicode Standard: 23.1 (control codes), 23.2 (line and paragraph
 * separator); UAX #9, 2 (directional formatting characters)
 */
unsigned text_control(const char *s)
{
	static const struct {
		const char *begin;	 /* bytes before the last one */
		unsigned char low, high; /* last byte */
		unsigned code;		 /* of the character that ends with low */
	} ranges[] = {
		{"", 0x01, 0x1f, 0x1},
		{"", 0x7f, 0x7f, 0x7f},
		{"\xc2", 0x80, 0x9f, 0x80},
		{"\xd8", 0x9c, 0x9c, 0x61c},
		{"\xe2\x80", 0x8e, 0x8f, 0x200e},
		{"\xe2\x80", 0xa8, 0xae, 0x2028},
		{"\xe2\x81", 0xa6, 0xa9, 0x2066},
	};

	/* Most characters are these. */
	if (*s >= ' ' && *s <= '~')
		return 0;
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		const size_t len = strlen(ranges[i].begin);
		const unsigned char last =
			strncmp(s, ranges[i].begin, len) == 0 ? (unsigned char)s[len] : 0;

		if (last >= ranges[i].low && last <= ranges[i].high)
			return ranges[i].code + last - ranges[i].low;
	}
	return 0;
}

/* Return the length of the printable character at s, or 0 if there is none. */
static unsigned printable_len(const char *s)
{
	return text_control(s) ? 0 : text_utf8_len(s);
}

/* Return how many bytes at s become one '?'. */
static unsigned unprintable_len(const char *s)
{
	const unsigned len = text_utf8_len(s);

	return len ? len : 1;
}

void text_clean(char *s, const char *keep)
{
	char *to = s;

	while (*s) {
		unsigned len = strchr(keep, *s) ? 1 : printable_len(s);

		if (len) {
			memmove(to, s, len);
			to += len;
		} else {
			len = unprintable_len(s);
			*to++ = '?';
		}
		s += len;
	}
	*to = '\0';
}

void text_message(char *s, size_t size, const char *fmt, va_list ap)
{
	vsnprintf(s, size, fmt, ap);
	text_clean(s, "");
}

size_t text_width(const char *s)
{
	size_t n = 0;

	for (; *s; n++)
		s += unprintable_len(s);
	return n;
}

const char *text_decimal(const char *s, double *v)
{
	static const char digits[] = "0123456789";
	const size_t whole = strspn(s, digits);
	const size_t part = s[whole] == '.' ? strspn(s + whole + 1, digits) : 0;
	char *end;

	if (whole + part == 0)
		return NULL;
	*v = strtod(s, &end);
	return end == s + whole + (s[whole] == '.') + part ? end : NULL;
}

void textbuf_clean(struct textbuf *b, const char *s)
{
	while (*s) {
		const unsigned len = printable_len(s);

		if (len)
			textbuf_put(b, s, len);
		else
			textbuf_char(b, '?');
		s += unprintable_len(s);
	}
}

unsigned textbuf_utf8(struct textbuf *b, const char *s)
{
	const unsigned len = text_utf8_len(s);

	if (!len)
		textbuf_str(b, "\xef\xbf\xbd");
	else if (text_control(s))
		textbuf_char(b, '?');
	else
		textbuf_put(b, s, len);
	return len ? len : 1;
}

char *text_words(char *buf, size_t n)
{
	while (n > 0 && buf[n - 1] == '\0')
		n--;
	for (size_t i = 0; i < n; i++)
		if (buf[i] == '\0')
			buf[i] = ' ';
	buf[n] = '\0';
	return n ? buf : NULL;
}
