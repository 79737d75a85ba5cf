/*
 * CPUs on which something failed: said once for all that failed in the same way, after
 * the library's words for the first of them.
 */
#ifndef CPUSTAT_REFUSALS_H
#define CPUSTAT_REFUSALS_H

#include <libcpc.h>
#include "base/cpulist.h"

enum { REFUSALS = 8 };

struct refusals {
	unsigned n;
	struct refusal {
		int error; /* errno */
		char words[1024];
		struct cpulist cpus;
	} refusal[REFUSALS];
};

/* The session's error handler from now on: its words are kept for refusals_add(). */
void refusals_listen(cpc_t *cpc);

/* With errno, and what the library has said since the last call of these. */
void refusals_add(struct refusals *r, int cpu);

/* Forget what the library has said. */
void refusals_forget(void);

/* Say them, with what follows from them (NULL: as strerror(3)), and begin anew. */
void refusals_print(struct refusals *r, const char *so);

#endif
