/*
 * The branch trace buffer of an Itanium 2 (PMC12).
 */
#ifndef ITANIUM2_BTB_H
#define ITANIUM2_BTB_H

#include "itanium2/features.h"

/*
 * Adds registers to the job if it is used, and where the D-EAR needs it to be off.
 * PFMLIB_ERR_EVTINCOMP: both.
 */
int ita2_btb(struct ita2_job *job);

#endif
