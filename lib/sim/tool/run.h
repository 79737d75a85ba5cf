/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run as the pages file shows it: this process's page, its LWPs and their counts. */
#ifndef SIM_TOOL_RUN_H
#define SIM_TOOL_RUN_H

#include "sim/tool/tool.h"

/* The calls from the core. */
void run_set_up(void);

/* Open the pages file and this process's page; which counters are asked for. */
uint64_t run_open(void);

/* All that was counted is published, and the process ends. */
void run_end(void);

/* The counts of the LWP that runs, so far; n of them at most. How many there are. */
unsigned run_counts(ThreadId tid, uint64_t *count, unsigned n);

/* The process is about to execute a program with these arguments. */
void run_exec(Addr argv);

/* Tell the user of the run something: PAGE_NOTE_ bits, and where; pc 0: nowhere. */
void run_note(uint32_t notes, Addr pc);

#endif
