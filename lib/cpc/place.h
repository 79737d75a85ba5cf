/* The addresses of breakpoints at names, which the commands look up. */
#ifndef CPC_PLACE_H
#define CPC_PLACE_H

#include <libcpc.h>
#include "engine/engine.h"

/*
 * Move the breakpoint of a request, whose event has a name instead of an address, in a
 * set that cpc_bind_pctx(3) has bound; place NULL: the name has no address, and values
 * are CPC_UNAVAILABLE. Returns 0; or -1 with EINVAL, or with errno of ioctl(2) after a
 * message.
 */
int cpc_place(cpc_t *cpc, cpc_set_t *set, unsigned index,
	      const struct engine_place *place);

#endif
