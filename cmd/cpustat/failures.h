/*
 * CPUs on which something failed: said once for all that failed in the same way, after
 * the library's words for the first of them.
 */
#ifndef CPUSTAT_FAILURES_H
#define CPUSTAT_FAILURES_H

#include <libcpc.h>
#include "base/cpulist.h"

enum { FAILURES_MAX = 8 };

struct failures {
	unsigned n;
	struct failure {
		int error; /* errno */
		char words[1024];
		struct cpulist cpus;
	} kind[FAILURES_MAX];
};

/* The session's error handler from now on: its words are kept for failures_add(). */
void failures_listen(cpc_t *cpc);

/* With errno, and what the library has said since the last call of these. */
void failures_add(struct failures *r, int cpu);

/* Forget what the library has said. */
void failures_forget(void);

/* Say them, with what follows from them (NULL: as strerror(3)), and begin anew. */
void failures_print(struct failures *r, const char *so);

#endif
