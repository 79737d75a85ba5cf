/* The sets that -c options ask for, and the engine that can count them. */
#ifndef SETS_H
#define SETS_H

#include <libcpc.h>
#include "options.h"
#include "suite/request/choose.h"
#include "suite/request/sets.h"

/*
 * A specification that makes no sense is bad usage: bad_spec() is to end the command after
 * the words for it; one that is refused is not. Exits on any failure. The session and the
 * sets are the caller's.
 */
struct setgrp *sets_make(const struct suite *s, const struct choice *ask,
			 void (*bad_spec)(void), cpc_t **cpc);

#endif
