/* Messages of the library: printed on standard error, or captured. */
#ifndef COMMON_MESSAGE_H
#define COMMON_MESSAGE_H

#include <stdarg.h>

#include <libcpc.h>

/* -D: from now on messages begin with the name of the library function. */
void message_debug(int on);

/*
 * Error handlers for libpctx and libcpc: print the message, or append it to the captured.
 */
void message_pctx(const char *fn, const char *fmt, va_list ap);
void message_cpc(const char *fn, int subcode, const char *fmt, va_list ap);

/*
 * message_came() returns whether the library has passed a message since message_watch():
 * a command prints no message of its own where the library has given the reason.
 */
void message_watch(void);
int message_came(void);

/* Discard what is captured; from now on messages are captured, not printed. */
void message_capture_begin(void);

/* The captured messages, a line each; "" without any. Valid until the next message. */
const char *message_capture_text(void);

/* From now on messages are printed. The captured text is kept. */
void message_capture_end(void);

/* Print each line of text as a message. */
void message_print(const char *text);

/* Do not print notes from now on (--quiet), or print them again if on is 0. */
void message_quiet(int on);
int message_is_quiet(void);

/* Print a note: a message about how values were counted. */
void message_notef(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print a note of cpc_run_notes(). */
void message_note(void *arg, const char *text);

#endif
