/* What the library has to say, on standard error. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <libcpc.h>
#include <stdarg.h>

/* -D: from now on messages name the library function that they come from. */
void message_debug(int on);

/* Handlers for libpctx and libcpc. */
void message_pctx(const char *fn, const char *fmt, va_list ap);
void message_cpc(const char *fn, int subcode, const char *fmt, va_list ap);

/* A line of cpc_run_notes(). */
void message_note(void *arg, const char *text);

#endif
