/*
 * How sets of events would be programmed: counters, the values of registers, what the
 * kernel would be given; or why they cannot be. Nothing is counted.
 *
 * With a processor that has registers here (struct engine_choice: cpu) these are told, whatever
 * machine this is, and what counts the events here only if the engine is named. Without
 * one, or with a table that is no processor's, what the engine that would count does.
 *
 * Text is for people. JSON is an object a line, one for each set:
 *     {"schema":1,"set":,"spec":,"processor":,"title":,"engine":,"programmed":,"reason":,
 *      "requests":[{"event":,"native":,"title":,"pic":,"user":,"system":,"class":,
 *      "note":,"reason":,"items":[ITEM,...]},...],"shared":[ITEM,...]}
 * ITEM, a register or a structure:
 *     {"name":,"space":,"address":,"value":,"from":,"fields":{NAME:NUMBER,...}}
 * Sets count from 1. "native" is the processor's name of what has another one: PAPI_*
 * names, numbers. Addresses and values are strings, "0x...", as are fields from 2^53 on.
 * What there is none of is null; "programmed" is false if any "reason" is not.
 */
#ifndef SUITE_EXPLAIN_EXPLAIN_H
#define SUITE_EXPLAIN_EXPLAIN_H

#include <stddef.h>

#include "base/text.h"
#include "suite/request/choose_engine.h"

struct explain_ask {
	struct engine_choice choice;
	enum text_format format; /* TEXT_PLAIN or TEXT_JSON */
	int cpus;		 /* CPUs are to be counted: it is not tried on an LWP */
};

/*
 * 0: *text, for the caller to free, tells of all sets; *works is 1 if all of them can be
 * programmed. To choose between engines and candidates events are opened for a moment, as
 * for counting. "PMU::EVENT" of other processors are known if LIBPFM_ENCODE_INACTIVE was in
 * the environment at the first use of libpfm4. -1, as of choose_engine(): EINVAL (a bad
 * specification), ENODEV, ENOMEM, or what an engine fails with at its start; *text is
 * then NULL.
 */
int explain_sets(const struct explain_ask *ask, cpc_errhndlr_t *say, char **text,
		 int *works, char *err, size_t size);

#endif
