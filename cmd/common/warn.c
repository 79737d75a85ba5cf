#include "warn.h"

#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/text.h"
#include "write.h"

/* The caller of the command chose the name. */
const char *warn_name(void)
{
	static char name[256];

	snprintf(name, sizeof name, "%s", program_invocation_short_name);
	text_clean(name, "");
	return name;
}

/* Write a message in one piece; what does not fit is cut off. */
static void print_message(const char *text)
{
	char message[8192 + 512];

	snprintf(message, sizeof message, "%s: %s\n", warn_name(), text);
	write_text(STDERR_FILENO, message, strlen(message));
}

void warn_lines(const char *text)
{
	char clean[4096];

	snprintf(clean, sizeof clean, "%s", text);
	text_clean(clean, "\n\t");
	print_message(clean);
}

/* Write the message and, unless it is -1, the text of an errno. errno is kept. */
static void print(int error, const char *fmt, va_list ap)
{
	char text[8192] = ""; /* what does not fit is cut off */
	const int saved = errno;

	if (fmt)
		vsnprintf(text, sizeof text - 128, fmt, ap);
	if (error != -1)
		say_add(text, sizeof text, "%s%s", fmt ? ": " : "", strerror(error));
	text_clean(text, "");
	print_message(text);
	errno = saved;
}

void vwarnx(const char *fmt, va_list ap)
{
	print(-1, fmt, ap);
}

void verrx(int status, const char *fmt, va_list ap)
{
	print(-1, fmt, ap);
	exit(status);
}

void verr(int status, const char *fmt, va_list ap)
{
	print(errno, fmt, ap);
	exit(status);
}

void warnx(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(-1, fmt, ap);
	va_end(ap);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(errno, fmt, ap);
	va_end(ap);
}

void errx(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	verrx(status, fmt, ap);
}

void err(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	verr(status, fmt, ap);
}
