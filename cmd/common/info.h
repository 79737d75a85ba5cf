/*
 * The options that show information and count nothing: -h, --doctor, --explain.
 */
#ifndef COMMON_INFO_H
#define COMMON_INFO_H

#include <libcpc.h>
#include "options.h"
#include "suite/explain/explain.h"
#include "suite/request/choose_engine.h"
#include "suite/request/sets.h"

/* Open a session for --cpu and --engine. Exits with a message on failure. */
cpc_t *info_open(const struct options_shared *s);

/*
 * Print which of --cpu and --engine is unknown, and the known names. Exits with
 * EXIT_USAGE.
 */
void info_unknown_choice(const struct options_shared *s) __attribute__((noreturn));

/* -h: print the usage and what the counters can do. Returns the exit status. */
int info_capabilities(const struct options_shared *s);

/*
 * Print the machine that is simulated, or the doctor's report, as s->show says. Returns
 * the exit status.
 */
int info_show(const struct options_shared *s);

/*
 * --explain: print how the sets of req->choice would be programmed, in the format of s.
 * Returns the exit status; exits if the sets cannot be explained.
 */
int info_explain(const struct options_shared *s, struct explain_options *req);

/*
 * Open a session and make the sets of choice, or, if it has no specification, a set of
 * default events, with a note if these lack the processor's own events. *cpc and the sets
 * are the caller's. Exits with a message on failure: with EXIT_USAGE if a specification
 * is malformed, else with EXIT_TOOL.
 */
struct sets *info_open_sets(const struct options_shared *s,
			    const struct engine_choice *choice, cpc_t **cpc);

#endif
