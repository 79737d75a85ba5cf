/* Sets bound to LWPs of other processes. */
#ifndef CPC_PCTX_H
#define CPC_PCTX_H

#include "cpc/cpc.h"

/* Sample a set that is bound to an LWP of another process. */
int pctx_sample(const cpc_set_t *set, cpc_buf_t *buf);

#endif
