/* The name of an LWP in the kernel: comm in proc(5). */
#ifndef PCTX_COMM_H
#define PCTX_COMM_H

#include <sys/types.h>

enum { NAME_SIZE = 16 }; /* of a name with its NUL, TASK_COMM_LEN in the kernel */

/* A name; any byte can be in it. */
struct name {
	int known;
	char text[NAME_SIZE]; /* "" is a name too */
};

/*
 * Stores the name of an LWP, which can be a zombie; the name is not known if the process
 * has no such LWP.
 */
void comm_read(pid_t pid, pid_t tid, struct name *name);

#endif
