#include "message.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* These are global because the library passes no argument to its error handlers. */
static int debug, quiet, capturing, came;
static struct textbuf captured;

void message_debug(int on)
{
	debug = on;
}

/* Append a line. If memory runs out, message_capture_text() says that instead. */
static void capture(const char *text)
{
	if (captured.len)
		textbuf_char(&captured, '\n');
	textbuf_put(&captured, text, strlen(text) + 1);
	captured.len -= !captured.failed;
}

void message_pctx(const char *fn, const char *fmt, va_list ap)
{
	char text[2048];
	const int n = debug ? snprintf(text, sizeof text, "%s: ", fn) : 0;

	vsnprintf(text + n, sizeof text - (size_t)n, fmt, ap);
	text[strcspn(text, "\n")] = '\0';
	text_clean(text, "");
	came = 1;
	if (capturing)
		capture(text);
	else
		warnx("%s", text);
}

void message_cpc(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)subcode;
	message_pctx(fn, fmt, ap);
}

void message_watch(void)
{
	came = 0;
}

int message_came(void)
{
	return came;
}

void message_capture_begin(void)
{
	capturing = 1;
	captured.len = 0;
	captured.failed = 0;
}

const char *message_capture_text(void)
{
	if (captured.failed)
		return "out of memory";
	return captured.len ? captured.s : "";
}

void message_capture_end(void)
{
	capturing = 0;
}

void message_print(const char *text)
{
	while (*text) {
		const size_t len = strcspn(text, "\n");

		warnx("%.*s", (int)len, text);
		text += len + (text[len] != '\0');
	}
}

void message_quiet(int on)
{
	quiet = on;
}

int message_is_quiet(void)
{
	return quiet;
}

void message_notef(const char *fmt, ...)
{
	va_list ap;

	if (quiet)
		return;
	va_start(ap, fmt);
	vwarnx(fmt, ap);
	va_end(ap);
}

void message_note(void *arg, const char *text)
{
	(void)arg;
	message_notef("%s", text);
}
