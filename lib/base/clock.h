/* The clock of the samples. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* ns of CLOCK_MONOTONIC. Async-signal-safe. */
int64_t clock_ns(void);

#endif
