/*
 * The opcode matchers of an Itanium 2 (PMC8, PMC9, PMC15).
 */
#ifndef ITANIUM2_OPCODE_H
#define ITANIUM2_OPCODE_H

#include "itanium2/features.h"

/*
 * Adds registers to the job: PMC8 also where code ranges are used, PMC15 always.
 * PFMLIB_ERR_FEATCOMB: PMC9, and an event other than retired instructions.
 */
int ita2_opcode(struct ita2_job *job);

#endif
