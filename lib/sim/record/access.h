/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of generated code for accesses that may be counted at their site. */
#ifndef SIM_RECORD_ACCESS_H
#define SIM_RECORD_ACCESS_H

#include "pub_tool_basics.h"

enum access {
	ACCESS_FETCH,
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_MODIFY /* a load and then a store of the same bytes */
};

/* A function that generated code calls. */
struct access_helper {
	const HChar *name;
	void *fn;
};

/* Is an access of this kind counted? */
int access_is_counted(enum access kind);

/* Returns the helper with the arguments address, size, site. */
const struct access_helper *access_general(enum access kind);

/*
 * Returns the helper with the arguments address, site, for an access for which no hint
 * says that it changes no state; NULL if the machine has no hints for this size.
 */
const struct access_helper *access_unhinted(enum access kind, unsigned size);

#endif
