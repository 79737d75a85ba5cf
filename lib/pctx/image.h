/* What a process that has just executed a program runs. */
#ifndef PCTX_IMAGE_H
#define PCTX_IMAGE_H

#include "pctx/table.h"

enum { IMAGE_ARGS = 80 }; /* bytes of a command line, as in Solaris' psinfo */

/*
 * The command line with blanks between the arguments, cut as the original did, in buf; of a
 * launcher, that of the program behind it. NULL: unknown.
 */
char *image_args(const struct __pctx *p, char buf[IMAGE_ARGS]);

/* Is it the launcher of pctx_create_behind()? */
int image_is_launcher(const struct tracer *t, pid_t pid);

#endif
