/*
 * Event specifications in a session: the names that they can use, and how their requests
 * are added to a set.
 */
#ifndef SPEC_NAMES_H
#define SPEC_NAMES_H

#include <libcpc.h>
#include "spec/spec.h"

/* Return the names of cpc, which must outlive them. */
struct spec_names spec_names_of(cpc_t *cpc);

/*
 * Add a request to a set of cpc. Returns its index, or -1 with the errno of
 * cpc_set_add_request(). A request whose counter is provisional gets no picnum, so that
 * binding the set reports why its requests cannot be counted together.
 */
int spec_add(cpc_t *cpc, cpc_set_t *set, const struct spec_req *r);

#endif
