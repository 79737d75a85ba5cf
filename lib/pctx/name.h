/* The names of LWPs, which the kernel calls comm (proc(5)). */
#ifndef PCTX_NAME_H
#define PCTX_NAME_H

#include <sys/types.h>

#include <libpctx.h>
#include "pctx/comm.h"

/*
 * From now on an LWP's name at its end is kept for the handlers of its end. Each report
 * of an LWP then takes one more system call. pctx is the handle of pctx_create() or
 * pctx_capture().
 */
void pctx_keep_names(pctx_t *pctx);

/*
 * Stores the name that an LWP has now or, in the handlers of its end, the name that it
 * had then. What a launcher runs has the name of its program. Returns the text, or NULL
 * if the name is not known: there is no such LWP, or it has ended and no name was kept,
 * as for the first LWP of a process in which another LWP has executed a program.
 */
const char *pctx_name(pctx_t *pctx, id_t lwpid, struct name *name);

/*
 * For the tracer. Waits as wake_wait(), and keeps the name of an LWP that has ended while
 * the kernel still has it.
 */
struct tracer;
pid_t name_wait(struct tracer *t, int *status);

/* For the tracer. The process has executed a program. */
void name_executed(struct __pctx *p);

#endif
