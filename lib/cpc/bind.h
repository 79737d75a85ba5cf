/* What all kinds of binds have in common. */
#ifndef CPC_BIND_H
#define CPC_BIND_H

#include "cpc/cpc.h"

/*
 * Check that no request of a set asks for a signal or for records, which only LWPs of the
 * program itself get. Returns -1 with ENOTSUP, and reports it, if one does.
 */
int bind_check_plain(cpc_t *cpc, const char *fn, cpc_set_t *set);

#endif
