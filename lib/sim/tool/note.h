/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes for the user that a program met limits of the simulation. */
#ifndef SIM_TOOL_NOTE_H
#define SIM_TOOL_NOTE_H

#include "sim/tool/emit.h"

/* Notes what a system call reads that --cpc-reproducible cannot make the same. */
void note_syscall(UInt number, const UWord *args);

/* Emits a note for when the program reaches pc, whose instruction is not simulated. */
void note_emit_undecoded(struct block *b, Addr pc);

#endif
