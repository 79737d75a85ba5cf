/*
 * What a test of refusals looks at: errno, and the last message that the error handler
 * got.
 */
#ifndef TOLD_H
#define TOLD_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#define FAILS(call, err)                        \
	do {                                    \
		errno = 0;                      \
		assert_int_equal((call), -1);   \
		assert_int_equal(errno, (err)); \
	} while (0)

/* The last message of the error handler. */
static struct {
	unsigned calls;
	int subcode;
	char fn[64], text[1024];
} told;

/* An error handler that changes errno, which the library must restore. */
static inline void remember(const char *fn, int subcode, const char *fmt, va_list ap)
{
	told.calls++;
	told.subcode = subcode;
	snprintf(told.fn, sizeof told.fn, "%s", fn);
	vsnprintf(told.text, sizeof told.text, fmt, ap);
	errno = EDOM;
}

#endif
