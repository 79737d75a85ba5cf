/* Which registers the processors of the event tables have, as tables. */
#ifndef SUITE_EXPLAIN_SPARC_MIPS_H
#define SUITE_EXPLAIN_SPARC_MIPS_H

#include "suite/explain/kind.h"

struct explain_cpu {
	const char *table[4];		 /* of events, that these are for; then NULL */
	const char *user_only;		 /* why system mode cannot be counted, or NULL */
	const struct explain_kind *kind; /* ends with one without a name */
};

/* NULL: it has none, and is programmed by whatever counts its events. */
const struct explain_cpu *explain_cpu_find(const char *table);

#endif
