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

/* The room for a block, and whether colours are shown. */
struct frame {
	unsigned rows, columns; /* at least 1 */
	int colour;
};

/*
 * A block is text whose lines end with a line break. Colours and the like in the block
 * are sequences of ECMA-48's SGR ("\033[31m"), which only a frame with colours shows;
 * each other control character becomes '?'. Lines and columns for which there is no room
 * are cut off. Text from outside must be cleaned (textbuf_clean()) before it is added to
 * a block.
 */

/*
 * Append what draws a block. Its last block is left on the screen, and the cursor goes to
 * the line below it.
 */
void frame_draw(struct textbuf *b, const struct frame *f, const char *block, int last);

/* Append the block for an output that is not a terminal: its lines as they are, cut. */
void frame_plain(struct textbuf *b, const struct frame *f, const char *block);

#endif
