/*
 * Translates the requests of a set of Itanium 2 events into the arguments of
 * pfm_dispatch_events(). Defaults are those of pfmon.
 */
#ifndef SUITE_EXPLAIN_ITANIUM2_REQUEST_H
#define SUITE_EXPLAIN_ITANIUM2_REQUEST_H

#include <stddef.h>

#include <perfmon/pfmlib_itanium2.h>
#include "spec/spec.h"

/*
 * Fills *in and *mod from req[0..n-1], whose events become in->pfp_events in this order;
 * flags are PFMLIB_PFP_*. Attributes are those of events/itanium2.events; an attribute of
 * the whole set may be in any request, and with the same values in several. If every
 * request has its counter (req[i].pics is bit req[i].pic) and the counters ascend, as
 * spec_parse() leaves them, pfm_dispatch_events() assigns these counters.
 *
 * Privilege levels are 3 for user mode, 0 for system mode, or those of plm=. The register
 * of an EAR event gets the event's instruction set and levels. Parts of the branch trace
 * buffer or of an EAR without an attribute are as if the set had no attributes.
 *
 * Returns 1 if *mod has a nonzero member (ranges then need a mod_out), 0 if NULL can
 * replace *mod, or -1 with EINVAL if a request is invalid; err, of size bytes, then says
 * why in one line without a newline. pfm_dispatch_events() refuses what the processor
 * cannot combine.
 */
int itanium2_request(const struct spec_req *req, unsigned n, unsigned flags,
		     pfmlib_input_param_t *in, pfmlib_ita2_input_param_t *mod, char *err,
		     size_t size);

#endif
