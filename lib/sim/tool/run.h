/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Publishes the counts of this process and its LWPs in the pages file of the run. */
#ifndef SIM_TOOL_RUN_H
#define SIM_TOOL_RUN_H

#include "sim/tool/tool.h"

/* Registers the hooks for turns and fork(2) with the core. */
void run_set_up(void);

struct pages_head;

/*
 * Opens the pages file and the page of this process. Returns the file's head; NULL if the
 * run has ended, or if this process may not open the file: it runs on and counts nothing.
 * Ends the process on other failures.
 */
const struct pages_head *run_open(void);

/* Returns what run_open() has returned. */
const struct pages_head *run_head(void);

/* An LWP ends, or could not be created: publishes all its counts. */
void run_end_thread(ThreadId tid);

/* At the end of the process: publishes all counts and the state PAGE_ENDED. */
void run_end(void);

/* Stores up to n published counts of an LWP. Returns how many. */
unsigned run_counts(ThreadId tid, uint64_t *count, unsigned n);

/* Saves argv[0] of the program that the process is about to execute. */
void run_exec(Addr argv);

/* Does a process of this run have this pid? */
int run_has(Int pid);

/*
 * The process is about to execute path without the simulator. Records that, with a note,
 * and returns the argv[0] that run_exec() saved, or path if none is known.
 */
const HChar *run_native(const HChar *path);

/* Adds PAGE_NOTE_ bits to the page; pc: the instruction that they concern, or 0. */
void run_note(uint32_t notes, Addr pc);

#endif
