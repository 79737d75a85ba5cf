/* Messages that are kept until the command knows whether to print them. */
#include "common/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

__attribute__((format(printf, 2, 3))) static void send(const char *fn, const char *fmt,
						       ...)
{
	va_list ap;

	va_start(ap, fmt);
	message_pctx(fn, fmt, ap);
	va_end(ap);
}

static void captured_messages_are_lines(void **state)
{
	(void)state;
	message_watch();
	message_capture_begin();
	assert_string_equal(message_capture_text(), "");
	assert_false(message_came());
	send("cpc_open", "cannot open %s", "this\n");
	assert_true(message_came());
	assert_string_equal(message_capture_text(), "cannot open this");
	send("cpc_bind", "and %d more\nof which this is no part", 2);
	send("cpc_bind", "\033[2J");
	assert_string_equal(message_capture_text(), "cannot open this\nand 2 more\n?[2J");
	message_capture_end();
	assert_string_equal(message_capture_text(), "cannot open this\nand 2 more\n?[2J");
	message_capture_begin();
	assert_string_equal(message_capture_text(), "");
	message_debug(1);
	send("cpc_open", "again");
	message_debug(0);
	assert_string_equal(message_capture_text(), "cpc_open: again");
	message_capture_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captured_messages_are_lines),
	};

	return cmocka_run_group_tests_name("common/message", tests, NULL, NULL);
}
