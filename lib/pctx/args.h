/* The command line of a process under control. */
#ifndef PCTX_ARGS_H
#define PCTX_ARGS_H

#include <stddef.h>
#include <sys/types.h>

enum { ARGS_SIZE = 80 }; /* bytes of a command line, as PRARGSZ of Solaris' proc(4) */

/*
 * Reads the command line with blanks between the arguments, cut to buf as Solaris does.
 * launched: the words begin with a launcher and its options, which are left out. Returns
 * buf, or NULL if the command line cannot be read.
 */
char *args_read(pid_t pid, int launched, char buf[ARGS_SIZE]);

/*
 * Reads the last part of the path of the program that a launcher runs, cut to size bytes
 * with its NUL. Returns its length; 0: it cannot be read.
 */
size_t args_read_launched(pid_t pid, char *buf, size_t size);

#endif
