/* Why pfm_dispatch_events() refused a set, in a sentence with the events and the rule. */
#ifndef EXPLAIN_ITA2_WHY_H
#define EXPLAIN_ITA2_WHY_H

#include <stddef.h>

#include <perfmon/pfmlib_itanium2.h>
#include "suite/request/spec.h"

/* code is what it returned for *in and *mod, which are of these requests. */
void explain_ita2_why(int code, const pfmlib_input_param_t *in,
		      const pfmlib_ita2_input_param_t *mod, const struct spec_req *req,
		      char *why, size_t size);

#endif
