/*
 * The event address registers of an Itanium 2: of instructions (PMC10) and data (PMC11).
 */
#ifndef ITANIUM2_EAR_H
#define ITANIUM2_EAR_H

#include "itanium2/features.h"

/*
 * Both add registers to the job if they are used: by an event, by the caller's structure,
 * which goes before, or by that alone. PFMLIB_ERR_INVAL: there is no such mode.
 */
int ita2_iear(struct ita2_job *job);
int ita2_dear(struct ita2_job *job);

/* Does the D-EAR use what the branch trace buffer needs: is it in TLB or ALAT mode? */
int ita2_dear_excludes_btb(const struct ita2_job *job);

#endif
