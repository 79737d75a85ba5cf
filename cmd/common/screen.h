/*
 * A block of lines, such as a table or a chart, that is drawn again and again in place on
 * a terminal. On another output only the last block appears, as plain lines.
 *
 *	screen_open(&screen, &out);
 *	each interval:	screen_measure(&screen);
 *			if (screen.terminal)
 *				screen_draw(&screen, block of at most screen.frame.rows
 *					    lines and screen.frame.columns columns);
 *	at the end:	screen_measure(&screen);
 *			screen_end(&screen, block);
 */
#ifndef COMMON_SCREEN_H
#define COMMON_SCREEN_H

#include "out.h"
#include "suite/screen/frame.h"

struct screen {
	struct out *out;
	/*
	 * The output is a terminal that can move its cursor: TERM is set and not "dumb".
	 */
	int terminal;
	int utf8; /* the locale of the environment has UTF-8, for block characters */
	/*
	 * The room for a block, of which lines and columns in excess are cut off, and
	 * whether its colours are shown: on a terminal, without NO_COLOR. An output that
	 * is no terminal has 80 columns and any number of rows.
	 */
	struct frame frame;
};

/* Prepare to draw on an output, which must outlive *s, and do screen_measure(). */
void screen_open(struct screen *s, struct out *out);

/*
 * Ask the terminal how large its window is at present: TIOCGWINSZ in ioctl_tty(2), or
 * LINES and COLUMNS in the environment, or 24 lines of 80 columns. One line of the window
 * is kept free above the block for what others write.
 */
void screen_measure(struct screen *s);

/*
 * Draw a block, whose format frame.h describes, in the place of the block before, with
 * one write. Does nothing if the output is no terminal. block NULL counts as ENOMEM.
 * Returns what out_write() returns.
 */
int screen_draw(struct screen *s, const char *block);

/*
 * Write the last block, which stays on the screen and can have more lines than the
 * window; later text goes below it. Returns what out_write() returns.
 */
int screen_end(struct screen *s, const char *block);

#endif
