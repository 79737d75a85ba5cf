/*
 * Requests from inside a simulated program to its simulator, made with
 * VALGRIND_DO_CLIENT_REQUEST_EXPR(0, SIM_REQUEST_..., arguments) of <valgrind/valgrind.h>.
 * Outside of a simulation each gives its default, 0. They are about the calling LWP.
 */
#ifndef SIM_SHARED_REQUESTS_H
#define SIM_SHARED_REQUESTS_H

#include <stdint.h>

/* From VG_USERREQ_TOOL_BASE('O', 'C') on. */
enum sim_request {
	/* PAGES_VERSION: this is our simulator */
	SIM_REQUEST_VERSION = 0x4f430000,
	/* (uint64_t *buf, n): the LWP's counts up to here, in the order of enum sim_counter;
	 * counters that are not asked for are 0. How many were written; 0: bad buf */
	SIM_REQUEST_READ,
	/* (uint64_t mask): count these too from now on. 1; 0: no memory */
	SIM_REQUEST_ADD,
	/* (char *buf, n): the machine's name, with its 0. Its length; 0: bad or small buf */
	SIM_REQUEST_MACHINE,
	/* (enum sim_counter, uint64_t period): a record after each period increments by this
	 * LWP. An id, 1 and up; 0: no such counter, period 0, or no room */
	SIM_REQUEST_SAMPLE_OPEN,
	/* (id, struct sim_record *buf, max): take records out, oldest first. How many + 1;
	 * 0: bad id or buf */
	SIM_REQUEST_SAMPLE_READ,
	/* (id): records that found no room, since it was opened, + 1; 0: bad id */
	SIM_REQUEST_SAMPLE_LOST,
	/* (id, uint64_t period): the next record is that far away from here. 1; 0: bad */
	SIM_REQUEST_SAMPLE_PERIOD,
	/* (id): stop; go on where it stopped. 1; 0: bad id */
	SIM_REQUEST_SAMPLE_PAUSE,
	SIM_REQUEST_SAMPLE_RESUME,
	/* (id): 1; 0: bad id */
	SIM_REQUEST_SAMPLE_CLOSE
};

enum { SIM_SAMPLES = 64 /* open at once */, SIM_RECORDS = 4096 /* kept of each */ };

/* The instruction with which the period was full. A child of fork has no samples. */
struct sim_record {
	uint64_t pc;
	uint64_t tid;
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint64_t ea; /* what it accessed, if the counter is one of data; else 0 */
	uint64_t period;
};

#endif
