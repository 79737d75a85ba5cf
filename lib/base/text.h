/* A string that grows, and the kinds of text that rows append to it. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The formats in which the commands print rows and reports (--format). Repeated runs
 * alone have Markdown.
 */
enum text_format { TEXT_PLAIN, TEXT_CSV, TEXT_JSON, TEXT_MARKDOWN };

/* Starts as zeros. After an allocation has failed, appending does nothing. */
struct textbuf {
	char *s; /* no NUL at its end until textbuf_end() */
	size_t len, size;
	int failed; /* 1: an allocation has failed */
};

/*
 * Append n bytes that the caller is to write to the result, before the next call for b.
 * They are followed by room for a NUL. Returns NULL if memory ran out.
 */
char *textbuf_grow(struct textbuf *b, size_t n);
static inline char *textbuf_room(struct textbuf *b, size_t n)
{
	if (b->len + n >= b->size || b->failed)
		return textbuf_grow(b, n);
	char *room = b->s + b->len;
	b->len += n;
	return room;
}

/* Return the string, for the caller to free; or NULL with ENOMEM if memory ran out. */
char *textbuf_end(struct textbuf *b);

void textbuf_put(struct textbuf *b, const char *s, size_t n);
void textbuf_str(struct textbuf *b, const char *s);
static inline void textbuf_char(struct textbuf *b, char c)
{
	char *p = textbuf_room(b, 1);
	if (p)
		*p = c;
}

/* Append text as printf(3) formats it. */
__attribute__((format(printf, 2, 3))) void textbuf_format(struct textbuf *b,
							  const char *fmt, ...);

/* Append n bytes, after as many blanks as the cell needs to be width bytes wide. */
void textbuf_cell(struct textbuf *b, const char *s, size_t n, size_t width);

/* Append v as a decimal number in a cell; or v / 10^decimals, with decimals at most 9. */
void textbuf_num(struct textbuf *b, uint64_t v, size_t width);
void textbuf_fixed(struct textbuf *b, uint64_t v, unsigned decimals, size_t width);

/*
 * Append v, rounded, in a cell. v is below 1e10 with 9 decimals, or below 1e13 with 6
 * decimals.
 */
void textbuf_decimal(struct textbuf *b, double v, unsigned decimals, size_t width);

/* Append a signal as "signal 15 (SIGTERM)". */
void textbuf_signal(struct textbuf *b, int signal);

/*
 * Append v as the shortest decimal number that is read back as v; nothing if v is not
 * finite. Numbers below 1e15 without a fraction have no exponent.
 */
void textbuf_real(struct textbuf *b, double v);

/*
 * Copy the digits of a number with a comma before each three of them: "1,234,567". text
 * has TEXT_GROUPED bytes, for up to 60 digits. Returns text.
 */
enum { TEXT_GROUPED = 80 };
const char *text_grouped(char text[TEXT_GROUPED], const char *digits);

/*
 * Make n bytes of words, each with a NUL at its end, one text with blanks between the
 * words. buf has room for n + 1 bytes. Returns buf, or NULL if all words are empty.
 */
char *text_words(char *buf, size_t n);

/*
 * Text from outside (names of programs and events, command lines, files, the environment)
 * may contain commands to a terminal, break a line or change the order in which its
 * characters are shown. These functions leave only valid UTF-8 without control
 * characters. These are U+0000 to U+001F and U+007F to U+009F, the separators U+2028 and
 * U+2029, and the characters that set the direction of text: U+061C, U+200E, U+200F,
 * U+202A to U+202E and U+2066 to U+2069.
 */

/* Return the length of the UTF-8 character at s, 1 at the end, or 0 if s is malformed. */
unsigned text_utf8_len(const char *s);

/* Return the code of the control character at s, which is not the end, or 0. */
unsigned text_control(const char *s);

/*
 * Replace in place each control character, and each byte that is not UTF-8, by '?',
 * except the ASCII characters in keep.
 */
void text_clean(char *s, const char *keep);

/*
 * Format a message of one line into s, which has room for size bytes, and clean it as
 * text_clean() does. A message that does not fit is truncated.
 */
__attribute__((format(printf, 3, 0))) void text_message(char *s, size_t size,
							const char *fmt, va_list ap);

/* Return how many characters s has once it is clean. */
size_t text_width(const char *s);

/*
 * Read a decimal number without sign and exponent, such as 2 or 0.5, from the beginning
 * of s. Returns the text behind the number; or NULL if there is none, or if a number of
 * another form begins there.
 */
const char *text_decimal(const char *s, double *v);

/* Append s with '?' for each control character and each byte that is not UTF-8. */
void textbuf_clean(struct textbuf *b, const char *s);

/*
 * Append the UTF-8 character at s: '?' for a control character, U+FFFD if it is
 * malformed. Returns its length in s.
 */
unsigned textbuf_utf8(struct textbuf *b, const char *s);

#endif
