/*
 * CPUs, or cgroups, on which an operation failed. Those that fail with the same errno are
 * reported together, after the library's message about the first of them.
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
		unsigned cgroups; /* how many cgroups failed; 0: CPUs did */
		const char *last; /* path of the last cgroup */
		char first[256];  /* path of the first cgroup, perhaps cut */
	} kind[FAILURES_MAX];	  /* the last also takes all errors that have no kind */
};

/*
 * Add a CPU, or the cgroup of a path on it, with errno and with the captured message of
 * the library (message.h).
 */
void failures_add(struct failures *f, int cpu, const char *cgroup);

/*
 * Print and remove all failures of an operation on n CPUs or cgroups. The numbers of the
 * CPUs, or the first cgroup, follow the message, unless all have failed for this reason.
 * If there is no message, they are printed with the text of the error.
 */
void failures_print(struct failures *f, unsigned n);

#endif
