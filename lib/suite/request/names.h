/* The names that event specifications can use in a session. */
#ifndef SUITE_REQUEST_NAMES_H
#define SUITE_REQUEST_NAMES_H

#include <libcpc.h>
#include "suite/request/spec.h"

/* Return the names of cpc, which must outlive them. */
struct spec_names spec_names_of(cpc_t *cpc);

#endif
