/* Sets bound to LWPs of this process: who has counters, and who lets go of them. */
#ifndef CPC_LWP_H
#define CPC_LWP_H

#include "cpc/cpc.h"

/* Unbind a set from all LWPs. The session is held. */
void lwp_unbind(cpc_set_t *set);

/* Unbind it from the calling LWP alone, if that has inherited it. Was it so? */
int lwp_unbind_heir(cpc_set_t *set);

#endif
