/* Buckets of program counters at the overflows of events (HWPERF_PROFENABLE). */
#ifndef IRIX_HWPERF_PROFILE_H
#define IRIX_HWPERF_PROFILE_H

#include <hwperf.h>

/*
 * Count the events of arg in the calling LWP, and add 1 to the bucket of the program
 * counter at each overflow. The n ranges of prof are copied; their buckets must live
 * until the counters are released. Returns a positive generation number; or -1 with
 * EINVAL (no threshold, n not from 1 to 1024, a range without buckets, or as of
 * hwperf_arg_check()), EBUSY or others of hwperf_ioctl().
 */
int hwperf_profile_start(const hwperf_profevctrarg_t *arg, const struct hwperf_prof *prof,
			 int n);

#endif
