/*
 * What commands tell without measuring: --list, --doctor, --explain, and what there is to
 * choose.
 */
#ifndef COMMON_INFO_H
#define COMMON_INFO_H

#include <libcpc.h>
#include "options.h"
#include "suite/explain/explain.h"
#include "suite/request/choose_engine.h"
#include "suite/request/sets.h"
#include "suite/tell/list.h"

/* A session for it. Exits if there is none. */
cpc_t *info_open(const struct options_shared *s);

/* The session could not be opened for this: say what it is, and what there is. Exits. */
void info_unknown_choice(const struct options_shared *s) __attribute__((noreturn));

/* -h: the usage, and what the counters can do. Returns the exit status. */
int info_capabilities(const struct options_shared *s);

/* Do what s->show asks for, but for --explain. Returns the exit status. */
int info_show(const struct options_shared *s);

/*
 * --explain: how the sets of ask->choice would be programmed; its format is that of s.
 * bad_spec() is to end the command after the words for bad usage. Returns the exit status,
 * or exits.
 */
int info_explain(const struct options_shared *s, struct explain_options *ask);

/* A line of a list, of which indent columns are there already; and the title of all. */
void info_print_title(const char *first);
void info_print_entry(const struct list_entry *e, int indent);

/*
 * A specification that makes no sense is bad usage: bad_spec() is to end the command after
 * the words for it; one that is refused is not. Exits on any failure. The session and the
 * sets are the caller's.
 */
struct sets *info_open_sets(const struct options_shared *s,
			    const struct engine_choice *ask, cpc_t **cpc);

#endif
