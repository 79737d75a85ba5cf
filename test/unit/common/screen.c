/* Terminals, their windows and the environment. */
#include <errno.h>
#include <limits.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/screen.h"
#include "vt.h"

static void set(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static const struct {
	int line;
	const char *term, *no_color, *lc_all, *lang;
	int terminal, colour, utf8; /* on a terminal */
} environments[] = {
	{__LINE__, "xterm", NULL, NULL, "C.UTF-8", 1, 1, 1},
	{__LINE__, "xterm", "", "en_US.utf8", "C", 1, 1, 1},
	{__LINE__, "xterm", "1", "C", "C.UTF-8", 1, 0, 0},
	{__LINE__, "dumb", NULL, NULL, NULL, 0, 0, 0},
	{__LINE__, NULL, NULL, "", "", 0, 0, 0},
};

/* Makes a terminal of 10 lines of 20 columns, or without a size. */
static int open_terminal(int *master, int sized)
{
	const struct winsize w = {.ws_row = 10, .ws_col = 20};
	int fd;

	if (openpty(master, &fd, NULL, NULL, sized ? &w : NULL) == -1) {
		print_message("no terminal can be made here\n");
		skip();
	}
	return fd;
}

static void close_terminal(int master, int fd)
{
	close(fd);
	close(master);
}

static void test_environment(void **state)
{
	int master;
	const int fd = open_terminal(&master, 1);

	(void)state;
	unsetenv("LC_CTYPE");
	for (size_t i = 0; i < sizeof environments / sizeof *environments; i++) {
		struct out out = {.fd = fd, .provisional = -1};
		struct screen s;

		set("TERM", environments[i].term);
		set("NO_COLOR", environments[i].no_color);
		set("LC_ALL", environments[i].lc_all);
		set("LANG", environments[i].lang);
		screen_open(&s, &out);
		if (s.terminal != environments[i].terminal ||
		    s.frame.colour != environments[i].colour ||
		    s.utf8 != environments[i].utf8)
			fail_msg("line %d", environments[i].line);
	}
	close_terminal(master, fd);
}

static void expect_size(const struct screen *s, unsigned rows, unsigned columns)
{
	assert_int_equal(s->frame.rows, rows);
	assert_int_equal(s->frame.columns, columns);
}

static void test_size(void **state)
{
	struct winsize w = {.ws_row = 1, .ws_col = 7};
	struct screen s;
	int master;
	int fd = open_terminal(&master, 1);

	(void)state;
	set("TERM", "xterm");
	set("LINES", "50");
	set("COLUMNS", "100");
	screen_open(&s, &(struct out){.fd = fd, .provisional = -1});
	expect_size(&s, 9, 20);
	assert_int_equal(s.frame.resized, 0);
	s.out = &(struct out){.fd = fd, .provisional = -1};
	ioctl(fd, TIOCSWINSZ, &w);
	screen_measure(&s);
	screen_measure(&s);
	expect_size(&s, 1, 7);
	assert_int_equal(s.frame.resized, 1);
	close_terminal(master, fd);
	fd = open_terminal(&master, 0);
	screen_open(&s, &(struct out){.fd = fd, .provisional = -1});
	expect_size(&s, 49, 100);
	set("LINES", "1x");
	set("COLUMNS", "0");
	screen_open(&s, &(struct out){.fd = fd, .provisional = -1});
	expect_size(&s, 23, 80);
	close_terminal(master, fd);
}

static void test_draw(void **state)
{
	struct vt t = {.rows = 10, .columns = 20};
	struct termios raw;
	char text[1024];
	int master;
	const int fd = open_terminal(&master, 1);
	struct out out = {.fd = fd, .provisional = -1};
	struct screen s;

	(void)state;
	set("TERM", "xterm");
	/* The terminal must not change the line breaks, which the block brings along. */
	tcgetattr(fd, &raw);
	cfmakeraw(&raw);
	tcsetattr(fd, TCSANOW, &raw);
	screen_open(&s, &out);
	assert_int_equal(screen_draw(&s, "one\ntwo\n"), 0);
	assert_int_equal(s.frame.resized, 0);
	assert_int_equal(screen_end(&s, "three\n"), 0);
	/* What was written can come in parts. */
	for (size_t n = 0; n == 0 || !strstr(text, "three\r\n");) {
		const ssize_t got = read(master, text + n, sizeof text - 1 - n);

		assert_true(got > 0);
		n += (size_t)got;
		text[n] = '\0';
	}
	vt_write(&t, text);
	assert_string_equal(vt_text(&t), "\nthree\n");
	assert_int_equal(t.row, 2);
	close_terminal(master, fd);
}

static void test_pipe(void **state)
{
	char text[64];
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	struct out out = {.fd = fd[1], .provisional = -1};
	struct screen s;
	screen_open(&s, &out);
	assert_int_equal(s.terminal, 0);
	expect_size(&s, UINT_MAX, 80);
	assert_int_equal(screen_draw(&s, "one\n"), 0);
	assert_int_equal(screen_end(&s, ""), 0);
	assert_int_equal(screen_end(&s, "\033[1mtwo\033[0m\n"), 0);
	assert_int_equal(read(fd[0], text, sizeof text), 4);
	assert_memory_equal(text, "two\n", 4);
	assert_int_equal(screen_end(&s, NULL), -1);
	assert_int_equal(out.error, ENOMEM);
	close(fd[0]);
	close(fd[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_draw),
		cmocka_unit_test(test_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
