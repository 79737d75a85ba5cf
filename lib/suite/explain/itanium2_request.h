/*
 * From the requests of a set of Itanium 2 events, as they are specified, to what
 * pfm_dispatch_events() takes. What stands by default is as pfmon had it.
 */
#ifndef SUITE_EXPLAIN_ITANIUM2_REQUEST_H
#define SUITE_EXPLAIN_ITANIUM2_REQUEST_H

#include <stddef.h>

#include <perfmon/pfmlib_itanium2.h>
#include "suite/request/spec.h"

/*
 * Fill *in and *mod from req[0..n-1], whose events become in->pfp_events in this order;
 * flags are PFMLIB_PFP_*. Attributes are those of events/itanium2.events; one of the set
 * may be in any of the requests, and if it is in several, then with the same values.
 * Where every request has its counter (req[i].pics is bit req[i].pic) and they ascend, as
 * spec_parse() leaves them, dispatching gives each that one.
 *
 * Privilege levels are 3 for the user, 0 for the system, or what plm= says. Registers of
 * an EAR event have its instruction set and levels. Parts of the branch trace buffer or
 * of an EAR that are not asked for are as without any attribute.
 *
 * 1: *mod holds something; 0: it does not, and NULL will do for it; ranges want a
 * mod_out. -1, EINVAL: it makes no sense, err (of size bytes) says what in one line
 * without a newline. What the processor cannot do together is pfm_dispatch_events()'s to
 * refuse.
 */
int itanium2_request(const struct spec_req *req, unsigned n, unsigned flags,
		     pfmlib_input_param_t *in, pfmlib_ita2_input_param_t *mod, char *err,
		     size_t size);

#endif
