#include "message.h"

#include <err.h>
#include <stdio.h>

/* The handlers get nothing but the message. */
static int debug;

void message_debug(int on)
{
	debug = on;
}

void message_pctx(const char *fn, const char *fmt, va_list ap)
{
	char text[2048];

	vsnprintf(text, sizeof text, fmt, ap);
	if (debug)
		warnx("%s: %s", fn, text);
	else
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
