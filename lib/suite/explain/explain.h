/*
 * How sets of events would be programmed: counters, register values, what the kernel
 * would get; or why they cannot be. Nothing is counted.
 *
 * If a processor with known registers is named (struct engine_choice: cpu), its registers
 * are reported on any machine; what counts the events on this machine is reported only if
 * an engine is named too. Otherwise the engine that would count is queried.
 *
 * Text is for people. JSON is an object a line, one for each set:
 *     {"schema":1,"set":,"spec":,"processor":,"title":,"source":,"engine":,
 *      "programmed":,"reason":,"requests":[{"event":,"native":,"title":,"pic":,"user":,
 *      "system":,"class":,"note":,"reason":,"items":[ITEM,...]},...],
 *      "shared":[ITEM,...]}
 * ITEM, a register or a structure:
 *     {"name":,"space":,"address":,"value":,"from":,"fields":{NAME:NUMBER,...}}
 * Sets are numbered from 0. "native" is the processor's name of an event that was named
 * by a PAPI_* name or a number. Addresses and values are strings, "0x...", as are fields
 * from 2^53 on. A value that does not exist is null; "programmed" is false if any
 * "reason" is not null.
 */
#ifndef SUITE_EXPLAIN_EXPLAIN_H
#define SUITE_EXPLAIN_EXPLAIN_H

#include <stddef.h>

#include "base/text.h"
#include "suite/request/choose_engine.h"

/* The sets that explain_sets() explains, and the form of its text. */
struct explain_options {
	struct engine_choice choice;
	enum text_format format; /* TEXT_PLAIN or TEXT_JSON */
	int cpus;		 /* 1: CPUs are to be counted, 0: LWPs */
};

/*
 * Explains all sets in *text, which the caller frees; *programmable becomes 1 if all of
 * them can be programmed, else 0. To choose an engine and to try events, events are
 * opened for a moment. libpfm4 knows "PMU::EVENT" of other processors only if
 * LIBPFM_ENCODE_INACTIVE was in the environment at its first use. Returns 0, or -1 with
 * *text NULL and errno and err as of choose_engine(): EINVAL (a bad specification),
 * ENODEV, ENOMEM, or an error of an engine's start. handler gets the errors of libcpc.
 */
int explain_sets(const struct explain_options *opt, cpc_errhndlr_t *handler, char **text,
		 int *programmable, char *err, size_t size);

#endif
