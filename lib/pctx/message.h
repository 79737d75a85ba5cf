/* The words of libpctx for what goes wrong. */
#ifndef PCTX_MESSAGE_H
#define PCTX_MESSAGE_H

#include <stddef.h>
#include <sys/types.h>

#include "pctx/table.h"

/* Tell the handle's errfn; fn is "create", "capture", "run". Keeps errno. */
void pctx_message(const struct tracer *t, const char *fn, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Which rule forbids to trace, for EPERM of PTRACE_SEIZE. Returns buf. */
const char *pctx_seize_rule(char *buf, size_t size);

/* "'NAME' (pid N)" of the process that traces pid, in buf. NULL: nobody does. */
const char *pctx_tracer(pid_t pid, char *buf, size_t size);

#endif
