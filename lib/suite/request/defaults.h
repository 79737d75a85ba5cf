/* The events that a command counts if its user names none. */
#ifndef SUITE_REQUEST_DEFAULTS_H
#define SUITE_REQUEST_DEFAULTS_H

#include "suite/request/choose_engine.h"

struct defaults {
	char *spec;	  /* malloc'ed */
	int no_counters;  /* events can be counted here, but none of the processor's */
	int can_simulate; /* the simulator is here, which could count them */
	cpc_t *session;	  /* in which they were tried, for choose_engine() */
	int tried;	  /* session can count each event of spec */
};

/*
 * Find by trying which of the default events the engine of choice can count: time,
 * switches and faults, and the processor's instructions, cycles, branches and caches; in
 * user and system mode if that is permitted, else in user mode. cpus: on CPUs, not in
 * LWPs; of whole CPUs (not choice->cgroups) migrations take the place of time. If the
 * engine is free, it is the kernel, unless that can count nothing. If no engine can count
 * any of the events, the specification has one of them, so that the engine gives the
 * reason. Returns -1 with ENOMEM, or with an errno of cpc_open_cpu().
 */
int defaults_find(struct defaults *d, const struct engine_choice *choice, int cpus);

#endif
