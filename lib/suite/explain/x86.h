/* The registers of x86 processors, of which explain_cpus.c tells whose they are. */
#ifndef SUITE_EXPLAIN_X86_H
#define SUITE_EXPLAIN_X86_H

#include "suite/explain/kind.h"

/* End with one without a name. */
extern const struct explain_kind explain_p5[], explain_p6[], explain_p4[],
	explain_core2[], explain_k8[];

#endif
