/*
 * A block of lines as the bytes that draw it on a terminal, in the place of the block
 * that was drawn before. Depends on its arguments only.
 *
 * The cursor stays where it was, in the line above the block: what others write to the
 * terminal appears there, and a block that a terminal breaks into other lines because its
 * window is resized is below the cursor and erased as a whole by the next one.
 */
#ifndef SUITE_SCREEN_FRAME_H
#define SUITE_SCREEN_FRAME_H

#include "base/text.h"

/* The room for a block, and how it is drawn. */
struct frame {
	unsigned rows, columns; /* at least 1 */
	int colour;		/* colours are shown */
	/*
	 * The window has another size than at the block before: erase the line of the
	 * cursor too. A terminal that had to break a block which filled its window moves
	 * the line above the block out of the window, and the cursor into the block.
	 */
	int resized;
};

/*
 * A block is text whose lines end with a line break. Colours and the like in the block
 * are sequences of ECMA-48's SGR ("\033[31m"), which only a frame with colours shows;
 * each other control character becomes '?'. Lines and columns for which there is no room
 * are cut off; of the last block only columns are. Text from outside must be cleaned
 * (textbuf_clean()) before it is added to a block.
 */

/*
 * Append what draws a block. The last block is left on the screen, and the cursor goes to
 * the line below it.
 */
void frame_draw(struct textbuf *b, const struct frame *f, const char *block, int last);

/* Append the line at s, cut to the columns, without the line break that may end it. */
void frame_line(struct textbuf *b, const struct frame *f, const char *s);

/* Append the block for an output that is not a terminal: its lines as they are, cut. */
void frame_plain(struct textbuf *b, const struct frame *f, const char *block);

#endif
