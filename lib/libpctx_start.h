/* How a process comes under control, and the words for what goes wrong. */
#ifndef LIBPCTX_START_H
#define LIBPCTX_START_H

#include <sys/types.h>

#include "pctx_table.h"

/* Tell the handle's errfn; fn is "create", "capture", "run". Keeps errno. */
void pctx_message(const struct tracer *t, const char *fn, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Can a process that we start be traced? 0, or the errno with which it was refused. */
int pctx_try(void);

/* The process of a thread, the parent of a process; -1: it is gone. */
pid_t pctx_origin(pid_t tid);

/*
 * Why a process that has just executed a new image cannot be tracked as it would have run
 * by itself: the kernel refuses the privileges of a set-id program to one that is traced
 * without privilege. NULL: it can.
 */
const char *exec_spoiled(pid_t pid);

#endif
