/*
 * Helpers for tests of refusals: a check of errno, and an error handler that keeps the
 * last message.
 */
#ifndef REPORTED_H
#define REPORTED_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FAILS(call, err)                        \
	do {                                    \
		errno = 0;                      \
		assert_int_equal((call), -1);   \
		assert_int_equal(errno, (err)); \
	} while (0)

/* The last message of the error handler, without its newline. */
static struct {
	unsigned calls;
	int subcode;
	char fn[64], text[1024];
} reported;

/* An error handler that changes errno, which the library must restore. */
static inline void remember(const char *fn, int subcode, const char *fmt, va_list ap)
{
	reported.calls++;
	reported.subcode = subcode;
	snprintf(reported.fn, sizeof reported.fn, "%s", fn);
	vsnprintf(reported.text, sizeof reported.text, fmt, ap);
	reported.text[strcspn(reported.text, "\n")] = '\0';
	errno = EDOM;
}

#endif
