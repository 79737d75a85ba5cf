#include "message.h"

#include <err.h>
#include <stdio.h>

/* The handlers get nothing but the message. */
static int debug;

void message_debug(int on)
{
	debug = on;
}

void message_text(char *text, size_t size, const char *fn, const char *fmt, va_list ap)
{
	const int n = debug ? snprintf(text, size, "%s: ", fn) : 0;

	vsnprintf(text + n, size - (size_t)n, fmt, ap);
}

void message_pctx(const char *fn, const char *fmt, va_list ap)
{
	char text[2048];

	message_text(text, sizeof text, fn, fmt, ap);
	warnx("%s", text);
}

void message_cpc(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)subcode;
	message_pctx(fn, fmt, ap);
}

void message_note(void *arg, const char *text)
{
	(void)arg;
	warnx("%s", text);
}
