/* A check that several kinds of binds share. */
#ifndef CPC_BIND_H
#define CPC_BIND_H

#include "cpc/cpc.h"

/*
 * Check that no request of a set needs a signal or records, which only LWPs of the
 * program itself get. If a request does, reports the reason and returns -1 with ENOTSUP.
 */
int bind_check_plain(cpc_t *cpc, const char *fn, cpc_set_t *set);

/*
 * Check that no request of a set with CPC_SET_MULTIPLEX needs a signal or records. If a
 * request does, reports the reason and returns -1 with ENOTSUP.
 */
int bind_check_turns(cpc_t *cpc, const char *fn, const struct requests *r);

#endif
