/* What the library has to say, on standard error. */
#ifndef COMMON_MESSAGE_H
#define COMMON_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>

#include <libcpc.h>

/* -D: from now on messages name the library function that they come from. */
void message_debug(int on);

/* What would be said, to be said later. */
void message_text(char *text, size_t size, const char *fn, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));

/* Handlers for libpctx and libcpc. */
void message_pctx(const char *fn, const char *fmt, va_list ap);
void message_cpc(const char *fn, int subcode, const char *fmt, va_list ap);

/* A line of cpc_run_notes(). */
void message_note(void *arg, const char *text);

#endif
