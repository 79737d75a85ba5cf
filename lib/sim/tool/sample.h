/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples: where an LWP is whenever it has counted so many of something. No skid. */
#ifndef SIM_TOOL_SAMPLE_H
#define SIM_TOOL_SAMPLE_H

#include "sim/tool/emit.h"

#include "sim/shared/requests.h"

/* The requests of requests.h, by tid. */
UWord sample_open(ThreadId tid, UWord counter, uint64_t period);
UWord sample_read(ThreadId tid, UWord id, struct sim_record *buf, UWord max);
UWord sample_lost(ThreadId tid, UWord id);
UWord sample_period(ThreadId tid, UWord id, uint64_t period);
UWord sample_pause(ThreadId tid, UWord id, int pause);
UWord sample_close(ThreadId tid, UWord id);

/* After the instruction at hand; nothing may be pending. */
void sample_emit(struct block *b);

/* tid runs from now on; stops, and its counts in tool.count are about to be taken. */
void sample_start(ThreadId tid);
void sample_stop(ThreadId tid);

/* tid has ended; is the only one of a child. */
void sample_end(ThreadId tid);
void sample_forked(void);

#endif
