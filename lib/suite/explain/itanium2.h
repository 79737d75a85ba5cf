/* The registers of an Itanium 2, as pfm_dispatch_events() gives them. */
#ifndef SUITE_EXPLAIN_ITANIUM2_H
#define SUITE_EXPLAIN_ITANIUM2_H

#include <stddef.h>

#include <perfmon/pfmlib_itanium2.h>
#include "cpc/cpc.h"
#include "suite/explain/set.h"
#include "suite/request/spec.h"

/*
 * For CPUs, or for a thread. Registers of a counter go to its request, whose pic becomes that counter; the others to
 * what is shared. -1: why, of size bytes, says in a sentence what cannot be.
 */
int explain_itanium2(const struct requests *r, int cpus, struct explain_set *set,
		     char *why, size_t size);

/* code is what it returned for *in and *mod, which are of these requests. */
void explain_ita2_why(int code, const pfmlib_input_param_t *in,
		      const pfmlib_ita2_input_param_t *mod, const struct spec_req *req,
		      char *why, size_t size);

#endif
