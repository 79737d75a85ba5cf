#include "screen.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static int is_terminal(int fd)
{
	const char *term = variable("TERM");

	return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

/* The first of these variables that is set has the locale: locale(7). */
static int has_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = variable(names[i]);

		if (value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return 0;
}

/* Return the number of a variable, or fallback if it is not from 1 to 9999. */
static unsigned number(const char *name, unsigned fallback)
{
	const char *value = variable(name);
	char *end;
	const unsigned long n = value ? strtoul(value, &end, 10) : 0;

	return n > 0 && n < 10000 && !*end ? (unsigned)n : fallback;
}

void screen_measure(struct screen *s)
{
	const struct frame before = s->frame;
	struct winsize w = {0};

	if (!s->terminal)
		return;
	if (ioctl(s->out->fd, TIOCGWINSZ, &w) == -1 || !w.ws_row || !w.ws_col) {
		w.ws_row = (unsigned short)number("LINES", 24);
		w.ws_col = (unsigned short)number("COLUMNS", 80);
	}
	s->frame.rows = w.ws_row > 1 ? w.ws_row - 1u : 1;
	s->frame.columns = w.ws_col;
	s->frame.resized |=
		before.rows != s->frame.rows || before.columns != s->frame.columns;
}

/* Source for NO_COLOR: https://no-color.org */
void screen_open(struct screen *s, struct out *out)
{
	const int terminal = is_terminal(out->fd);

	*s = (struct screen){
		.out = out,
		.terminal = terminal,
		.utf8 = has_utf8(),
		.frame = {.rows = UINT_MAX,
			  .columns = 80,
			  .colour = terminal && !variable("NO_COLOR")},
	};
	screen_measure(s);
	s->frame.resized = 0;
}

static int write_block(struct screen *s, const char *block, int last)
{
	struct textbuf b = {0};

	if (block && !*block)
		return 0;
	if (block && s->terminal)
		frame_draw(&b, &s->frame, block, last);
	else if (block)
		frame_plain(&b, &s->frame, block);
	s->frame.resized = 0;
	const int rc = out_write(s->out, block && !b.failed ? b.s : NULL, b.len);
	free(b.s);
	return rc;
}

int screen_draw(struct screen *s, const char *block)
{
	return s->terminal ? write_block(s, block, 0) : 0;
}

int screen_end(struct screen *s, const char *block)
{
	return write_block(s, block, 1);
}
