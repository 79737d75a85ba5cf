/*
 * CPUs on which an operation failed. CPUs that fail with the same errno are reported
 * together, after the library's message about the first of them.
 */
#ifndef CPUSTAT_FAILURES_H
#define CPUSTAT_FAILURES_H

#include "base/cpulist.h"

enum { FAILURES_MAX = 8 };

struct failures {
	unsigned n;
	struct failure {
		int error; /* errno */
		char message[1024];
		struct cpulist cpus;
	} kind[FAILURES_MAX]; /* the last also takes all errors that have no kind */
};

/* Add a CPU with errno and with the captured message of the library (message.h). */
void failures_add(struct failures *f, int cpu);

/*
 * Print and remove all failures of an operation on ncpus CPUs. The numbers of the CPUs
 * follow the message, unless all CPUs have failed for this reason. If there is no
 * message, the numbers are printed with the text of the error.
 */
void failures_print(struct failures *f, unsigned ncpus);

#endif
