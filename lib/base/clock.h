/* Clocks in nanoseconds. Both calls are async-signal-safe. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Return CLOCK_MONOTONIC, the clock of all samples. */
int64_t clock_ns(void);

/* Return CLOCK_REALTIME: nanoseconds since 1970. */
int64_t clock_unix_ns(void);

#endif
