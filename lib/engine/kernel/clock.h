/* The rate of the time-stamp counter, as the kernel knows it. */
#ifndef ENGINE_KERNEL_CLOCK_H
#define ENGINE_KERNEL_CLOCK_H

#include "engine/kernel/event.h"

/* In Hz; 0: it does not tell, its own clock runs by something else. Opens an event. */
uint64_t kernel_clock_hz(const struct kernel_env *env);

#endif
