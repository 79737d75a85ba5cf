/* Messages of libpctx about failures. */
#ifndef PCTX_MESSAGE_H
#define PCTX_MESSAGE_H

#include <stddef.h>
#include <sys/types.h>

#include "pctx/table.h"

/*
 * Passes a message to errfn of the handle, or prints it on stderr if errfn is NULL. fn is
 * the library function without "pctx_": "create", "capture", "run". In the text only
 * printable characters are left (base/text.h). Keeps errno.
 */
void pctx_message(const struct tracer *t, const char *fn, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * If a handler makes a call that must not be made in handlers, passes a message to errfn
 * and returns -1 with EBUSY.
 */
int pctx_refuse_in_handler(pctx_errfn_t *errfn, const char *fn);

/* Writes the rule of this machine that made PTRACE_SEIZE fail with EPERM. Returns buf. */
const char *pctx_seize_rule(char *buf, size_t size);

/* Writes "'NAME' (pid N)" of the tracer of pid. Returns buf, or NULL without a tracer. */
const char *pctx_tracer(pid_t pid, char *buf, size_t size);

#endif
