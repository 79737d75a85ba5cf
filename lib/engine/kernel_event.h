/*
 * An event as perf_event_open(2) programs it, free of the headers of the kernel and of
 * libpfm4.
 */
#ifndef KERNEL_EVENT_H
#define KERNEL_EVENT_H

#include <stdint.h>

struct kernel_event {
	uint32_t type;
	uint32_t bp_type; /* breakpoints: what is watched */
	/* config, config1, config2; breakpoints: -, address, length */
	uint64_t config[3];
	unsigned exclude_user : 1, exclude_kernel : 1, exclude_hv : 1;
	unsigned exclude_host : 1, exclude_guest : 1;
	unsigned precise : 2;
	/* its PMU counts CPUs, not LWPs (it has a cpumask in sysfs) */
	unsigned percpu : 1;
	unsigned core; /* which of the core PMUs of a hybrid machine; 0 elsewhere */
};

#endif
