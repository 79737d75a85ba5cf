#include "suite/screen/frame.h"

#include <string.h>

#include "base/columns.h"

/* Return the length of the SGR sequence at s, or 0. Source: ECMA-48, 8.3.117 */
static size_t sgr_len(const char *s)
{
	if (s[0] != '\033' || s[1] != '[')
		return 0;
	const size_t n = 2 + strspn(s + 2, "0123456789;");
	return s[n] == 'm' ? n + 1 : 0;
}

/* Append a character, or '?' for one that is not printable. Returns its bytes. */
static unsigned put_character(struct textbuf *b, const char *s, unsigned len)
{
	if (text_control(s) || !text_utf8_len(s))
		textbuf_char(b, '?');
	else
		textbuf_put(b, s, len);
	return len;
}

/* Colours of text that is cut off still end. */
void frame_line(struct textbuf *b, const struct frame *f, const char *s)
{
	unsigned column = 0, len;

	while (*s && *s != '\n') {
		const size_t sgr = sgr_len(s);

		if (sgr && f->colour)
			textbuf_put(b, s, sgr);
		s += sgr;
		if (sgr)
			continue;
		const unsigned wide = columns_of(s, &len);
		column += wide;
		if (column <= f->columns)
			put_character(b, s, len);
		s += len;
	}
}

static unsigned count_lines(const struct frame *f, const char *block)
{
	unsigned n = 0;

	for (const char *s = block; (s = strchr(s, '\n')) && n < f->rows; s++)
		n++;
	return n;
}

static const char *next_line(const char *s)
{
	return strchr(s, '\n') + 1;
}

/*
 * Move to the line n lines below and back, so that the lines exist: IND (ESC D) scrolls
 * at the end of the screen and keeps the column; CUU (CSI A) goes up. Then save the place
 * of the cursor (DECSC, ESC 7). Source: DEC VT100 User Guide, chapter 3
 */
static void make_room(struct textbuf *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		textbuf_str(b, "\033D");
	textbuf_str(b, "\033[");
	textbuf_num(b, n, 0);
	textbuf_str(b, "A\0337");
}

/*
 * The line of the cursor can still have the end of a line of the block before, to which a
 * line break of others has moved the cursor. A line is erased before its text is written
 * (EL, CSI K) and not after it: a line that fills the width leaves the cursor on its last
 * character. With the last line everything below is erased too (ED, CSI J). DECRC (ESC 8)
 * takes the cursor back.
 */
void frame_draw(struct textbuf *b, const struct frame *f, const char *block, int last)
{
	const unsigned n = count_lines(f, block);

	if (n == 0)
		return;
	textbuf_str(b, f->resized ? "\r\033[J" : "\033[K");
	make_room(b, n);
	for (unsigned i = 1; i <= n; i++, block = next_line(block)) {
		textbuf_str(b, i < n ? "\r\n\033[K" : "\r\n\033[J");
		frame_line(b, f, block);
	}
	textbuf_str(b, last ? "\r\n" : "\0338");
	for (; last && *block; block = next_line(block)) {
		frame_line(b, f, block);
		textbuf_str(b, "\r\n");
	}
}

void frame_plain(struct textbuf *b, const struct frame *f, const char *block)
{
	const unsigned n = count_lines(f, block);

	for (unsigned i = 0; i < n; i++, block = next_line(block)) {
		frame_line(b, f, block);
		textbuf_char(b, '\n');
	}
}
