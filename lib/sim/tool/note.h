/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes for the user that a program met limits of the simulation. */
#ifndef SIM_TOOL_NOTE_H
#define SIM_TOOL_NOTE_H

#include "sim/tool/emit.h"

/* Registers the hooks around system calls with the core. */
void note_set_up(void);

/* Emits a note for when the program reaches pc, whose instruction is not simulated. */
void note_emit_undecoded(struct block *b, Addr pc);

#endif
