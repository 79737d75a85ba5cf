/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user must be told of a program: that it met what is not simulated. */
#ifndef SIM_TOOL_NOTE_H
#define SIM_TOOL_NOTE_H

#include "sim/tool/emit.h"

void note_set_up(void);

/* The program goes on to pc, where an instruction is that is not simulated. */
void note_emit_undecoded(struct block *b, Addr pc);

#endif
