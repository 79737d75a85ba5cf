/* The rate of the time-stamp counter, and conversion of times into its cycles. */
#ifndef ENGINE_KERNEL_TSC_H
#define ENGINE_KERNEL_TSC_H

#include <stdint.h>

#include "engine/kernel/event.h"

struct tsc {
	uint64_t hz;	/* 0: unknown */
	uint64_t tick0; /* the counter at tsc_start() */
	int64_t ns0;	/* CLOCK_MONOTONIC_RAW at the same time */
};

/* Values of CPUID; 0 if the processor does not have the leaf. */
struct tsc_cpuid {
	uint32_t denominator, numerator, crystal_hz; /* leaf 0x15: EAX, EBX, ECX */
	uint32_t hypervisor_khz;		     /* leaf 0x40000010: EAX */
};

/* Start to measure the rate. */
void tsc_start(struct tsc *t);

/*
 * Returns the rate in Hz if it is known without waiting: from CPUID, from the
 * architecture, or from a measurement, if tsc_start() was called at least 2 ms ago. Else
 * returns 0.
 */
uint64_t tsc_rate(struct tsc *t);

/* Like tsc_rate(), but waits until the measurement is long enough. Never returns 0. */
uint64_t tsc_wait(struct tsc *t);

/* Set the rate from a better source. Threads may call this at the same time. */
void tsc_set(struct tsc *t, uint64_t hz);

/* Convert ns into cycles at a rate of up to 18 GHz, modulo 2^64. */
uint64_t tsc_cycles(uint64_t hz, uint64_t ns);

/* Returns the rate in Hz that CPUID's values give, 0 if they give none. */
uint64_t tsc_cpuid_hz(const struct tsc_cpuid *c);

/*
 * Returns the rate in Hz that the kernel reports, 0 if the kernel's clock does not use
 * this counter. Opens an event.
 */
uint64_t tsc_kernel_hz(const struct kernel_env *env);

#endif
