/* The kernel's software events as perf-list(1) names them; they need no libpfm4. */
#ifndef KERNEL_SOFTWARE_H
#define KERNEL_SOFTWARE_H

#include <stdint.h>

/* In any case. 1, *config is its number; 0: there is none of this name. */
int kernel_software_find(const char *name, uint64_t *config);

#endif
