/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long turns are. A turn is short while LWPs contend for a cache line, so that the
 * line moves between the processors as often as in a machine where they run at the same
 * time. It is long otherwise.
 */
#ifndef SIM_TOOL_QUANTUM_H
#define SIM_TOOL_QUANTUM_H

#include "pub_tool_basics.h"

/* Has the model, which is open, report when a line moves to and fro. */
void quantum_open(void);

/* A turn begins. */
void quantum_begin(void);

/* The program has another LWP: turns are short until lines prove not to be shared. */
void quantum_share(void);

/* The program has one LWP. */
void quantum_end_sharing(void);

/* The core's function that runs generated code. */
void __wrap_vgPlain_disp_run_translations(HWord *two_words, volatile void *guest,
					  Addr host_addr);

#endif
