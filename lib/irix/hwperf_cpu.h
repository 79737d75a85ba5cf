/* The counters of one CPU in system mode. */
#ifndef IRIX_HWPERF_CPU_H
#define IRIX_HWPERF_CPU_H

#include "irix/hwperf_setup.h"

struct group;

struct hwperf_cpu {
	int id;
	int is_open;
	int token;  /* of strict_cpu_take() */
	int missed; /* the CPU ran for a time without counters */
	struct group *group[HWPERF_CNTEVENTMAX]; /* NULL: the CPU lacks the events */
	hwperf_values_t now;			 /* as last read */
	hwperf_values_t before;			 /* of counters that are closed */
};

/* Prepare the counters of the CPU id, which are not open. */
void hwperf_cpu_init(struct hwperf_cpu *c, int id);

/*
 * Open the counters of a set-up. Returns 0; or -1 with ENODEV (the CPU is offline), EBUSY
 * (CPC_STRICT=1, and another process counts the CPU), or errno of cpc_bind_cpu(3).
 */
int hwperf_cpu_open(struct hwperf_cpu *c, const struct hwperf_setup *s);

/*
 * Read the counters. A CPU that was offline and is back is opened again. Returns 0, or -1
 * with errno of the engine's read().
 */
int hwperf_cpu_read(struct hwperf_cpu *c, const struct hwperf_setup *s);

/* Close the counters; the values of the last read stay. Keeps errno. */
void hwperf_cpu_close(struct hwperf_cpu *c, const struct hwperf_setup *s);

/*
 * Add the values of the events whose bit is set. An event that the CPU does not have adds
 * nothing.
 */
void hwperf_cpu_add(const struct hwperf_cpu *c, uint32_t events, hwperf_values_t *values);

/*
 * Release the CPU, whose counters are closed, so that others may count it (CPC_STRICT=1).
 */
void hwperf_cpu_release(struct hwperf_cpu *c);

#endif
