#include "base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

int64_t clock_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_unix_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}
