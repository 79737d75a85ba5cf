#include "suite/cpus/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite/cpus/statfile.h"

enum {
	FIRST_ROOM = 64 * 1024,
	CHECKSUM = 8 /* digits of a checksum */
};

int statfile_lines_bad(struct statfile_lines *l, const char *fmt, ...)
{
	va_list ap;

	const int n = snprintf(l->why, sizeof l->why, "line %" PRIu64 ": ", l->line);
	va_start(ap, fmt);
	vsnprintf(l->why + n, sizeof l->why - (size_t)n, fmt, ap);
	va_end(ap);
	errno = EBADMSG;
	return -1;
}

int statfile_lines_failed(struct statfile_lines *l)
{
	const int e = errno;

	snprintf(l->why, sizeof l->why, "%m");
	errno = e;
	return -1;
}

int statfile_lines_open(struct statfile_lines *l, const char *path)
{
	*l = (struct statfile_lines){.fd = -1, .size = FIRST_ROOM};
	statfile_crc_init(&l->table);
	l->buf = malloc(l->size);
	if (!l->buf)
		return statfile_lines_failed(l);
	l->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	return l->fd == -1 ? statfile_lines_failed(l) : 0;
}

void statfile_lines_close(struct statfile_lines *l)
{
	if (l->fd != -1 && l->fd != STDIN_FILENO)
		close(l->fd);
	free(l->buf);
	l->fd = -1;
	l->buf = NULL;
}

/* Make room in buf after the bytes that are still needed. */
static int make_room(struct statfile_lines *l)
{
	if (l->begin) {
		memmove(l->buf, l->buf + l->begin, l->end - l->begin);
		l->end -= l->begin;
		l->begin = 0;
	}
	if (l->end < l->size)
		return 0;
	char *grown = realloc(l->buf, 2 * l->size);
	if (!grown)
		return statfile_lines_failed(l);
	l->buf = grown;
	l->size *= 2;
	return 0;
}

/* Read more bytes, or set l->eof at the end of the file. */
static int read_more(struct statfile_lines *l)
{
	if (make_room(l) == -1)
		return -1;
	for (;;) {
		const ssize_t n = read(l->fd, l->buf + l->end, l->size - l->end);
		if (n >= 0) {
			l->end += (size_t)n;
			l->eof = n == 0;
			return 0;
		}
		if (errno != EINTR)
			return statfile_lines_failed(l);
	}
}

int statfile_lines_next(struct statfile_lines *l)
{
	size_t seen = 0;
	const char *newline;

	l->line++;
	for (;;) {
		newline =
			memchr(l->buf + l->begin + seen, '\n', l->end - l->begin - seen);
		seen = l->end - l->begin;
		if (newline || l->eof)
			break;
		if (seen >= STATFILE_LINE)
			return statfile_lines_bad(l, "the line has more than %d bytes",
						  STATFILE_LINE);
		if (read_more(l) == -1)
			return -1;
	}
	if (!newline)
		return seen ? statfile_lines_bad(l, "the file was cut in this line") : 0;
	l->at = l->buf + l->begin;
	l->stop = newline;
	l->field = 1;
	l->begin += (size_t)(newline - l->at) + 1;
	l->bytes += (size_t)(newline - l->at) + 1;
	return 1;
}

/* The value of a digit, or -1. Checksums are written in lower case. */
static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int statfile_lines_check(struct statfile_lines *l)
{
	if (l->stop - l->at <= CHECKSUM || l->stop[-CHECKSUM - 1] != '\t')
		return statfile_lines_bad(l, "the checksum is missing");
	const char *const sum = l->stop - CHECKSUM;
	uint32_t sum_read = 0;
	for (unsigned i = 0; i < CHECKSUM; i++) {
		const int digit = hex_digit(sum[i]);
		if (digit == -1)
			return statfile_lines_bad(l, "the checksum is missing");
		sum_read = sum_read << 4 | (uint32_t)digit;
	}
	const uint32_t crc =
		statfile_crc(&l->table, l->crc, l->at, (size_t)(sum - l->at));
	if (sum_read != crc)
		return statfile_lines_bad(l, "the checksum does not match");
	l->crc = statfile_crc(&l->table, crc, sum, CHECKSUM + 1);
	l->stop = sum - 1;
	return 0;
}

