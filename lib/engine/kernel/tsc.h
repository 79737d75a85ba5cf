/* The rate of the time-stamp counter, and times in its cycles. */
#ifndef ENGINE_KERNEL_TSC_H
#define ENGINE_KERNEL_TSC_H

#include <stdint.h>

#include "engine/kernel/event.h"

struct tsc {
	uint64_t hz;	/* 0: not known yet */
	uint64_t tick0; /* the counter and CLOCK_MONOTONIC_RAW, read together, */
	int64_t ns0;	/* when the session began */
};

/* What CPUID tells, leaf by leaf; zero where there is no such leaf. */
struct tsc_cpuid {
	uint32_t denominator, numerator, crystal_hz; /* leaf 0x15: EAX, EBX, ECX */
	uint32_t hypervisor_khz;		     /* leaf 0x40000010: EAX */
};

/* Begin a measurement of the rate. */
void tsc_start(struct tsc *t);

/*
 * The rate if it is known, or can be told without waiting: by CPUID, by the
 * architecture, or by a measurement of at least 2 ms since tsc_start(). Else 0.
 */
uint64_t tsc_rate(struct tsc *t);

/* The same, but wait until the measurement is long enough. Never 0. */
uint64_t tsc_wait(struct tsc *t);

/*
 * Set the rate where the caller has a better source. Threads may do so at the same
 * time.
 */
void tsc_set(struct tsc *t, uint64_t hz);

/* ns as cycles at hz (up to 18 GHz), modulo 2^64. */
uint64_t tsc_cycles(uint64_t hz, uint64_t ns);

/* The rate from CPUID's figures, 0 if they do not tell. */
uint64_t tsc_cpuid_hz(const struct tsc_cpuid *c);

/*
 * The rate that the kernel reports, in Hz; 0 if its own clock does not run by this counter.
 * Opens an event.
 */
uint64_t tsc_kernel_hz(const struct kernel_env *env);

#endif
