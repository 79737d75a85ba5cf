/* The clocks, in nanoseconds; both calls are async-signal-safe. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC, the clock of all samples. */
int64_t clock_ns(void);

/* CLOCK_REALTIME: nanoseconds since 1970. */
int64_t clock_unix_ns(void);

#endif
