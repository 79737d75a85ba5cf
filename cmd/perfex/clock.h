/* The clock of the reports. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* ns of CLOCK_MONOTONIC. */
int64_t clock_ns(void);

#endif