/* Return the end of the next field. */
static const char *field_end(const struct statfile_lines *l)
{
	const char *tab = memchr(l->at, '\t', (size_t)(l->stop - l->at));

	return tab ? tab : l->stop;
}

/* Go to the field after the one that ends at end. */
static void field_done(struct statfile_lines *l, const char *end)
{
	l->at = end < l->stop ? end + 1 : NULL;
	l->field++;
}

int statfile_lines_is(struct statfile_lines *l, const char *word)
{
	if (!l->at)
		return 0;
	const char *const end = field_end(l);
	const size_t n = (size_t)(end - l->at);
	if (n != strlen(word) || memcmp(l->at, word, n))
		return 0;
	field_done(l, end);
	return 1;
}

/* Parse a field of digits without leading zeros. Returns its end, or NULL. */
static const char *parse_number(const char *s, const char *stop, uint64_t max,
				uint64_t *v)
{
	const char *p = s;

	for (*v = 0; p < stop && *p >= '0' && *p <= '9'; p++) {
		const unsigned digit = (unsigned)(*p - '0');
		if (digit > max || *v > (max - digit) / 10)
			return NULL;
		*v = *v * 10 + digit;
	}
	if (p == s || (p < stop && *p != '\t') || (*s == '0' && p - s > 1))
		return NULL;
	return p;
}

int statfile_lines_num(struct statfile_lines *l, uint64_t max, uint64_t *v)
{
	if (!l->at)
		return statfile_lines_bad(l, "field %u is missing", l->field);
	const char *const end = parse_number(l->at, l->stop, max, v);
	if (!end)
		return statfile_lines_bad(
			l, "field %u is not a number of at most %" PRIu64, l->field, max);
	field_done(l, end);
	return 0;
}

/* The byte of an escape %XX that put_text() would write, or 0. */
static char escaped(const char *s, const char *end)
{
	static const char hex[] = "0123456789ABCDEF";

	if (end - s < 3)
		return 0;
	const char *const high = memchr(hex, s[1], 16);
	const char *const low = memchr(hex, s[2], 16);
	if (!high || !low)
		return 0;
	const long c = (high - hex) * 16 + (low - hex);
	return c < 0x20 || c == '%' || c == 0x7f ? (char)c : 0;
}

/*
 * Copy s to end into text and replace escapes. Returns -1 for a byte that is not escaped.
 */
static int unescape(char *text, const char *s, const char *end)
{
	while (s < end) {
		const unsigned char c = (unsigned char)*s;
		if (c < 0x20 || c == 0x7f)
			return -1;
		*text = c == '%' ? escaped(s, end) : *s;
		if (!*text++)
			return -1;
		s += c == '%' ? 3 : 1;
	}
	*text = '\0';
	return 0;
}

char *statfile_lines_text(struct statfile_lines *l)
{
	if (!l->at) {
		statfile_lines_bad(l, "field %u is missing", l->field);
		return NULL;
	}
	const char *const end = field_end(l);
	char *text = malloc((size_t)(end - l->at) + 1);
	if (!text) {
		statfile_lines_failed(l);
		return NULL;
	}
	if (unescape(text, l->at, end) == -1) {
		free(text);
		statfile_lines_bad(l, "field %u is not a text", l->field);
		return NULL;
	}
	field_done(l, end);
	return text;
}

int statfile_lines_end(struct statfile_lines *l)
{
	return l->at ? statfile_lines_bad(l, "the line has more than %u fields",
					  l->field - 1)
		     : 0;
}
