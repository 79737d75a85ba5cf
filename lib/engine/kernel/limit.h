/* The limit of open files: more of it, when it is needed. */
#ifndef KERNEL_LIMIT_H
#define KERNEL_LIMIT_H

/*
 * Raise RLIMIT_NOFILE: to the hard limit or, if that is reached, double both, which
 * needs CAP_SYS_RESOURCE. Programs that are started later inherit it: call it only when
 * a file was refused. 0, or -1 with EMFILE if it is as high as it gets.
 */
int kernel_limit_raise(void);

#endif
