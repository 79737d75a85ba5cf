/* A growing string, and what rows put into it. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* The formats in which the commands print rows and reports (--format). */
enum text_format { TEXT_PLAIN, TEXT_CSV, TEXT_JSON };

/* Begins as zeros. After an allocation has failed, putting more does nothing. */
struct textbuf {
	char *s; /* no NUL at its end yet */
	size_t len, size;
	int failed;
};

/* The string, for the caller to free; or NULL with ENOMEM if an allocation has failed. */
char *textbuf_end(struct textbuf *b);

void textbuf_put(struct textbuf *b, const char *s, size_t n);
void textbuf_str(struct textbuf *b, const char *s);
void textbuf_char(struct textbuf *b, char c);

/* n bytes, after blanks that fill the cell up to width. */
void textbuf_cell(struct textbuf *b, const char *s, size_t n, size_t width);

/* v as a decimal number in a cell; v / 10^decimals, which is at most 9. */
void textbuf_num(struct textbuf *b, uint64_t v, size_t width);
void textbuf_fixed(struct textbuf *b, uint64_t v, unsigned decimals, size_t width);

/* Control characters as '?': a line stays a line, and a terminal is told nothing. */
void textbuf_clean(struct textbuf *b, const char *s);

/* The UTF-8 character at s; U+FFFD if a byte begins none. Returns the bytes taken. */
unsigned textbuf_utf8(struct textbuf *b, const char *s);

#endif
