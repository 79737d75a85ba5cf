/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples: records of the instructions that complete a counter's period; no skid. */
#ifndef SIM_TOOL_SAMPLE_H
#define SIM_TOOL_SAMPLE_H

#include "sim/tool/emit.h"

#include "sim/shared/requests.h"

/* The requests SIM_REQUEST_SAMPLE_ of requests.h, made by tid. */
UWord sample_open(ThreadId tid, UWord counter, uint64_t period);
UWord sample_read(ThreadId tid, UWord id, struct sim_record *buf, UWord max);
UWord sample_lost(ThreadId tid, UWord id);
UWord sample_period(ThreadId tid, UWord id, uint64_t period);
UWord sample_pause(ThreadId tid, UWord id, int pause);
UWord sample_close(ThreadId tid, UWord id);

/* Emits the check for samples after the current instruction. Nothing may be pending. */
void sample_emit(struct block *b);

/* Called when tid starts, and when it stops, before tool.count is published. */
void sample_start(ThreadId tid);
void sample_stop(ThreadId tid);

/* Close the samples of an LWP that has ended; all samples, in the child of fork(2). */
void sample_end(ThreadId tid);
void sample_forked(void);

#endif
