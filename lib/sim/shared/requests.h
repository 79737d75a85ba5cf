/*
 * Requests that a simulated program makes to its simulator, for the calling LWP, with
 * VALGRIND_DO_CLIENT_REQUEST_EXPR(0, SIM_REQUEST_..., arguments) of
 * <valgrind/valgrind.h>. Outside a simulation each request returns its default, 0.
 */
#ifndef SIM_SHARED_REQUESTS_H
#define SIM_SHARED_REQUESTS_H

#include <stdint.h>

/* The numbers begin at VG_USERREQ_TOOL_BASE('O', 'C'). */
enum sim_request {
	/* (): returns PAGES_VERSION if the program runs in this simulator */
	SIM_REQUEST_VERSION = 0x4f430000,
	/* (uint64_t *buf, n): stores the LWP's counts, in the order of enum sim_counter;
	 * the count of a counter that is not requested is 0. Returns the number of stored
	 * counts, 0 if buf is not writable */
	SIM_REQUEST_READ,
	/* (uint64_t mask): counts these counters too. Returns 1, 0 if memory runs out */
	SIM_REQUEST_ADD,
	/* (struct machine *): stores the machine. Returns 1, or 2 if the user chose it; 0
	 * if the argument is not writable, or if the run has ended */
	SIM_REQUEST_MACHINE,
	/*
	 * (enum sim_counter, uint64_t period): starts a sample, which stores a record
	 * whenever this LWP has added period to the counter. Returns its id (1 or more),
	 * 0 for an unknown counter, for period 0, or if SIM_SAMPLES are open
	 */
	SIM_REQUEST_SAMPLE_OPEN,
	/*
	 * (id, struct sim_record *buf, max): moves up to max records to buf, oldest
	 * first. Returns their number + 1, 0 for a bad id or buf
	 */
	SIM_REQUEST_SAMPLE_READ,
	/* (id): returns the number of records that were lost since the sample was opened,
	 * as its ring was full, + 1; 0 for a bad id */
	SIM_REQUEST_SAMPLE_LOST,
	/*
	 * (id, uint64_t period): changes the period, which begins anew. Returns 1, 0 for
	 * a bad id or for period 0
	 */
	SIM_REQUEST_SAMPLE_PERIOD,
	/* (id): pauses or resumes the sample. Returns 1, 0 for a bad id */
	SIM_REQUEST_SAMPLE_PAUSE,
	SIM_REQUEST_SAMPLE_RESUME,
	/* (id): ends the sample and forgets its records. Returns 1, 0 for a bad id */
	SIM_REQUEST_SAMPLE_CLOSE
};

enum { SIM_SAMPLES = 64 /* open at once */, SIM_RECORDS = 4096 /* in a sample's ring */ };

/* The instruction that completed a period. fork(2) does not copy samples. */
struct sim_record {
	uint64_t pc;
	uint64_t tid;
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint64_t ea; /* address of the data; 0 if the counter counts none */
	uint64_t period;
};

#endif
