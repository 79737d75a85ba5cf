/* What the parser of event specifications is told of a session. */
#ifndef SUITE_REQUEST_NAMES_H
#define SUITE_REQUEST_NAMES_H

#include <libcpc.h>
#include "suite/request/spec.h"

/* They hold for as long as cpc does. */
struct spec_names spec_names_of(cpc_t *cpc);

#endif
