/* cpcreport --by: what each rank, host, CPU, LWP or label has counted. */
#ifndef CPCREPORT_BY_H
#define CPCREPORT_BY_H

#include "common/out.h"
#include "options.h"

/* Read all files, and write a table. Returns the exit status. */
int by_report(const struct options *o, struct out *out);

#endif
