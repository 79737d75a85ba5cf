/* A growing string, and what rows put into it. */
#ifndef ROWBUF_H
#define ROWBUF_H

#include <stddef.h>
#include <stdint.h>

/* The formats in which the commands print rows and reports (--format). */
enum text_format { TEXT_PLAIN, TEXT_CSV, TEXT_JSON };

/* Begins as zeros. After an allocation has failed, putting more does nothing. */
struct rowbuf {
	char *s; /* no NUL at its end yet */
	size_t len, size;
	int failed;
};

/* The string, for the caller to free; or NULL with ENOMEM if an allocation has failed. */
char *rowbuf_end(struct rowbuf *b);

void rowbuf_put(struct rowbuf *b, const char *s, size_t n);
void rowbuf_str(struct rowbuf *b, const char *s);
void rowbuf_char(struct rowbuf *b, char c);

/* n bytes, after blanks that fill the cell up to width. */
void rowbuf_cell(struct rowbuf *b, const char *s, size_t n, size_t width);

/* v as a decimal number in a cell; v / 10^decimals, which is at most 9. */
void rowbuf_num(struct rowbuf *b, uint64_t v, size_t width);
void rowbuf_fixed(struct rowbuf *b, uint64_t v, unsigned decimals, size_t width);

/* Control characters as '?': a line stays a line, and a terminal is told nothing. */
void rowbuf_clean(struct rowbuf *b, const char *s);

/* The UTF-8 character at s; U+FFFD if a byte begins none. Returns the bytes taken. */
unsigned rowbuf_utf8(struct rowbuf *b, const char *s);

#endif
