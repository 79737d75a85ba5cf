/* The kernel's software events as perf-list(1) names them; they need no libpfm4. */
#ifndef ENGINE_KERNEL_OWN_H
#define ENGINE_KERNEL_OWN_H

#include <stdint.h>

/* In any case. 1, *config is its number; 0: there is none of this name. */
int kernel_own_find(const char *name, uint64_t *config);

#endif
