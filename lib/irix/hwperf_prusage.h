/* The resources that a process has used, as PIOCGETPREVCTRS reports them. */
#ifndef IRIX_HWPERF_PRUSAGE_H
#define IRIX_HWPERF_PRUSAGE_H

#include <hwperf.h>

/*
 * Fill *u for the process of a handle, except for the counters. Members for which Linux
 * has no figure are 0. Returns 0; or -1 with EBADF, or with ESRCH: the process has been
 * reaped.
 */
int hwperf_prusage(int handle, hwperf_prusage_t *u);

#endif
